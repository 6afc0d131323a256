/**
 * One run of a program: who is next is asked before every step, a session that waits is passed over and goes on when the
 * server lets it. A transaction that the server refuses and that is tried again begins anew when its session's turn comes, beside
 * whatever the others have left to do; its last attempt is what it came to. What came back, in the order in which it came, is
 * the run's transcript.
 */
import { REFUSED } from '../../core/dialect/index.ts';
import type { Program, FixtureState } from '../../core/program/index.ts';
import type { ProgramRunner, Replied, Reply } from './program-runner.ts';
import type { Outcome } from './outcome.ts';

export interface TranscriptStep {
  readonly session: number;
  readonly step: number;
  /** From 2; absent: the first one. */
  readonly attempt?: number;
  readonly state: 'replies' | 'waits' | 'replies late';
  /** Absent while it waits. */
  readonly reply?: Reply;
}

/** Gives a run again. */
export interface Order {
  /** The sessions in the order in which they were let step. */
  readonly choices: readonly number[];
  /** Places among these at which a transaction was begun again. */
  readonly begunAgain?: readonly number[];
}

export interface Played extends Order {
  readonly outcome: Outcome;
  readonly transcript: readonly TranscriptStep[];
}

/** Asked with the sessions that can step, in their order, and the step that each would take; undefined: the run is given up. */
export type Choose = (ready: readonly number[], stepOf: (session: number) => number) => number | undefined;
/** Hears how the chosen step went: `quiet` if it replied at once, without an error, and nobody else did. */
export type Heard = (session: number, step: number, quiet: boolean) => void;

interface SessionState {
  next: number;
  state: 'ready' | 'waiting' | 'done';
  /** Of this attempt. */
  replies: Reply[];
  attempt: number;
  end: 'committed' | 'aborted';
}

export interface PlayOptions {
  readonly heard?: Heard;
  /** The sessions that take part; the transactions of the others count as aborted. Default: all. */
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
    // The step that was sent stands before the replies that it let go, whichever came first.
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

/** It has begun, or nobody is left whom it comes after. */
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

/** Nobody has to come after anybody: for serial orders, any of which may explain what happened. */
export function withoutTurns(program: Program): Program {
  const transactions = program.transactions.map((each) => {
    const { after: _, ...others } = each;
    return others;
  });
  return { ...program, transactions };
}

/** The transactions one after the other, as they stand in the list. */
export function oneByOne(order: readonly number[]): Choose {
  return (ready) => order.find((session) => ready.includes(session));
}

/** The choices of an earlier run; beyond them, or where one is not possible, the first session that can. */
export function again(choices: readonly number[]): Choose {
  let at = 0;
  return (ready) => {
    const wanted = choices[at++];
    return wanted !== undefined && ready.includes(wanted) ? wanted : ready[0];
  };
}
