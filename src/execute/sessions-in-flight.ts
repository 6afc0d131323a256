/**
 * The sessions of a driver and their steps in flight. A step is over when every step in flight has a reply or is known to
 * wait. The reply is awaited for a moment (ask-delay.ts), then the server is asked which sessions wait.
 *
 * The answer counts under two conditions. No reply since the question may have let other sessions go on, and the chain of
 * waits must end at one of our idle sessions. Then nothing changes until a driver steps. A circle of waits is a deadlock
 * that the server is about to resolve, so its error is awaited.
 *
 * Every driver that chooses the next session sends through it: schedules, orders of programs, and sessions stepped by
 * hand.
 */
import type { BlockedWatcher } from '../../core/dialect/index.ts';
import { DatabaseError } from '../../core/base/index.ts';
import { AskDelay } from './ask-delay.ts';
import type { Expected } from './ask-delay.ts';
import { bounded } from './bounded.ts';

/** Time until the question that must confirm a report. */
const POLL_MS = 1;
/** Time between two questions about a circle of waits. */
const DEADLOCK_POLL_MS = 10;
/** A session that the server reports so many times in a row counts as waiting, even if the server does not name the holder. */
const OFTEN = 2;
/** Number of questions for a holder: MariaDB may report a wait before it names the holder. */
const NAMED = 5;
/** The limit is longer than the server's own for a statement. */
const SILENT_MS = 30_000;
/** Limit for a watcher's answer, where silence decides too. */
const ANSWER_MS = 2_000;

/** A session of a server, as its driver knows it. Its backend changes when it reconnects. */
export interface Member {
  readonly backend: string;
  /** Endpoint of the session, since watchers know the backends of one endpoint only. Default: 0. */
  readonly endpoint?: number;
  /** Number of statements sent. A step may send several, and the server's answer is about the one that was in flight. */
  readonly statementsSent?: number;
  end(by: 'rollback'): Promise<unknown>;
  /** Drops the socket, so that a step in flight fails. */
  drop(): void;
  close(): Promise<void>;
}

/** The reply of a step, and its effect on the other sessions. */
export interface Stepped<R> {
  readonly reply: R;
  /** Other sessions may go on now: the step ended a transaction, failed, or released locks. */
  readonly releases: boolean;
  /** The session is inside a transaction after the step. */
  readonly open: boolean;
}

export interface Replied<R> {
  readonly session: number;
  readonly reply: R;
}

export interface InFlightOptions {
  /** The watcher of each endpoint. */
  readonly watchers: readonly BlockedWatcher[];
  /**
   * A step without a reply for this long counts as waiting, and a watcher that fails reports no waits. Absent: a watcher
   * that fails is an error.
   */
  readonly silentMs?: number;
  /** Sessions may hold locks outside their transactions, so that no session is known to run alone. */
  readonly locksOutside?: boolean;
  /** Called when a step in flight is seen to wait, possibly more than once for one step. */
  readonly waits?: (session: number) => void;
}

interface State<S> {
  readonly member: S;
  pending: Promise<void> | undefined;
  since: number;
  /** The server reported the step in flight as waiting at least once. */
  hasWaited: boolean;
  /** The session is known to wait since the last release. */
  waits: boolean;
  /** The backends that the server named when it last reported the wait. */
  others: readonly string[];
  /** Number of questions in a row whose answer reported it waiting. */
  reported: number;
  open: boolean;
}

export class SessionsInFlight<S extends Member, R> {
  private readonly states: State<S>[] = [];
  private options: InFlightOptions;
  private replies: Replied<R>[] = [];
  /** Number of replies that may have let other sessions go on. */
  private releases = 0;
  private failure: { readonly error: unknown } | undefined;
  private wake: () => void = () => undefined;
  private readonly delay = new AskDelay();
  /** The last step was over with the answer to a question. */
  private answered = false;

  constructor(options: InFlightOptions) {
    this.options = options;
  }

  get count(): number {
    return this.states.length;
  }

  /** The server's names of the sessions. */
  get backends(): readonly string[] {
    return this.states.map(({ member }) => member.backend);
  }

  /** Asks this watcher from now on. No step may be in flight. */
  watchBy(watcher: BlockedWatcher): void {
    this.options = { ...this.options, watchers: [watcher] };
  }

  add(member: S): void {
    this.states.push({ member, pending: undefined, since: 0, hasWaited: false, waits: false, others: [], reported: 0, open: false });
  }

  /** Works on every session. No step may be in flight. */
  async each(work: (member: S) => Promise<unknown>): Promise<void> {
    await Promise.all(this.states.map(({ member }) => work(member)));
  }

  /** How the last step was over: by replies alone, or by the server's word that a session waits. */
  get overBy(): Expected {
    return this.answered ? 'wait' : 'reply';
  }

  isInFlight(session: number): boolean {
    return this.states[session]?.pending !== undefined;
  }

  /** Resolves when the session's step in flight, if there is one, has its reply. */
  async atRest(session: number): Promise<void> {
    await this.states[session]?.pending;
  }

  /** `expected` decides only when the server is asked. */
  async send(session: number, work: (member: S) => Promise<Stepped<R>>, expected?: Expected): Promise<readonly Replied<R>[]> {
    const state = this.states[session]!;
    const alone = this.options.locksOutside !== true && this.states.every((other) => other === state || !other.open);
    state.open = true;
    state.since = performance.now();
    state.hasWaited = false;
    state.reported = 0;
    state.pending = this.run(state, session, work);
    if (alone) await state.pending;
    return this.settled(expected);
  }

  /** Sends a step beside those of other sessions, without asking who waits. Resolves with its own reply. */
  async race(session: number, work: (member: S) => Promise<Stepped<R>>): Promise<R> {
    const state = this.states[session]!;
    state.open = true;
    const { reply, open } = await work(state.member);
    state.open = open;
    return reply;
  }

  /** Waits for a reply when no session can step. `silentMs` absent: throws a DatabaseError after 30 s without one. */
  async anyReply(): Promise<readonly Replied<R>[]> {
    const limit = this.options.silentMs === undefined ? SILENT_MS : undefined;
    if (this.replies.length === 0 && this.failure === undefined) await this.next(limit);
    if (this.replies.length === 0 && this.failure === undefined)
      throw new DatabaseError(
        `every session waits, and none was given a reply within ${SILENT_MS / 1000} s; expected the server to end one of them`,
      );
    return this.settled();
  }

  /** Takes replies that no step waited for, such as that of a statement that waited long. */
  taken(): readonly Replied<R>[] {
    return this.replies.splice(0);
  }

  /** Returns the sessions that are known to wait, each with the sessions that the server names. */
  waiting(): ReadonlyMap<number, readonly number[]> {
    return new Map(this.states.flatMap((state, session) => (state.waits ? [[session, this.sessionsOf(state)] as const] : [])));
  }

  /** Asks a few more times for the holders of waits that the server has not explained yet. */
  async nameOthers(): Promise<void> {
    for (let tries = 0; tries < NAMED; tries++) {
      const unnamed = this.states.filter(({ pending, waits, others }) => pending !== undefined && waits && others.length === 0);
      if (unnamed.length === 0) return;
      const named = await this.waitsOf(unnamed);
      for (const state of unnamed) state.others = named.get(state) ?? [];
    }
  }

  /** Rolls back every open transaction. Idle sessions come first, since sessions that wait for them reply then. */
  async abandon(): Promise<void> {
    const left = new Set(this.states.filter(({ open }) => open));
    while (left.size > 0) {
      const idle = [...left].find(({ pending }) => pending === undefined);
      if (idle === undefined) await this.next(SILENT_MS);
      else {
        left.delete(idle);
        if (idle.open) await idle.member.end('rollback');
        idle.open = false;
      }
    }
    this.replies = [];
    this.rethrow();
  }

  /** Closes every session, and drops those with a step in flight. */
  async end(): Promise<void> {
    const states = this.states.splice(0);
    for (const { pending, member } of states) if (pending !== undefined) member.drop();
    await Promise.all(states.map(async ({ pending, member }) => (await pending, member.close())));
  }

  /** Throws the error of a step that was rejected. */
  rethrow(): void {
    if (this.failure !== undefined) throw this.failure.error;
  }

  private async run(state: State<S>, session: number, work: (member: S) => Promise<Stepped<R>>): Promise<void> {
    try {
      const { reply, releases, open } = await work(state.member);
      if (!state.hasWaited) this.delay.replied(performance.now() - state.since);
      this.replies.push({ session, reply });
      state.open = open;
      if (releases) this.released();
    } catch (error) {
      this.failure ??= { error };
    } finally {
      state.pending = undefined;
      state.waits = false;
      this.wake();
    }
  }

  private released(): void {
    this.releases++;
    for (const state of this.states) {
      state.waits = false;
      state.reported = 0;
    }
  }

  private async settled(expected?: Expected): Promise<readonly Replied<R>[]> {
    this.answered = false;
    let hint = expected;
    while (this.undecided().length > 0) {
      const replies = this.replies.length;
      await this.next(Math.max(this.untilQuestion(hint), ...this.options.watchers.map((watcher) => watcher.freshIn?.() ?? 0)));
      this.rethrow();
      if (this.replies.length === replies && this.undecided().length > 0) {
        await this.ask();
        hint = undefined; // An answer says more than what was expected.
      }
      this.answered = this.replies.length === replies;
    }
    this.rethrow();
    const { replies } = this;
    this.replies = [];
    return replies;
  }

  /** The time that the replies are awaited before the next question. */
  private untilQuestion(expected: Expected | undefined): number {
    const undecided = this.undecided();
    if (undecided.every(({ reported, others }) => reported >= OFTEN && others.length > 0)) return DEADLOCK_POLL_MS;
    return undecided.every(({ reported }) => reported > 0) ? POLL_MS : this.delay.ms(expected);
  }

  private undecided(): readonly State<S>[] {
    return this.states.filter(({ pending, waits }) => pending !== undefined && !waits);
  }

  private async ask(): Promise<void> {
    const asked = this.releases;
    const sent = new Map(
      this.states.flatMap((state) => (state.pending === undefined ? [] : [[state, state.member.statementsSent] as const])),
    );
    const began = performance.now();
    const waits = await this.waitsOf([...sent.keys()]);
    this.delay.answered(performance.now() - began);
    for (const state of waits.keys()) state.hasWaited = true;
    if (this.releases !== asked) return;
    // The answer may be about statements that have replies by now, while their steps go on.
    const asWas = this.states.filter(
      (state) => state.pending !== undefined && sent.has(state) && sent.get(state) === state.member.statementsSent,
    );
    for (const state of this.states) state.reported = asWas.includes(state) && waits.has(state) ? state.reported + 1 : 0;
    for (const state of asWas) {
      state.others = waits.get(state) ?? state.others;
      // A known wait may be part of a circle by now, so it is derived anew from the idle sessions.
      state.waits = false;
    }
    for (let changed = true; changed;) {
      changed = false;
      for (const state of asWas) {
        if (state.waits || !(this.isSilent(state) || (waits.has(state) && this.lasts(state)))) continue;
        state.waits = changed = true;
      }
    }
    for (const state of asWas) if (state.waits || state.reported >= OFTEN) this.options.waits?.(this.states.indexOf(state));
  }

  /**
   * True if the wait lasts: the holder is a session of ours that is idle or waits too. Where the server names no holder,
   * repeated reports decide.
   */
  private lasts(state: State<S>): boolean {
    if (state.others.length === 0) return state.reported >= OFTEN;
    return this.states.some((other) => isNamed(state.others, other, state) && (other.pending === undefined || other.waits));
  }

  private isSilent({ since }: State<S>): boolean {
    return this.options.silentMs !== undefined && performance.now() - since > this.options.silentMs;
  }

  private sessionsOf(waiting: State<S>): readonly number[] {
    return this.states.flatMap((state, session) => (isNamed(waiting.others, state, waiting) ? [session] : []));
  }

  private async waitsOf(states: readonly State<S>[]): Promise<ReadonlyMap<State<S>, readonly string[]>> {
    const { watchers, silentMs } = this.options;
    const all = new Map<State<S>, readonly string[]>();
    for (const [endpoint, watcher] of watchers.entries()) {
      const here = states.filter(({ member }) => (member.endpoint ?? 0) === endpoint);
      if (here.length === 0) continue;
      try {
        const asking = waitsBy(
          watcher,
          here.map(({ member }) => member.backend),
        );
        const waits = await (silentMs === undefined ? asking : bounded(asking, ANSWER_MS));
        for (const state of here) {
          const others = waits.get(state.member.backend);
          if (others !== undefined) all.set(state, others);
        }
      } catch (error) {
        if (silentMs === undefined) throw error; // Otherwise the sessions notice a lost server, and silence decides about a slow one.
      }
    }
    return all;
  }

  /** Waits until a reply comes or the time is over. */
  private next(ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function isNamed<S extends Member>(others: readonly string[], { member }: State<S>, { member: waiting }: State<S>): boolean {
  return (member.endpoint ?? 0) === (waiting.endpoint ?? 0) && others.includes(member.backend);
}

/** Asks which sessions wait now and, where the server tells, for whom. */
async function waitsBy(watcher: BlockedWatcher, backends: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  if (watcher.waits !== undefined) return watcher.waits(backends);
  return new Map([...(await watcher.blocked(backends))].map((backend) => [backend, []]));
}
