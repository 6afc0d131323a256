/**
 * A TCP proxy in front of a server that sees whole messages and may put others in their place. It speaks the protocols of
 * PostgreSQL and of MySQL, without encryption.
 */
import { createServer, connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface MessageProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** What the proxy does to the messages that pass. */
export interface Passing {
  readonly fromClient?: (message: Buffer) => Buffer;
  readonly fromServer?: (message: Buffer) => Buffer;
}

/** How a protocol frames its messages, and which of a client's hold statements. */
export interface Wire {
  /** The length of the first message in the bytes, head included; undefined: its head is not here yet. `opening`: nothing came before it. */
  readonly lengthOf: (bytes: Buffer, from: 'client' | 'server', opening: boolean) => number | undefined;
  /** The text of a query. */
  readonly queryIn: (message: Buffer) => string | undefined;
  /** The text of a statement that the protocol prepares. */
  readonly preparedIn: (message: Buffer) => string | undefined;
  /** The choice of a database (MySQL). */
  readonly otherIn: (message: Buffer) => string | undefined;
}

export const POSTGRES_WIRE: Wire = {
  // The client's first message has no type byte.
  lengthOf: (bytes, from, opening) => {
    const head = from === 'client' && opening ? 0 : 1;
    return bytes.length < head + 4 ? undefined : head + bytes.readInt32BE(head);
  },
  queryIn: (message) => (message[0] === 0x51 ? message.toString('utf8', 5, message.length - 1) : undefined),
  // The statement's name, its text, the types of its parameters.
  preparedIn: (message) => (message[0] === 0x50 ? message.toString('utf8', 5).split('\0')[1] : undefined),
  otherIn: () => undefined,
};

/** Three bytes of length, the number of the packet, the content: of a command first its number (3: a query). */
export const MYSQL_WIRE: Wire = {
  lengthOf: (bytes) => (bytes.length < 4 ? undefined : 4 + bytes.readUIntLE(0, 3)),
  // Where the two sides know of query attributes, two bytes say that there are none.
  queryIn: (packet) =>
    packet[3] === 0 && packet[4] === 3 ? packet.toString('utf8', packet[5] === 0 && packet[6] === 1 ? 7 : 5) : undefined,
  preparedIn: (packet) => (packet[3] === 0 && packet[4] === 22 ? packet.toString('utf8', 5) : undefined),
  otherIn: (packet) => (packet[3] === 0 && packet[4] === 2 ? packet.toString('utf8', 5) : undefined),
};

export function wireOf(url: string): Wire {
  return url.startsWith('postgres') ? POSTGRES_WIRE : MYSQL_WIRE;
}

const AS_IT_IS = (message: Buffer): Buffer => message;

export async function startMessageProxy(target: string, { fromClient = AS_IT_IS, fromServer = AS_IT_IS }: Passing): Promise<MessageProxy> {
  const { hostname, port } = new URL(target);
  const wire = wireOf(target);
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const frames = new Frames(wire, 'client');
    const replies = new Frames(wire, 'server');
    sockets.add(client).add(upstream);
    client.on('data', (chunk) => upstream.write(Buffer.concat(frames.push(chunk).map(fromClient))));
    upstream.on('data', (chunk) => client.write(Buffer.concat(replies.push(chunk).map(fromServer))));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: withPort(target, (server.address() as AddressInfo).port),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function withPort(target: string, port: number): string {
  const url = new URL(target);
  url.port = String(port);
  return url.href;
}

/** Cuts a stream into whole protocol messages. */
export class Frames {
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

/** A packet of MySQL's protocol. */
export function packetOf(number: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(content.length, 0, 3);
  head[3] = number;
  return Buffer.concat([head, content]);
}
