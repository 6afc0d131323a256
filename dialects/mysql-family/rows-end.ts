/**
 * The status flags behind the rows of a result. The driver tells those of an OK and reads those behind rows for itself alone,
 * so the packets that it takes are looked at on their way: an end of rows is a short packet that begins with 0xFE. A driver
 * that takes its packets otherwise is let be; then such a reply says nothing.
 */
import type { Connection as Driver } from 'mysql2';

interface Packet {
  isEOF(): boolean;
  eofStatusFlags(): number;
}

interface Taking {
  handlePacket?: (packet?: Packet) => void;
}

/** Hears the flags of each end of columns or of rows; the last one is that of the reply. */
export function onRowsEnd(client: Driver, heard: (status: number) => void): void {
  const taking = client as unknown as Taking;
  const take = taking.handlePacket;
  if (take === undefined) return;
  taking.handlePacket = (packet) => {
    if (packet?.isEOF()) heard(packet.eofStatusFlags());
    take.call(client, packet);
  };
}
