/**
 * The sessions of a driver and their steps in flight. A step is over when each step in flight has a reply or is known to
 * wait. The reply is awaited for a moment, then the server is asked who waits. The answer counts only if no reply since then
 * may have let others go on, and if the chain of waits ends at one of our idle sessions: then nothing changes until somebody
 * steps. A circle of waits is a deadlock that the server is about to resolve, so its error is awaited.
 *
 * Every driver sends through it that decides who is next: schedules, orders of programs, and sessions stepped by hand.
 */
import type { BlockedWatcher } from '../../core/index.ts';
import { DatabaseError } from '../../core/index.ts';
import { bounded } from './bounded.ts';

/** Most steps reply within it; the server is asked about the others. */
const QUICK_MS = 1;
/** Between two questions. */
const POLL_MS = 1;
/** Between two questions about a circle of waits. */
const DEADLOCK_POLL_MS = 10;
/** A session that the server reports so often in a row waits, even where the server does not say for whom. */
const OFTEN = 2;
/** MariaDB may show that a session waits before it shows for whom. */
const NAMED = 5;
/** Longer than the server's own limit for a statement. */
const SILENT_MS = 30_000;
/** A watcher that takes longer is not waited for, where silence decides too. */
const ANSWER_MS = 2_000;

/** A session of a server, as its driver knows it. Its backend changes when it connects again. */
export interface Member {
  readonly backend: string;
  /** Watchers know the backends of one endpoint only. Default: 0. */
  readonly endpoint?: number;
  /** Grows with each statement sent. A step may send several, and the server's answer is about the one that was in flight. */
  readonly statementsSent?: number;
  end(by: 'rollback'): Promise<unknown>;
  /** Drops the socket: a step in flight fails. */
  drop(): void;
  close(): Promise<void>;
}

/** A step and what it means for the other sessions. */
export interface Stepped<R> {
  readonly reply: R;
  /** Others may go on now: it ended a transaction, failed, or gave locks back. */
  readonly releases: boolean;
  /** The session is inside a transaction behind it. */
  readonly open: boolean;
}

export interface Replied<R> {
  readonly session: number;
  readonly reply: R;
}

export interface InFlightOptions {
  /** The watcher of each endpoint. */
  readonly watchers: readonly BlockedWatcher[];
  /** A step without a reply for this long counts as waiting, and a watcher that fails reports nobody. Absent: a watcher that fails is an error. */
  readonly silentMs?: number;
  /** Sessions may hold locks outside their transactions, so that nobody is known to be alone. */
  readonly locksOutside?: boolean;
  /** Called when a step in flight is seen to wait; more than once for one step. */
  readonly waits?: (session: number) => void;
}

interface State<S> {
  readonly member: S;
  pending: Promise<void> | undefined;
  since: number;
  /** Known to wait since the last release. */
  waits: boolean;
  /** The backends that the server named when it last reported the wait. */
  others: readonly string[];
  /** Questions in a row that reported it waiting. */
  reported: number;
  open: boolean;
}

export class SessionsInFlight<S extends Member, R> {
  private readonly states: State<S>[] = [];
  private options: InFlightOptions;
  private replies: Replied<R>[] = [];
  /** Grows with each reply that may have let others go on. */
  private releases = 0;
  private failure: { readonly error: unknown } | undefined;
  private wake: () => void = () => undefined;

  constructor(options: InFlightOptions) {
    this.options = options;
  }

  get count(): number {
    return this.states.length;
  }

  /** Asks this watcher from now on. No step may be in flight. */
  watchBy(watcher: BlockedWatcher): void {
    this.options = { ...this.options, watchers: [watcher] };
  }

  add(member: S): void {
    this.states.push({ member, pending: undefined, since: 0, waits: false, others: [], reported: 0, open: false });
  }

  /** Works on every session. No step may be in flight. */
  async each(work: (member: S) => Promise<unknown>): Promise<void> {
    await Promise.all(this.states.map(({ member }) => work(member)));
  }

  isInFlight(session: number): boolean {
    return this.states[session]?.pending !== undefined;
  }

  /** Resolves when the session's step in flight, if there is one, has its reply. */
  async atRest(session: number): Promise<void> {
    await this.states[session]?.pending;
  }

  async send(session: number, work: (member: S) => Promise<Stepped<R>>): Promise<readonly Replied<R>[]> {
    const state = this.states[session]!;
    const alone = this.options.locksOutside !== true && this.states.every((other) => other === state || !other.open);
    state.open = true;
    state.since = performance.now();
    state.reported = 0;
    state.pending = this.run(state, session, work);
    if (alone) await state.pending;
    return this.settled();
  }

  /** Sends a step beside those of others, whoever waits for whom. Resolves with its own reply. */
  async race(session: number, work: (member: S) => Promise<Stepped<R>>): Promise<R> {
    const state = this.states[session]!;
    state.open = true;
    const { reply, open } = await work(state.member);
    state.open = open;
    return reply;
  }

  /** Waits for a reply where nobody can step. `silentMs` absent: throws a DatabaseError after 30 s without one. */
  async anyReply(): Promise<readonly Replied<R>[]> {
    const limit = this.options.silentMs === undefined ? SILENT_MS : undefined;
    if (this.replies.length === 0 && this.failure === undefined) await this.next(limit);
    if (this.replies.length === 0 && this.failure === undefined)
      throw new DatabaseError(
        `every session waits, and none was given a reply within ${SILENT_MS / 1000} s; expected the server to end one of them`,
      );
    return this.settled();
  }

  /** Takes the replies that nobody's step brought, such as that of a statement that waited too long. */
  taken(): readonly Replied<R>[] {
    return this.replies.splice(0);
  }

  /** The sessions that are known to wait, each with those that the server names. */
  waiting(): ReadonlyMap<number, readonly number[]> {
    return new Map(this.states.flatMap((state, session) => (state.waits ? [[session, this.sessionsOf(state)] as const] : [])));
  }

  /** Asks again, a few times, whom those wait for whose waits the server has not explained yet. */
  async nameOthers(): Promise<void> {
    for (let tries = 0; tries < NAMED; tries++) {
      const unnamed = this.states.filter(({ pending, waits, others }) => pending !== undefined && waits && others.length === 0);
      if (unnamed.length === 0) return;
      const named = await this.waitsOf(unnamed);
      for (const state of unnamed) state.others = named.get(state) ?? [];
    }
  }

  /** Rolls every open transaction back. Idle sessions come first, since those that wait for them reply then. */
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

  /** Closes every session; those with a step in flight are dropped. */
  async end(): Promise<void> {
    const states = this.states.splice(0);
    for (const { pending, member } of states) if (pending !== undefined) member.drop();
    await Promise.all(states.map(async ({ pending, member }) => (await pending, member.close())));
  }

  /** Throws what a step was rejected with. */
  rethrow(): void {
    if (this.failure !== undefined) throw this.failure.error;
  }

  private async run(state: State<S>, session: number, work: (member: S) => Promise<Stepped<R>>): Promise<void> {
    try {
      const { reply, releases, open } = await work(state.member);
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

  private async settled(): Promise<readonly Replied<R>[]> {
    for (let wait = QUICK_MS; this.undecided().length > 0;) {
      const replies = this.replies.length;
      await this.next(Math.max(wait, ...this.options.watchers.map((watcher) => watcher.freshIn?.() ?? 0)));
      this.rethrow();
      if (this.replies.length !== replies || this.undecided().length === 0) continue;
      await this.ask();
      wait = this.undecided().every(({ reported, others }) => reported >= OFTEN && others.length > 0) ? DEADLOCK_POLL_MS : POLL_MS;
    }
    this.rethrow();
    const { replies } = this;
    this.replies = [];
    return replies;
  }

  private undecided(): readonly State<S>[] {
    return this.states.filter(({ pending, waits }) => pending !== undefined && !waits);
  }

  private async ask(): Promise<void> {
    const asked = this.releases;
    const sent = new Map(
      this.states.flatMap((state) => (state.pending === undefined ? [] : [[state, state.member.statementsSent] as const])),
    );
    const waits = await this.waitsOf([...sent.keys()]);
    if (this.releases !== asked) return;
    // The answer is about statements that may have their replies by now, while their steps go on.
    const asWas = this.states.filter(
      (state) => state.pending !== undefined && sent.has(state) && sent.get(state) === state.member.statementsSent,
    );
    for (const state of this.states) state.reported = asWas.includes(state) && waits.has(state) ? state.reported + 1 : 0;
    for (const state of asWas) {
      state.others = waits.get(state) ?? state.others;
      // A wait that was known may be part of a circle by now: it is derived anew, from the sessions that are idle.
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

  /** It waits for a session of ours that is idle or waits too; where the server names nobody, it must say so often. */
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
        if (silentMs === undefined) throw error; // Else the sessions notice a lost server, and silence decides about a slow one.
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

/** Asks who waits now and, where the server tells, for whom. */
async function waitsBy(watcher: BlockedWatcher, backends: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  if (watcher.waits !== undefined) return watcher.waits(backends);
  return new Map([...(await watcher.blocked(backends))].map((backend) => [backend, []]));
}
