/**
 * Queries and their whole replies in the protocols of PostgreSQL and of MySQL, as a proxy needs them that asks on one
 * connection what it was asked on another and puts the replies together again.
 */
import type { Socket } from 'node:net';
import { createConnection } from 'mysql2';
import { Client } from 'pg';
import { Frames, MYSQL_WIRE, POSTGRES_WIRE, packetOf, wireOf } from './message-proxy.ts';
import type { Wire } from './message-proxy.ts';

export interface Repl {
  readonly wire: Wire;
  /** A query in the form of another one. */
  readonly query: (sql: string, like?: Buffer) => Buffer;
  /** The message ends what the server says when somebody logs in. */
  readonly endsLogin: (message: Buffer) => boolean;
  /** Takes the messages of a reply one by one; true: that was the last one. */
  readonly reply: () => (message: Buffer) => boolean;
  readonly failed: (reply: readonly Buffer[]) => boolean;
  /** What the reply says of the session's transaction. */
  readonly status: (reply: readonly Buffer[], before: number) => number;
  /** One reply to one message of several statements. */
  readonly merged: (replies: readonly (readonly Buffer[])[], status: number) => readonly Buffer[];
  /** Statements that end one snapshot and take another one. */
  readonly snapshot: readonly string[];
  readonly login: (url: string) => Promise<Socket>;
  readonly open: (url: string) => Promise<Dialogue>;
}

/** A connection to the server on which one query at a time is asked. Until it has logged in, and between queries, what comes is passed on. */
export class Dialogue {
  status = 0;
  loggedIn = false;
  private readonly socket: Socket;
  private readonly repl: Repl;
  /** The last question. Clients may share a session, and the next question waits for it. */
  private asked: Promise<unknown> = Promise.resolve();
  private reply: { readonly messages: Buffer[]; readonly isLast: (message: Buffer) => boolean; readonly done: () => void } | undefined;

  constructor(socket: Socket, repl: Repl, pass: (bytes: Buffer) => void = () => undefined, loggedIn: boolean = false) {
    this.socket = socket;
    this.repl = repl;
    this.loggedIn = loggedIn;
    const frames = new Frames(repl.wire, 'server');
    socket.on('data', (chunk: Buffer) => {
      for (const message of frames.push(chunk)) {
        if (this.reply === undefined) {
          if (!this.loggedIn && repl.endsLogin(message)) {
            this.loggedIn = true;
            this.status = repl.status([message], 0);
          }
          pass(message);
          continue;
        }
        this.reply.messages.push(message);
        if (this.reply.isLast(message)) this.reply.done();
      }
    });
  }

  pass(message: Buffer): void {
    this.socket.write(message);
  }

  ask(sql: string, like?: Buffer): Promise<readonly Buffer[]> {
    const answer = this.asked.then(() => this.answer(sql, like));
    this.asked = answer;
    return answer;
  }

  private async answer(sql: string, like?: Buffer): Promise<readonly Buffer[]> {
    const messages: Buffer[] = [];
    await new Promise<void>((done) => {
      this.reply = { messages, isLast: this.repl.reply(), done };
      this.socket.write(this.repl.query(sql, like));
    });
    this.reply = undefined;
    this.status = this.repl.status(messages, this.status);
    return messages;
  }

  end(): void {
    this.socket.destroy();
  }
}

export function dialectOf(url: string): Repl {
  return wireOf(url) === POSTGRES_WIRE ? POSTGRES : MYSQL;
}

const opening =
  (repl: () => Repl): Repl['open'] =>
  async (url) =>
    new Dialogue(await repl().login(url), repl(), undefined, true);

const READY = 0x5a;
const IDLE = 0x49;

const POSTGRES: Repl = {
  wire: POSTGRES_WIRE,
  query: (sql) => {
    const body = Buffer.from(`${sql}\0`, 'utf8');
    const head = Buffer.alloc(5);
    head[0] = 0x51;
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  },
  endsLogin: (message) => message[0] === READY,
  reply: () => (message) => message[0] === READY,
  failed: (reply) => reply.some((message) => message[0] === 0x45),
  status: (reply) => reply.at(-1)?.[5] ?? IDLE,
  merged: (replies, status) => [
    ...replies.flatMap((reply) => reply.filter((message) => message[0] !== READY)),
    Buffer.from([READY, 0, 0, 0, 5, status]),
  ],
  snapshot: ['ROLLBACK', 'BEGIN ISOLATION LEVEL REPEATABLE READ', 'SELECT 1'],
  login: async (url) => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return bare((client as unknown as { connection: { stream: Socket } }).connection.stream);
  },
  open: opening(() => POSTGRES),
};

const OK = 0;
const END = 0xfe;
const FAILED = 0xff;
const MORE = 8;
const INSIDE = 1;

const MYSQL: Repl = {
  wire: MYSQL_WIRE,
  // Where the two sides know of query attributes, two bytes say that there are none.
  query: (sql, like) => {
    const attributes = like === undefined || (like[5] === 0 && like[6] === 1) ? [0, 1] : [];
    return packetOf(0, Buffer.concat([Buffer.from([3, ...attributes]), Buffer.from(sql, 'utf8')]));
  },
  endsLogin: (packet) => packet[3]! >= 2 && packet[4] === OK,
  reply: () => {
    let ends = 0;
    let rows = false;
    return (packet) => {
      if (packet[4] === FAILED) return true;
      if (!rows && packet[4] === OK) return (statusOf(packet)! & MORE) === 0;
      if (!rows) {
        rows = true;
        ends = 0;
        return false;
      }
      if (!isEnd(packet) || ++ends < 2) return false;
      rows = false;
      return (statusOf(packet)! & MORE) === 0;
    };
  },
  failed: (reply) => reply.at(-1)?.[4] === FAILED,
  status: (reply, before) => statusOf(reply.at(-1)!) ?? before,
  merged: (replies, status) => {
    const packets = replies.flatMap((reply, r) =>
      reply.map((packet, p) => (p < reply.length - 1 || packet[4] === FAILED ? packet : ended(packet, r < replies.length - 1, status))),
    );
    return packets.map((packet, i) => packetOf(i + 1, packet.subarray(4)));
  },
  snapshot: ['ROLLBACK', 'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ', 'START TRANSACTION WITH CONSISTENT SNAPSHOT'],
  login: async (url) => {
    const { hostname, port, username, password } = new URL(url);
    const client = createConnection({
      host: hostname,
      port: Number(port),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      charset: 'utf8mb4',
      multipleStatements: true,
    });
    client.on('error', () => undefined);
    await new Promise<void>((resolve, reject) => client.connect((error) => (error ? reject(error) : resolve())));
    return bare((client as unknown as { stream: Socket }).stream);
  },
  open: opening(() => MYSQL),
};

/** An end of columns or of rows. */
function isEnd(packet: Buffer): boolean {
  return packet[4] === END && packet.length <= 9;
}

/** Of an OK behind its two counts, of an end behind its count of warnings. */
function statusAt(packet: Buffer): number | undefined {
  if (isEnd(packet)) return 7;
  if (packet[4] !== OK) return undefined;
  let at = 5;
  for (let i = 0; i < 2; i++) at += ({ 0xfc: 3, 0xfd: 4, 0xfe: 9 } as Readonly<Record<number, number>>)[packet[at]!] ?? 1;
  return at;
}

function statusOf(packet: Buffer): number | undefined {
  const at = statusAt(packet);
  return at === undefined ? undefined : packet.readUInt16LE(at);
}

/** The last packet of one reply, with whether others follow, and inside a transaction as its session is. */
function ended(packet: Buffer, more: boolean, session: number): Buffer {
  const at = statusAt(packet);
  if (at === undefined) return packet;
  const copy = Buffer.from(packet);
  copy.writeUInt16LE((packet.readUInt16LE(at) & ~(MORE | INSIDE)) | (more ? MORE : 0) | (session & INSIDE), at);
  return copy;
}

/** The driver that logged in hears no more of it. */
function bare(socket: Socket): Socket {
  socket.removeAllListeners('data');
  return socket;
}
