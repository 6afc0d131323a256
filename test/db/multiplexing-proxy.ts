/**
 * A pooler for MySQL's protocol as ProxySQL, MaxScale and MySQL Router are, as small as it can be: each client logs in to a
 * connection to the server of its own, but then every transaction, and every statement outside one, gets whichever of all
 * these connections was given back last. Without encryption.
 */
import { createServer, connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { Frames, MYSQL_WIRE } from './message-proxy.ts';
import type { MessageProxy } from './message-proxy.ts';

export interface MultiplexingProxy extends MessageProxy {
  /** Texts of queries, in the order in which they came. */
  readonly sent: readonly string[];
}

/** A connection to the server, and the client that has it. */
interface Upstream {
  readonly socket: Socket;
  client: Socket | undefined;
  /** Hears of the OK of a COMMIT or ROLLBACK. */
  answered?: (() => void) | undefined;
}

const BEGINS = /^\s*(start\s+transaction|begin)\b|;\s*start\s+transaction\b/i;
const ENDS = /(^|;)\s*(commit|rollback)\s*$/i;
const COMMAND = { quit: 1, query: 3 } as const;

/** An OK of no rows, behind which nothing comes. */
function isLastOk(packet: Buffer): boolean {
  return packet[4] === 0 && packet.length >= 9 && (packet.readUInt16LE(7) & 8) === 0;
}

export async function startMultiplexingProxy(target: string): Promise<MultiplexingProxy> {
  const { hostname, port } = new URL(target);
  const sent: string[] = [];
  /** Given back, the last one at the end. */
  const idle: Upstream[] = [];
  const sockets = new Set<Socket>();

  const server: Server = createServer((client) => {
    const own: Upstream = { socket: connect(Number(port), hostname), client };
    let mine: Upstream | undefined = own;
    let inside = false;
    const giveBack = (): void => {
      if (mine === undefined || inside) return;
      mine.client = undefined;
      mine.answered = undefined;
      idle.push(mine);
      mine = undefined;
    };
    let logging = true;
    const replies = new Frames(MYSQL_WIRE, 'server');
    own.socket.on('data', (chunk) => {
      own.client?.write(chunk);
      const packets = replies.push(chunk);
      // The login ends with an OK behind the client's answers: number 2 or later.
      if (logging && packets.some((packet) => packet[3]! >= 2 && packet[4] === 0)) {
        logging = false;
        giveBack();
      } else if (own.client !== undefined && packets.some(isLastOk)) own.answered?.();
    });
    sockets.add(client).add(own.socket);
    own.socket.on('error', () => client.destroy());
    client.on('error', () => undefined);
    const commands = new Frames(MYSQL_WIRE, 'client');
    client.on('data', (chunk) => {
      if (logging) return own.socket.write(chunk);
      for (const packet of commands.push(chunk)) {
        if (packet[3] !== 0) {
          mine?.socket.write(packet);
          continue;
        }
        if (packet[4] === COMMAND.quit) {
          client.end();
          continue;
        }
        // A client that sends the next command has had the whole answer to the one before it.
        giveBack();
        const sql = MYSQL_WIRE.queryIn(packet);
        if (sql !== undefined) sent.push(sql);
        mine ??= idle.pop();
        if (mine === undefined) return client.destroy();
        mine.client = client;
        mine.socket.write(packet);
        if (sql !== undefined && BEGINS.test(sql)) inside = true;
        if (sql !== undefined && ENDS.test(sql)) {
          mine.answered = () => {
            inside = false;
            giveBack();
          };
        }
      }
      return true;
    });
    client.on('close', () => {
      inside = false;
      giveBack();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    sent,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
