/**
 * Reads the status flags behind the rows of a result. The driver returns only those of an OK packet, so each packet is
 * inspected on its way. The end of rows is a short packet that begins with 0xFE. With a driver that receives packets
 * differently, such a reply has no flags.
 */
import type { Connection as Driver } from 'mysql2';

interface Packet {
  isEOF(): boolean;
  eofStatusFlags(): number;
}

interface Taking {
  handlePacket?: (packet?: Packet) => void;
}

/** Calls `heard` with the flags of each end of columns or rows. The last ones are the reply's. */
export function onRowsEnd(client: Driver, heard: (status: number) => void): void {
  const taking = client as unknown as Taking;
  const take = taking.handlePacket;
  if (take === undefined) return;
  taking.handlePacket = (packet) => {
    if (packet?.isEOF()) heard(packet.eofStatusFlags());
    take.call(client, packet);
  };
}
