/**
 * Runs the steps of a few sessions in a chosen global order, one at a time. A step is sent; the next one follows when it
 * has replied or is known to wait for a lock. Sessions that wait are passed over. When a step may have released others
 * (it ended a transaction, failed, or rolled back to a savepoint), each of them first replies or is seen waiting again,
 * so that the same order gives the same run. What the order leaves over is run to the end, session by session.
 *
 * The server is asked only after a few milliseconds without a reply, and must say so twice, since between two locks a
 * backend looks as if it waited for none. Where it tells whom each waits for, a cycle is a deadlock about to be
 * resolved, and its error is awaited.
 */
import type { BlockedWatcher } from '../../core/index.ts';
import { bounded, within } from './bounded.ts';
import type { Session } from './session.ts';

/** Unblocked statements reply within this; nobody is asked before. */
const QUICK_MS = 5;
const POLL_MS = 2;
/** A watcher that takes longer is not waited for. */
const ANSWER_MS = 2_000;
/** Polls that must agree. */
const CONFIRMED = 2;

export interface ScheduleOptions {
  /** By endpoint. */
  readonly watchers: readonly BlockedWatcher[];
  /** A session that neither replies nor is reported waiting for this long is taken for waiting. */
  readonly silentMs: number;
  readonly stopped: () => boolean;
}

/** A session and its step in flight. */
interface Seat {
  readonly session: Session;
  pending: Promise<void> | undefined;
  since: number;
  /** Polls in a row that reported it waiting. */
  polls: number;
  blocked: boolean;
  /** In a cycle of waits: the server is about to end one of them. */
  deadlocked: boolean;
}

export async function runSchedule(sessions: readonly Session[], order: readonly number[], options: ScheduleOptions): Promise<void> {
  const table = new Table(sessions, options);
  try {
    await play(table, sessions, order, options);
    await table.leave(options.stopped());
  } catch (error) {
    await table.abandon();
    throw error;
  }
}

async function play(table: Table, sessions: readonly Session[], order: readonly number[], options: ScheduleOptions): Promise<void> {
  const entries = new Int32Array(sessions.length);
  for (const s of order) if (s < entries.length) entries[s]!++;
  // More entries than steps: those at the end are the idle ones, unless a transaction ends early.
  const surplus = sessions.map((session, s) => Math.max(0, entries[s]! - session.stepsLeft()));
  for (const s of order) {
    if (options.stopped()) break;
    const seat = table.seats[s];
    if (seat === undefined) continue;
    // A transaction that ended early leaves entries unused: skip those, so that later transactions keep their places.
    const ahead = entries[s]!-- - surplus[s]!;
    if (seat.pending || seat.session.done || ahead > seat.session.stepsLeft()) continue;
    await table.turn(seat);
  }
  while (!options.stopped()) {
    const seat = table.seats.find((candidate) => !candidate.pending && !candidate.session.done);
    if (seat) await table.turn(seat);
    else if (table.waiting().length > 0) await table.anyReply();
    else break;
  }
}

class Table {
  readonly seats: readonly Seat[];
  private readonly options: ScheduleOptions;
  private failure: { readonly error: unknown } | undefined;

  constructor(sessions: readonly Session[], options: ScheduleOptions) {
    this.seats = sessions.map((session) => ({ session, pending: undefined, since: 0, polls: 0, blocked: false, deadlocked: false }));
    this.options = options;
  }

  waiting(): readonly Seat[] {
    return this.seats.filter((seat) => seat.pending !== undefined);
  }

  /** Sends the session's next step and waits until every session has replied or waits for a lock. */
  async turn(seat: Seat): Promise<void> {
    seat.since = performance.now();
    seat.pending = seat.session.step().then(
      () => this.replied(seat),
      (error: unknown) => {
        this.failure ??= { error };
        this.replied(seat);
      },
    );
    await within(seat.pending, QUICK_MS);
    await this.settle();
  }

  async anyReply(): Promise<void> {
    await firstReply(this.waiting());
    await this.settle();
  }

  /** Waits for the steps in flight; `early`: rolls open transactions back, so that those who wait for them can reply. */
  async leave(early: boolean): Promise<void> {
    await Promise.all(
      this.seats.map(async (seat) => {
        await seat.pending;
        if (early) await seat.session.giveUp();
      }),
    );
    this.rethrow();
  }

  /** Drops every session and waits until none has anything more to say. */
  async abandon(): Promise<void> {
    for (const { session } of this.seats) {
      session.stop();
      session.drop();
    }
    await Promise.all(this.seats.map(async (seat) => seat.pending));
  }

  private replied(seat: Seat): void {
    seat.pending = undefined;
    seat.blocked = false;
    if (!seat.session.released) return;
    for (const other of this.seats) {
      other.blocked = false;
      other.polls = 0;
    }
  }

  private async settle(): Promise<void> {
    for (;;) {
      this.rethrow();
      const undecided = this.waiting().filter((seat) => !seat.blocked);
      if (undecided.length === 0) return;
      await this.poll(undecided);
      const still = this.waiting().filter((seat) => !seat.blocked);
      if (still.length > 0) await within(firstReply(still), still.every((seat) => seat.deadlocked) ? 10 * POLL_MS : POLL_MS);
    }
  }

  private async poll(undecided: readonly Seat[]): Promise<void> {
    const waits = await waitsOf(this.waiting(), this.options.watchers);
    const now = performance.now();
    for (const seat of undecided) {
      const reported = waits.has(seat.session.backend);
      seat.polls = reported ? seat.polls + 1 : 0;
      seat.deadlocked = reported && inCycle(seat.session.backend, waits);
      seat.blocked =
        seat.pending !== undefined && ((seat.polls >= CONFIRMED && !seat.deadlocked) || now - seat.since > this.options.silentMs);
      if (seat.blocked || (seat.pending !== undefined && seat.polls >= CONFIRMED)) seat.session.waited = true;
    }
  }

  private rethrow(): void {
    if (this.failure) throw this.failure.error;
  }
}

/** Who waits now and, where the server tells, for whom. A watcher that fails reports nobody. */
async function waitsOf(seats: readonly Seat[], watchers: readonly BlockedWatcher[]): Promise<Map<string, readonly string[]>> {
  const all = new Map<string, readonly string[]>();
  for (const [endpoint, watcher] of watchers.entries()) {
    const backends = seats.filter((seat) => seat.session.setup.endpoint === endpoint).map((seat) => seat.session.backend);
    if (backends.length === 0) continue;
    try {
      if (watcher.waits) for (const [backend, others] of await bounded(watcher.waits(backends), ANSWER_MS)) all.set(backend, others);
      else for (const backend of await bounded(watcher.blocked(backends), ANSWER_MS)) all.set(backend, []);
    } catch {
      continue; // The sessions notice a lost or silent server themselves.
    }
  }
  return all;
}

function inCycle(backend: string, waits: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>();
  const open = [...(waits.get(backend) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === backend) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(waits.get(next) ?? []));
  }
  return false;
}

function firstReply(seats: readonly Seat[]): Promise<void> {
  return Promise.race(seats.flatMap(({ pending }) => (pending ? [pending] : [])));
}
