/**
 * A TCP proxy in front of a server that breaks one thing only, as an isolation bug does: a statement may be answered from
 * elsewhere than its transaction, or be followed by an end of the transaction that the client does not hear of. Which and
 * where is a row of FAULTS. It speaks the protocols of PostgreSQL and of MySQL, without encryption.
 */
import { createServer, connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Frames, wireOf } from './message-proxy.ts';
import type { AnomalyClass } from '../../core/level/index.ts';
import type { MessageProxy } from './message-proxy.ts';
import { Dialogue, dialectOf } from './proxy-dialogue.ts';
import type { Repl } from './proxy-dialogue.ts';

/** A statement on tables of ours, inside a transaction. */
export interface Site {
  readonly sql: string;
  /** Statements on our tables before it in its transaction. */
  readonly before: number;
  /** Some of these wrote. */
  readonly wrote: boolean;
  /** Transactions that began before it since the tables were last filled from outside. */
  readonly earlier: number;
}

/**
 * `beside`: in a session of its own, with no transaction around it. `past`: in the snapshot that was taken when the tables
 * were last filled. `then committed`: where it should be, but its transaction ends behind it and a new one begins.
 * `then ended`: the same, and none begins. `not committed`, `not rolled back`: the COMMIT or the ROLLBACK of its transaction is
 * answered and not done.
 */
export type Detour = 'beside' | 'past' | 'then committed' | 'then ended' | 'not committed' | 'not rolled back';

export interface Fault {
  readonly name: string;
  readonly detour: Detour;
  readonly at: (site: Site) => boolean;
  /** What it can cause. */
  readonly classes: readonly AnomalyClass[];
}

/** Nobody sees what is not committed, and writes have one order. */
export const OF_READS: readonly AnomalyClass[] = ['G-single-item', 'G-single', 'G-nonadjacent-item', 'G-nonadjacent', 'G2-item', 'G2'];
export const OF_DIRT: readonly AnomalyClass[] = ['G0', 'G1a', 'G1b', 'G1c'];

const isPlainRead = ({ sql }: Site): boolean =>
  /^(SELECT|WITH)\b/i.test(sql) && !/\bFOR (UPDATE|SHARE|NO KEY|KEY)\b|LOCK IN SHARE/i.test(sql);
const isWrite = ({ sql }: Site): boolean => /\b(UPDATE|INSERT|DELETE|REPLACE)\b/i.test(sql) && !/^(SELECT|WITH)\b/i.test(sql);

export const FAULTS: readonly Fault[] = [
  // What it looked at is remembered by nobody.
  { name: 'a predicate lock dropped', detour: 'beside', at: (site) => site.before === 0 && isPlainRead(site), classes: OF_READS },
  // With the locks everything that COMMIT ends: others may change the row, and see it.
  {
    name: 'a lock released early',
    detour: 'then committed',
    at: (site) => !site.wrote && isWrite(site),
    classes: [...OF_DIRT, ...OF_READS],
  },
  // The second transaction's alone: what reads the tables at the end sees them as they are.
  {
    name: 'a read from an old snapshot',
    detour: 'past',
    at: (site) => site.earlier === 1 && site.before === 0 && isPlainRead(site),
    classes: OF_READS,
  },
];

/** What the protocol itself contradicts; of the second transaction alone, as what fails even alone is not explored. */
export const STRAYS: readonly Fault[] = [
  { name: 'ended by a statement', detour: 'then ended', at: (site) => site.earlier === 1 && site.before === 0, classes: [] },
  { name: 'a COMMIT that is not done', detour: 'not committed', at: (site) => site.earlier === 1, classes: [] },
];

/** The ROLLBACK of every transaction that wrote on our tables. */
export const SWALLOWED_ROLLBACK: Fault = { name: 'a ROLLBACK that is not done', detour: 'not rolled back', at: isWrite, classes: [] };

/** Our tables are named with their schema. */
const OURS = /["`]anomalist_/;
const BEGINS = /^(BEGIN|START TRANSACTION); ([\s\S]*)$/;
const OPENS = /^BEGIN\b|\bSTART TRANSACTION\b/;
const ENDS = /\b(COMMIT|ROLLBACK)$/;
/** The end that is answered and not done. */
const SWALLOWED: Readonly<Partial<Record<Detour, RegExp>>> = { 'not committed': /\bCOMMIT$/, 'not rolled back': /\bROLLBACK$/ };
const FILLS = /\b(INSERT|DELETE|CREATE)\b/i;
const DROPS = /^(DROP|CREATE)\b/i;

const BEHIND: Readonly<Partial<Record<Detour, string>>> = { 'then committed': 'COMMIT AND CHAIN', 'then ended': 'COMMIT' };

/** How often the fault occurred. */
export interface FaultyProxy extends MessageProxy {
  readonly occurred: () => number;
}

export async function startFaultyProxy(target: string, fault: Fault): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const dialect = dialectOf(target);
  const sockets = new Set<Socket>();
  const past = new Past(await dialect.open(target), dialect);
  let occurred = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    sockets.add(client).add(upstream);
    const own = new Dialogue(upstream, dialect, (bytes) => client.write(bytes));
    const session = new ClientSession(own, { dialect, fault, past, open: () => dialect.open(target), hit: () => occurred++ });
    const frames = new Frames(wireOf(target), 'client');
    client.on('data', (chunk) => {
      for (const message of frames.push(chunk)) session.take(message, client);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
        session.end();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    occurred: () => occurred,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      past.end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface Around {
  readonly dialect: Repl;
  readonly fault: Fault;
  readonly past: Past;
  readonly open: () => Promise<Dialogue>;
  readonly hit: () => void;
}

/** One client: its queries one after the other, everything else as it comes. */
class ClientSession {
  private readonly own: Dialogue;
  private readonly around: Around;
  private beside: Promise<Dialogue> | undefined;
  private work: Promise<void> = Promise.resolve();
  /** Of the open transaction. */
  private txn: { before: number; wrote: boolean; earlier: number } | undefined;
  /** The end to come is not done. */
  private swallows = false;

  constructor(own: Dialogue, around: Around) {
    this.own = own;
    this.around = around;
  }

  take(message: Buffer, client: Socket): void {
    const sql = this.own.loggedIn ? this.around.dialect.wire.queryIn(message) : undefined;
    if (sql === undefined) this.own.pass(message);
    else
      this.work = this.work
        .then(async () => void client.write(Buffer.concat(await this.answer(sql, message))))
        .catch(() => void client.destroy());
  }

  end(): void {
    void this.beside?.then((dialogue) => dialogue.end());
    this.beside = undefined;
  }

  private async answer(sql: string, message: Buffer): Promise<readonly Buffer[]> {
    const { dialect, past } = this.around;
    const begins = BEGINS.exec(sql);
    const inside = begins?.[2] ?? (this.txn === undefined ? undefined : sql);
    if (begins !== null && !ENDS.test(sql)) this.txn = undefined;
    if (inside !== undefined && OURS.test(inside) && !ENDS.test(sql)) return this.statement(begins?.[1], inside, message);
    const end = SWALLOWED[this.around.fault.detour];
    if (end?.test(sql) && this.swallows) {
      const swallowed = await this.swallowed(sql.replace(end, 'SAVEPOINT swallowed'), message);
      if (swallowed !== undefined) return swallowed;
    }
    if (ENDS.test(sql)) this.txn = undefined;
    else if (OPENS.test(sql)) this.txn = { before: 0, wrote: false, earlier: -1 };
    const outside = this.txn === undefined && OURS.test(sql);
    if (outside && DROPS.test(sql)) await past.forget();
    const reply = await this.own.ask(sql, message);
    if (outside && FILLS.test(sql)) await past.renew();
    return dialect.merged([reply], this.own.status);
  }

  /** The reply is that of a statement which leaves the session where it is. Undefined: the server takes none in a failed transaction. */
  private async swallowed(sql: string, message: Buffer): Promise<readonly Buffer[] | undefined> {
    const { dialect, hit } = this.around;
    this.swallows = false;
    const reply = await this.own.ask(sql, message);
    if (dialect.failed(reply)) return undefined;
    hit();
    return dialect.merged([reply], this.own.status);
  }

  private async statement(begin: string | undefined, sql: string, message: Buffer): Promise<readonly Buffer[]> {
    const { dialect, fault, past } = this.around;
    const txn = (this.txn ??= { before: 0, wrote: false, earlier: -1 });
    if (txn.earlier === -1) txn.earlier = past.begun++;
    const site: Site = { sql, ...txn };
    const hit = fault.at(site);
    if (fault.detour in SWALLOWED) this.swallows = hit;
    else if (hit) this.around.hit();
    txn.before++;
    txn.wrote ||= isWrite(site);
    const parts = begin === undefined ? [] : [await this.own.ask(begin, message)];
    const inPlace = fault.detour !== 'past' && fault.detour !== 'beside';
    if (!hit || inPlace) parts.push(await this.own.ask(sql, message));
    else parts.push(await (fault.detour === 'past' ? past.dialogue : await (this.beside ??= this.around.open())).ask(sql, message));
    const ends = BEHIND[fault.detour];
    if (hit && ends !== undefined && !dialect.failed(parts.at(-1)!)) await this.own.ask(ends, message);
    return dialect.merged(parts, this.own.status);
  }
}

/** A session that keeps the snapshot of the tables as they were last filled. */
class Past {
  readonly dialogue: Dialogue;
  /** Transactions since. */
  begun = 0;
  private readonly dialect: Repl;

  constructor(dialogue: Dialogue, dialect: Repl) {
    this.dialogue = dialogue;
    this.dialect = dialect;
  }

  async renew(): Promise<void> {
    for (const sql of this.dialect.snapshot) await this.dialogue.ask(sql);
    this.begun = 0;
  }

  /** It holds no table when that is dropped. */
  async forget(): Promise<void> {
    await this.dialogue.ask('ROLLBACK');
  }

  end(): void {
    this.dialogue.end();
  }
}
