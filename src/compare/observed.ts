/**
 * What of a run is held against the same run on another release. Not compared: whom a deadlock ends, what a transaction
 * that came to nothing was told, and the server's code and words for an error of a class. A lock that was waited for until
 * a limit of ours says nothing.
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

const BY_TIME: ReadonlySet<ErrorClass> = new Set(['lock timeout', 'statement timeout']);

export function observedOf({ outcome, transcript }: Played): Observed {
  const errors = transcript.flatMap(({ session, reply }) => (reply?.error ? [{ session, errorClass: reply.error.class }] : []));
  const waits = transcript.flatMap(({ session, step, state }) => (state === 'waits' ? [`${session}.${step}`] : [])).join(' ');
  const classes = [...new Set(errors.map(({ errorClass }) => errorClass))];
  if (classes.some((each) => BY_TIME.has(each))) return { key: undefined, waits, ends: 'a wait without an end' };
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
