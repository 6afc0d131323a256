/**
 * Runs a program once. A choice before every step names the next session. A session that waits is passed over, and goes on when
 * the server lets it. A transaction that the server refuses may be tried again: it begins anew when its session is chosen next,
 * and its last attempt counts. The transcript has the replies in the order of their arrival.
 */
import { REFUSED } from '../../core/dialect/index.ts';
import type { Program, FixtureState } from '../../core/program/index.ts';
import type { ProgramRunner, Replied, Reply } from './program-runner.ts';
import type { Outcome } from './outcome.ts';

export interface TranscriptStep {
  readonly session: number;
  readonly step: number;
  /** Attempts are numbered, and this is given from 2 on. Absent: it is the first. */
  readonly attempt?: number;
  readonly state: 'replies' | 'waits' | 'replies late';
  /** The reply is absent while the statement waits. */
  readonly reply?: Reply;
}

/** A run can be repeated by these choices. */
export interface Order {
  /** The sessions stepped in this order. */
  readonly choices: readonly number[];
  /** A transaction was begun again at these positions in `choices`. */
  readonly begunAgain?: readonly number[];
  /**
   * The sessions raced, so the choices do not repeat the run. It is repeated by racing again, with offsets from this seed
   * (rendezvous/runs-again.ts).
   */
  readonly raced?: number;
}

export interface Played extends Order {
  readonly outcome: Outcome;
  readonly transcript: readonly TranscriptStep[];
}

/** Chooses among the sessions that can step, which come in their order. `stepOf` has each one's next step. Undefined ends the run. */
export type Choose = (ready: readonly number[], stepOf: (session: number) => number) => number | undefined;
/** The engine calls it after the chosen step. `quiet`: it replied at once, without an error, and no other session replied. */
export type Heard = (session: number, step: number, quiet: boolean) => void;

interface SessionState {
  next: number;
  state: 'ready' | 'waiting' | 'done';
  /** The list has the replies of this attempt. */
  replies: Reply[];
  attempt: number;
  end: 'committed' | 'aborted';
}

export interface PlayOptions {
  readonly heard?: Heard;
  /** These sessions take part. The transactions of the others count as aborted. The default is all. */
  readonly only?: readonly number[];
}

export async function play(
  runner: ProgramRunner,
  program: Program,
  from: FixtureState,
  choose: Choose,
  { heard = () => undefined, only }: PlayOptions = {},
): Promise<Played | undefined> {
  const sessionStates = program.transactions.map((_, session): SessionState => ({
    next: 0,
    state: only?.includes(session) === false ? 'done' : 'ready',
    replies: [],
    attempt: 1,
    end: 'aborted',
  }));
  const choices: number[] = [];
  const begunAgain: number[] = [];
  const transcript: TranscriptStep[] = [];
  await runner.reset(from);
  while (sessionStates.some(({ state }) => state !== 'done')) {
    const ready = sessionStates.flatMap(({ state }, session) =>
      state === 'ready' && mayBegin(program, sessionStates, session) ? [session] : [],
    );
    const session = ready.length === 0 ? -1 : choose(ready, (each) => sessionStates[each]!.next);
    if (session === undefined) {
      await runner.abandon();
      return undefined;
    }
    const replied = session === -1 ? await runner.anyReply() : await stepped(runner, sessionStates[session]!, session);
    const step = session === -1 ? -1 : sessionStates[session]!.next;
    if (step === 0 && sessionStates[session]!.attempt > 1) begunAgain.push(choices.length);
    if (session !== -1) choices.push(session);
    const own = replied.filter((each) => each.session === session);
    const waits = session !== -1 && own.length === 0;
    if (waits) transcript.push({ session, step, ...attemptOf(sessionStates[session]!), state: 'waits' });
    // The step that was sent comes before the replies that it released, even if they arrived first.
    for (const each of [...own, ...replied.filter((other) => other.session !== session)])
      take(program, sessionStates, each, transcript, each.session === session);
    if (session === -1) continue;
    heard(session, step, replied.length === 1 && !waits && replied[0]!.reply.error === undefined);
  }
  return {
    outcome: { transactions: sessionStates.map(({ replies, end }) => ({ replies, end })), state: await runner.state() },
    choices,
    ...(begunAgain.length > 0 && { begunAgain }),
    transcript,
  };
}

/** True if the session's transaction has begun, or if the one that it comes after has ended. */
function mayBegin({ transactions }: Program, sessionStates: readonly SessionState[], session: number): boolean {
  const { after } = transactions[session]!;
  return after === undefined || sessionStates[session]!.next > 0 || sessionStates[after]!.state === 'done';
}

function stepped(runner: ProgramRunner, sessionState: SessionState, session: number): Promise<readonly Replied[]> {
  sessionState.state = 'waiting';
  return runner.step(session, sessionState.next);
}

function take(
  program: Program,
  sessionStates: readonly SessionState[],
  { session, reply }: Replied,
  transcript: TranscriptStep[],
  atOnce: boolean,
): void {
  const sessionState = sessionStates[session]!;
  transcript.push({ session, step: sessionState.next, ...attemptOf(sessionState), state: atOnce ? 'replies' : 'replies late', reply });
  const { steps, retries = 0 } = program.transactions[session]!;
  const { length } = steps;
  if (isRefused(reply) && sessionState.attempt <= retries) {
    sessionState.attempt++;
    sessionState.next = 0;
    sessionState.replies = [];
    sessionState.state = 'ready';
    return;
  }
  if (sessionState.next < length) sessionState.replies.push(reply);
  sessionState.next = reply.stops === undefined ? sessionState.next + 1 : length;
  sessionState.state = reply.ended === undefined ? 'ready' : 'done';
  sessionState.end = reply.ended ?? 'aborted';
}

function attemptOf({ attempt }: SessionState): Pick<TranscriptStep, 'attempt'> {
  return attempt > 1 ? { attempt } : {};
}

function isRefused({ error, ended }: Reply): boolean {
  return ended === 'aborted' && error !== undefined && REFUSED.has(error.class);
}

/** Returns the program without `after`, for its serial orders: any of them may explain a run. */
export function withoutTurns(program: Program): Program {
  const transactions = program.transactions.map((each) => {
    const { after: _, ...others } = each;
    return others;
  });
  return { ...program, transactions };
}

/** Runs the transactions one after the other, in the order of the list. */
export function oneByOne(order: readonly number[]): Choose {
  return (ready) => order.find((session) => ready.includes(session));
}

/** Repeats the choices of an earlier run. After them, or if one is not possible, the first session that can step is next. */
export function again(choices: readonly number[]): Choose {
  let at = 0;
  return (ready) => {
    const wanted = choices[at++];
    return wanted !== undefined && ready.includes(wanted) ? wanted : ready[0];
  };
}
