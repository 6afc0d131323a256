/**
 * A TCP proxy in front of a PostgreSQL that breaks its promise: it begins every transaction at READ COMMITTED and
 * answers SHOW transaction_isolation (and the session default) with `serializable`. What a server with a real isolation
 * bug would look like from outside.
 */
import { createServer, connect } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface LyingProxy {
  readonly url: string;
  close(): Promise<void>;
}

export async function startLyingProxy(target: string): Promise<LyingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const frames = new Frames(false);
    const replies = new Frames(true);
    sockets.add(client).add(upstream);
    client.on('data', (chunk) => upstream.write(Buffer.concat(frames.push(chunk).map(weaken))));
    upstream.on('data', (chunk) => client.write(Buffer.concat(replies.push(chunk).map(lie))));
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

/** Cuts a stream into whole protocol messages; the client's first one has no type byte. */
class Frames {
  private rest: Buffer = Buffer.alloc(0);
  private started: boolean;

  constructor(started: boolean) {
    this.started = started;
  }

  push(chunk: Buffer): Buffer[] {
    this.rest = Buffer.concat([this.rest, chunk]);
    const out: Buffer[] = [];
    for (;;) {
      const head = this.started ? 1 : 0;
      if (this.rest.length < head + 4) return out;
      const length = head + this.rest.readInt32BE(head);
      if (this.rest.length < length) return out;
      out.push(this.rest.subarray(0, length));
      this.rest = this.rest.subarray(length);
      this.started = true;
    }
  }
}

/** A simple query (Q) loses its level. */
function weaken(message: Buffer): Buffer {
  if (message[0] !== 0x51) return message;
  const sql = message.toString('utf8', 5, message.length - 1);
  const weaker = sql.replace(/\bISOLATION LEVEL SERIALIZABLE\b/gi, 'ISOLATION LEVEL READ COMMITTED');
  if (weaker === sql) return message;
  const body = Buffer.from(`${weaker}\0`, 'utf8');
  const head = Buffer.alloc(5);
  head[0] = 0x51;
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** A data row (D) whose only value is `read committed` says `serializable`. */
function lie(message: Buffer): Buffer {
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
