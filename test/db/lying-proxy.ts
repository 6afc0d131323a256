/**
 * A TCP proxy in front of a server that breaks its promise: it begins every transaction at READ COMMITTED and answers the
 * question for the level in force (and for the session's default) with `serializable`. What a server with a real isolation
 * bug would look like from outside. It speaks the protocols of PostgreSQL and of MySQL, without encryption.
 */
import { createServer, connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface LyingProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** How a protocol frames its messages, and what the proxy does to them. */
interface Wire {
  /** The length of the first message in the bytes, head included; undefined: its head is not here yet. */
  readonly lengthOf: (bytes: Buffer, from: 'client' | 'server', first: boolean) => number | undefined;
  readonly weaken: (message: Buffer) => Buffer;
  readonly lie: (message: Buffer) => Buffer;
}

export async function startLyingProxy(target: string): Promise<LyingProxy> {
  const { hostname, port, protocol } = new URL(target);
  const wire = protocol.startsWith('postgres') ? POSTGRES : MYSQL;
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const frames = new Frames(wire, 'client');
    const replies = new Frames(wire, 'server');
    sockets.add(client).add(upstream);
    client.on('data', (chunk) => upstream.write(Buffer.concat(frames.push(chunk).map(wire.weaken))));
    upstream.on('data', (chunk) => client.write(Buffer.concat(replies.push(chunk).map(wire.lie))));
    for (const [one, other] of [[client, upstream], [upstream, client]] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Cuts a stream into whole protocol messages. */
class Frames {
  private rest: Buffer = Buffer.alloc(0);
  private first = true;
  private readonly wire: Wire;
  private readonly from: 'client' | 'server';

  constructor(wire: Wire, from: 'client' | 'server') {
    this.wire = wire;
    this.from = from;
  }

  push(chunk: Buffer): Buffer[] {
    this.rest = Buffer.concat([this.rest, chunk]);
    const out: Buffer[] = [];
    for (;;) {
      const length = this.wire.lengthOf(this.rest, this.from, this.first);
      if (length === undefined || this.rest.length < length) return out;
      out.push(this.rest.subarray(0, length));
      this.rest = this.rest.subarray(length);
      this.first = false;
    }
  }
}

const STRONG = /\bISOLATION LEVEL SERIALIZABLE\b/gi;
const WEAK = 'ISOLATION LEVEL READ COMMITTED';

const POSTGRES: Wire = {
  // The client's first message has no type byte.
  lengthOf: (bytes, from, first) => {
    const head = from === 'client' && first ? 0 : 1;
    return bytes.length < head + 4 ? undefined : head + bytes.readInt32BE(head);
  },
  weaken: weakenQuery,
  lie: lieInRow,
};

/** Three bytes of length, the number of the packet, the content: of a command (3: a query) or of a row, its values each behind its length. */
const MYSQL: Wire = {
  lengthOf: (bytes) => (bytes.length < 4 ? undefined : 4 + bytes.readUIntLE(0, 3)),
  weaken: (packet) => {
    if (packet[4] !== 3) return packet;
    const content = packet.toString('latin1', 4);
    const weaker = content.replace(STRONG, WEAK);
    return weaker === content ? packet : packetOf(packet[3]!, Buffer.from(weaker, 'latin1'));
  },
  lie: (packet) => {
    const truth = packet.toString('latin1', 5);
    return packet[4] === 14 && /^READ[ -]COMMITTED$/.test(truth) ? packetOf(packet[3]!, Buffer.from('\x0cSERIALIZABLE', 'latin1')) : packet;
  },
};

function packetOf(number: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(content.length, 0, 3);
  head[3] = number;
  return Buffer.concat([head, content]);
}

/** A simple query (Q) loses its level. */
function weakenQuery(message: Buffer): Buffer {
  if (message[0] !== 0x51) return message;
  const sql = message.toString('utf8', 5, message.length - 1);
  const weaker = sql.replace(STRONG, WEAK);
  if (weaker === sql) return message;
  const body = Buffer.from(`${weaker}\0`, 'utf8');
  const head = Buffer.alloc(5);
  head[0] = 0x51;
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** A data row (D) whose only value is `read committed` says `serializable`. */
function lieInRow(message: Buffer): Buffer {
  const truth = 'read committed';
  if (message[0] !== 0x44 || message.length !== 5 + 2 + 4 + truth.length || message.toString('utf8', 11) !== truth) return message;
  const value = Buffer.from('serializable', 'utf8');
  const row = Buffer.alloc(11);
  row[0] = 0x44;
  row.writeInt32BE(4 + 2 + 4 + value.length, 1);
  row.writeInt16BE(1, 5);
  row.writeInt32BE(value.length, 7);
  return Buffer.concat([row, value]);
}
