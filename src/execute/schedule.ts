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
interface InFlight {
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
  const interleaver = new Interleaver(sessions, options);
  try {
    await play(interleaver, sessions, order, options);
    await interleaver.leave(options.stopped());
  } catch (error) {
    await interleaver.abandon();
    throw error;
  }
}

async function play(
  interleaver: Interleaver,
  sessions: readonly Session[],
  order: readonly number[],
  options: ScheduleOptions,
): Promise<void> {
  const entries = new Int32Array(sessions.length);
  for (const s of order) if (s < entries.length) entries[s]!++;
  // More entries than steps: those at the end are the idle ones, unless a transaction ends early.
  const surplus = sessions.map((session, s) => Math.max(0, entries[s]! - session.stepsLeft()));
  for (const s of order) {
    if (options.stopped()) break;
    const one = interleaver.inFlight[s];
    if (one === undefined) continue;
    // A transaction that ended early leaves entries unused: skip those, so that later transactions keep their places.
    const ahead = entries[s]!-- - surplus[s]!;
    if (one.pending || one.session.done || ahead > one.session.stepsLeft()) continue;
    await interleaver.turn(one);
  }
  while (!options.stopped()) {
    const one = interleaver.inFlight.find((candidate) => !candidate.pending && !candidate.session.done);
    if (one) await interleaver.turn(one);
    else if (interleaver.waiting().length > 0) await interleaver.anyReply();
    else break;
  }
}

class Interleaver {
  readonly inFlight: readonly InFlight[];
  private readonly options: ScheduleOptions;
  private failure: { readonly error: unknown } | undefined;

  constructor(sessions: readonly Session[], options: ScheduleOptions) {
    this.inFlight = sessions.map((session) => ({ session, pending: undefined, since: 0, polls: 0, blocked: false, deadlocked: false }));
    this.options = options;
  }

  waiting(): readonly InFlight[] {
    return this.inFlight.filter((one) => one.pending !== undefined);
  }

  /** Sends the session's next step and waits until every session has replied or waits for a lock. */
  async turn(one: InFlight): Promise<void> {
    one.since = performance.now();
    one.pending = one.session.step().then(
      () => this.replied(one),
      (error: unknown) => {
        this.failure ??= { error };
        this.replied(one);
      },
    );
    await within(one.pending, QUICK_MS);
    await this.settle();
  }

  async anyReply(): Promise<void> {
    await firstReply(this.waiting());
    await this.settle();
  }

  /** Waits for the steps in flight; `early`: rolls open transactions back, so that those who wait for them can reply. */
  async leave(early: boolean): Promise<void> {
    await Promise.all(
      this.inFlight.map(async (one) => {
        await one.pending;
        if (early) await one.session.giveUp();
      }),
    );
    this.rethrow();
  }

  /** Drops every session and waits until none has anything more to say. */
  async abandon(): Promise<void> {
    for (const { session } of this.inFlight) {
      session.stop();
      session.drop();
    }
    await Promise.all(this.inFlight.map(async (one) => one.pending));
  }

  private replied(one: InFlight): void {
    one.pending = undefined;
    one.blocked = false;
    if (!one.session.released) return;
    for (const other of this.inFlight) {
      other.blocked = false;
      other.polls = 0;
    }
  }

  private async settle(): Promise<void> {
    for (;;) {
      this.rethrow();
      const undecided = this.waiting().filter((one) => !one.blocked);
      if (undecided.length === 0) return;
      const freshIn = Math.max(...this.options.watchers.map((watcher) => watcher.freshIn?.() ?? 0));
      if (freshIn > 0) await within(firstReply(undecided), freshIn);
      if (undecided.some(({ pending }) => pending === undefined)) continue;
      await this.poll(undecided);
      const still = this.waiting().filter((one) => !one.blocked);
      if (still.length > 0) await within(firstReply(still), still.every((one) => one.deadlocked) ? 10 * POLL_MS : POLL_MS);
    }
  }

  private async poll(undecided: readonly InFlight[]): Promise<void> {
    const waits = await waitsOf(this.waiting(), this.options.watchers);
    const now = performance.now();
    for (const one of undecided) {
      const reported = waits.has(one.session.backend);
      one.polls = reported ? one.polls + 1 : 0;
      one.deadlocked = reported && inCycle(one.session.backend, waits);
      one.blocked = one.pending !== undefined && ((one.polls >= CONFIRMED && !one.deadlocked) || now - one.since > this.options.silentMs);
      if (one.blocked || (one.pending !== undefined && one.polls >= CONFIRMED)) one.session.waits();
    }
  }

  private rethrow(): void {
    if (this.failure) throw this.failure.error;
  }
}

/** Who waits now and, where the server tells, for whom. A watcher that fails reports nobody. */
async function waitsOf(inFlight: readonly InFlight[], watchers: readonly BlockedWatcher[]): Promise<Map<string, readonly string[]>> {
  const all = new Map<string, readonly string[]>();
  for (const [endpoint, watcher] of watchers.entries()) {
    const backends = inFlight.filter((one) => one.session.setup.endpoint === endpoint).map((one) => one.session.backend);
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

function firstReply(inFlight: readonly InFlight[]): Promise<void> {
  return Promise.race(inFlight.flatMap(({ pending }) => (pending ? [pending] : [])));
}
