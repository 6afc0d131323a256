/**
 * The sessions of an arena and their statements in flight. A step is over when each statement in flight has a reply or is
 * known to wait: the reply is awaited for a moment, then the server is asked. Its word is taken if it was asked after the
 * last reply that may have let others go on, and if a chain of waits ends at a session of ours that is idle, so that nothing
 * changes until somebody steps. A circle of waits is a deadlock about to be resolved, whose error is awaited.
 */
import type { BlockedWatcher, Connection } from '../../core/index.ts';
import { DatabaseError } from '../../core/index.ts';
import type { Replied, Reply } from './arena.ts';

/** Most steps reply within it; who does not is asked about. */
const QUICK_MS = 1;
/** Between two questions. */
const POLL_MS = 1;
/** Waiting for nobody whom the server names: taken for waiting if said so often in a row. */
const OFTEN = 2;
/** Who waits may be seen before it is seen for whom (MariaDB). */
const NAMED = 5;
/** Longer than the server's own limit for a statement. */
const SILENT_MS = 30_000;

interface Lane {
  readonly connection: Connection;
  pending: Promise<void> | undefined;
  /** Known to wait since the last release. */
  waits: boolean;
  /** Backends that the server named when it was last said to wait. */
  others: readonly string[];
  /** Times in a row that it was said to wait for nobody in particular. */
  unnamed: number;
  open: boolean;
}

export class Lanes {
  private readonly lanes: Lane[] = [];
  private watcher: BlockedWatcher;
  private replies: Replied[] = [];
  /** Grows with each reply that may have let others go on. */
  private releases = 0;
  private failure: { readonly error: unknown } | undefined;
  private wake: () => void = () => undefined;
  private readonly locksOutside: boolean;

  /** `locksOutside`: sessions may hold locks outside their transactions, so that nobody is known to be alone. */
  constructor(watcher: BlockedWatcher, { locksOutside = false }: { readonly locksOutside?: boolean } = {}) {
    this.watcher = watcher;
    this.locksOutside = locksOutside;
  }

  get count(): number {
    return this.lanes.length;
  }

  /** Asks this watcher from now on. No statement may be in flight. */
  watchBy(watcher: BlockedWatcher): void {
    this.watcher = watcher;
  }

  add(connection: Connection): void {
    this.lanes.push({ connection, pending: undefined, waits: false, others: [], unnamed: 0, open: false });
  }

  /** Of all sessions, none of which has a statement in flight. */
  async each(work: (connection: Connection) => Promise<unknown>): Promise<void> {
    await Promise.all(this.lanes.map(({ connection }) => work(connection)));
  }

  async send(session: number, work: (connection: Connection) => Promise<Reply>): Promise<readonly Replied[]> {
    const lane = this.lanes[session]!;
    const alone = !this.locksOutside && this.lanes.every((other) => other === lane || !other.open);
    lane.open = true;
    lane.pending = this.run(lane, session, work);
    if (alone) await lane.pending;
    return this.settled();
  }

  /** Beside those of others, whoever waits for whom: its own reply alone is awaited. */
  async race(session: number, work: (connection: Connection) => Promise<Reply>): Promise<Reply> {
    const lane = this.lanes[session]!;
    lane.open = true;
    const reply = await work(lane.connection);
    if (reply.ended !== undefined) lane.open = false;
    return reply;
  }

  async anyReply(): Promise<readonly Replied[]> {
    if (this.replies.length === 0) await this.next(SILENT_MS);
    if (this.replies.length === 0 && this.failure === undefined)
      throw new DatabaseError(
        `every session waits, and none was given a reply within ${SILENT_MS / 1000} s; expected the server to end one of them`,
      );
    return this.settled();
  }

  /** Replies that nobody's step brought: a statement that waited too long, for one. */
  taken(): readonly Replied[] {
    return this.replies.splice(0);
  }

  /** Those that are known to wait, each with the sessions that the server names. */
  waiting(): ReadonlyMap<number, readonly number[]> {
    return new Map(this.lanes.flatMap(({ waits, others }, session) => (waits ? [[session, this.sessionsOf(others)] as const] : [])));
  }

  /** Asks again, a few times, whom those wait for of whom the server has not said it yet. */
  async nameOthers(): Promise<void> {
    for (let tries = 0; tries < NAMED; tries++) {
      const unnamed = this.lanes.filter(({ pending, waits, others }) => pending !== undefined && waits && others.length === 0);
      if (unnamed.length === 0) return;
      const named = await waitsOf(
        this.watcher,
        unnamed.map(({ connection }) => connection.backend),
      );
      for (const lane of unnamed) lane.others = named.get(lane.connection.backend) ?? [];
    }
  }

  /** Idle sessions first: those that wait for them reply then. */
  async abandon(): Promise<void> {
    const left = new Set(this.lanes.filter(({ open }) => open));
    while (left.size > 0) {
      const idle = [...left].find(({ pending }) => pending === undefined);
      if (idle === undefined) await this.next(SILENT_MS);
      else {
        left.delete(idle);
        if (idle.open) await idle.connection.rollback();
        idle.open = false;
      }
    }
    this.replies = [];
    this.rethrow();
  }

  async end(): Promise<void> {
    const lanes = this.lanes.splice(0);
    for (const { pending, connection } of lanes) if (pending !== undefined) connection.destroy();
    await Promise.all(lanes.map(async ({ pending, connection }) => (await pending, connection.end())));
  }

  private async run(lane: Lane, session: number, work: (connection: Connection) => Promise<Reply>): Promise<void> {
    try {
      const reply = await work(lane.connection);
      this.replies.push({ session, reply });
      if (reply.ended !== undefined) lane.open = false;
      if (reply.ended !== undefined || reply.error !== undefined) this.released();
    } catch (error) {
      this.failure ??= { error };
    } finally {
      lane.pending = undefined;
      lane.waits = false;
      this.wake();
    }
  }

  private released(): void {
    this.releases++;
    for (const lane of this.lanes) {
      lane.waits = false;
      lane.unnamed = 0;
    }
  }

  private async settled(): Promise<readonly Replied[]> {
    for (let wait = QUICK_MS; this.undecided().length > 0; wait = POLL_MS) {
      const replies = this.replies.length;
      await this.next(wait);
      this.rethrow();
      if (this.replies.length === replies && this.undecided().length > 0) await this.ask();
    }
    this.rethrow();
    const replies = this.replies;
    this.replies = [];
    return replies;
  }

  private undecided(): readonly Lane[] {
    return this.lanes.filter(({ pending, waits }) => pending !== undefined && !waits);
  }

  private async ask(): Promise<void> {
    const asked = this.releases;
    const inFlight = this.lanes.filter(({ pending }) => pending !== undefined);
    const waits = await waitsOf(
      this.watcher,
      inFlight.map(({ connection }) => connection.backend),
    );
    if (this.releases !== asked) return;
    for (let changed = true; changed;) {
      changed = false;
      for (const lane of this.undecided()) {
        const others = waits.get(lane.connection.backend);
        if (others === undefined || !this.lasts(others, lane)) continue;
        lane.waits = changed = true;
        lane.others = others;
      }
    }
  }

  /** It waits for a session of ours that is idle or known to wait itself; for nobody that is named: if that was said often. */
  private lasts(others: readonly string[], lane: Lane): boolean {
    if (others.length === 0) return ++lane.unnamed >= OFTEN;
    return this.lanes.some(({ connection, pending, waits }) => others.includes(connection.backend) && (pending === undefined || waits));
  }

  private sessionsOf(backends: readonly string[]): readonly number[] {
    return this.lanes.flatMap(({ connection }, session) => (backends.includes(connection.backend) ? [session] : []));
  }

  /** Until a reply comes, or the time is over. */
  private next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private rethrow(): void {
    if (this.failure !== undefined) throw this.failure.error;
  }
}

async function waitsOf(watcher: BlockedWatcher, backends: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  if (watcher.waits !== undefined) return watcher.waits(backends);
  return new Map([...(await watcher.blocked(backends))].map((backend) => [backend, []]));
}
