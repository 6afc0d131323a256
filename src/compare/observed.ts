/**
 * What of a run is held against the same run on another release. Not compared: whom a deadlock ends, what a transaction
 * that came to nothing was told, and the server's code and words for an error of a class. Where a lock was refused
 * (NOWAIT), or not had within a limit of ours, nothing is compared: the two have one class.
 */
import type { ErrorClass } from '../../core/index.ts';
import { replyKey, stateKey } from '../explore/outcome.ts';
import type { Reply } from '../explore/arena.ts';
import type { Played } from '../explore/play.ts';

export interface Observed {
  /** Equal for runs that are alike; undefined: it cannot be compared. */
  readonly key: string | undefined;
  /** Who waited, with which step. */
  readonly waits: string;
  /** How it ended, in a word. */
  readonly ends: string;
}

const NO_LOCK: ReadonlySet<ErrorClass> = new Set(['lock timeout', 'statement timeout']);

export function observedOf({ outcome, transcript }: Played): Observed {
  const errors = transcript.flatMap(({ session, reply }) => (reply?.error ? [{ session, errorClass: reply.error.class }] : []));
  const waits = transcript.flatMap(({ session, step, state }) => (state === 'waits' ? [`${session}.${step}`] : [])).join(' ');
  const classes = [...new Set(errors.map(({ errorClass }) => errorClass))];
  if (classes.some((each) => NO_LOCK.has(each))) return { key: undefined, waits, ends: 'no lock' };
  // Its victim is not the program's, nor is who closed the circle.
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
