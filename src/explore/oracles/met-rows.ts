/**
 * Finds errors of constraints that committed transactions got, and tells whether the row that was met came from an
 * overlapping transaction. The row did if the statement succeeds after only those transactions that had committed before
 * its own began.
 */
import { namesNeeded } from '../../../core/index.ts';
import type { Program, FixtureState } from '../../../core/index.ts';
import type { Alone } from '../alone.ts';
import { replyKey, resultKey } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { Played, TranscriptStep } from '../play.ts';
import { committedIn } from './serial.ts';
import type { SerialAnswer } from './serial.ts';

export interface ContradictingError {
  readonly session: number;
  readonly step: number;
  /** The server's error code. */
  readonly code: string;
}

/** Returns the errors that do not occur in some serial order. The others do not contradict serial orders. */
export function contradictingErrors(outcome: Outcome, answers: readonly SerialAnswer[]): readonly ContradictingError[] {
  return committedIn(outcome).flatMap((session) =>
    outcome.transactions[session]!.replies.flatMap((reply, step) => {
      if (reply.error === undefined) return [];
      const told = answers.map(({ order, results }) => results[order.indexOf(session)]!.replies[step]);
      const always = told.every((each) => each !== undefined && replyKey(each) === replyKey(reply));
      return always ? [] : [{ session, step, code: reply.error.code }];
    }),
  );
}

/** Returns false also if the answer is unknown: an earlier reply differs, so that another statement may have been sent. */
export async function metOverlapping(
  { outcome, transcript }: Pick<Played, 'outcome' | 'transcript'>,
  { session, step }: ContradictingError,
  from: FixtureState,
  { alone, program }: { readonly alone: Alone; readonly program: Program },
): Promise<boolean> {
  let state = from;
  for (const earlier of committedBefore(transcript, session)) {
    const next = await alone(earlier, state);
    if (resultKey(next.result) !== resultKey(outcome.transactions[earlier]!)) return false;
    ({ state } = next);
  }
  const { replies } = (await alone(session, state)).result;
  const reply = replies[step];
  if (reply === undefined || reply.error !== undefined) return false;
  if (namesNeeded(program.transactions[session]!.steps[step]!.statement).length === 0) return true;
  const told = outcome.transactions[session]!.replies;
  return replies.slice(0, step).every((each, at) => replyKey(each) === replyKey(told[at]!));
}

/** Returns them in the order of their commits. A commit whose reply may have arrived late counts as overlapping. */
function committedBefore(transcript: readonly TranscriptStep[], session: number): readonly number[] {
  const attempt = transcript.findLast((entry) => entry.session === session)?.attempt;
  const began = transcript.findIndex((entry) => entry.session === session && entry.attempt === attempt);
  const lastSend = transcript.slice(0, began).findLastIndex(({ state }) => state !== 'replies late');
  return transcript.slice(0, lastSend + 1).flatMap((entry) => (entry.reply?.ended === 'committed' ? [entry.session] : []));
}
