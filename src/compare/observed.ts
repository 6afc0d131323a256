/**
 * The part of a run that is compared with the same run on another release. Three things are not compared: the transaction
 * that a deadlock ends, replies to aborted transactions, and the server's code and words for an error of a class. If a
 * lock was refused (NOWAIT), or not granted within our limit, nothing is compared, because both have one class.
 */
import type { ErrorClass } from '../../core/index.ts';
import { replyKey, stateKey } from '../explore/outcome.ts';
import type { Reply } from '../explore/arena.ts';
import type { Played } from '../explore/play.ts';

export interface Observed {
  /** Equal for runs that are alike; undefined: the run cannot be compared. */
  readonly key: string | undefined;
  /** The sessions that waited, with their steps. */
  readonly waits: string;
  /** The end of the run, in a word. */
  readonly ends: string;
}

const NO_LOCK: ReadonlySet<ErrorClass> = new Set(['lock timeout', 'statement timeout']);

export function observedOf({ outcome, transcript }: Played): Observed {
  const errors = transcript.flatMap(({ session, reply }) => (reply?.error ? [{ session, errorClass: reply.error.class }] : []));
  const waits = transcript.flatMap(({ session, step, state }) => (state === 'waits' ? [`${session}.${step}`] : [])).join(' ');
  const classes = [...new Set(errors.map(({ errorClass }) => errorClass))];
  if (classes.some((each) => NO_LOCK.has(each))) return { key: undefined, waits, ends: 'no lock' };
  // The program does not choose a deadlock's victim, nor the session that closes the circle.
  if (classes.includes('deadlock')) return { key: 'deadlock', waits: '', ends: 'deadlock' };
  const transactions = outcome.transactions.map(({ end, replies }, session) =>
    end === 'committed'
      ? replies.map(ofClass)
      : `aborted ${errors.findLast((each) => each.session === session)?.errorClass ?? 'by its own ROLLBACK'}`,
  );
  return {
    key: JSON.stringify([transactions, stateKey(outcome.state)]),
    waits,
    ends: classes.length === 0 ? 'no error' : classes.toSorted().join(', '),
  };
}

function ofClass(reply: Reply): string {
  return reply.error === undefined ? replyKey(reply) : `error ${reply.error.class}`;
}
