/**
 * One table says for every driver what an error leaves of a transaction. Most servers undo the failed statement alone or end
 * the whole transaction. PostgreSQL keeps a failed transaction until it is rolled back, to a savepoint or whole.
 */
import { REFUSED } from '../../core/index.ts';
import type { Capabilities, ClassifiedError, ErrorClass } from '../../core/index.ts';

export type AfterError =
  /** The server undid the failed statement alone. */
  | 'transaction open'
  /** The transaction goes on at ROLLBACK TO an open savepoint. */
  | 'transaction recovers'
  /** The transaction has to be rolled back, unless the server has done so. */
  | 'transaction over'
  /** The connection is gone; the server rolls its transaction back. */
  | 'session lost'
  /** The connection is gone, or the server cannot tell, while the transaction was committing. Nobody knows whether it committed. */
  | 'outcome unknown';

export interface FailedStep {
  /** `commits`: the statement's success would have committed (a COMMIT, or a statement that is its own transaction). */
  readonly place: 'inside' | 'commits';
  /** ROLLBACK TO an open savepoint may follow. */
  readonly maySave: boolean;
  /** After an error of these classes the driver rolls back, although the server keeps the transaction. Default: none. */
  readonly givesUpAfter?: ReadonlySet<ErrorClass>;
}

export function afterError(
  { class: errorClass, scope }: ClassifiedError,
  { place, maySave, givesUpAfter }: FailedStep,
  { savepointsRecover }: Pick<Capabilities, 'savepointsRecover'>,
): AfterError {
  if (place === 'commits') return scope === 'connection' || errorClass === 'ambiguous commit' ? 'outcome unknown' : 'transaction over';
  if (scope === 'connection') return 'session lost';
  if (givesUpAfter?.has(errorClass) === true) return 'transaction over';
  if (scope === 'statement') return 'transaction open';
  // Only a new transaction can succeed after a deadlock or a serialization failure.
  return savepointsRecover === true && maySave && !REFUSED.has(errorClass) ? 'transaction recovers' : 'transaction over';
}

/** After an error of these classes an application gives up. A lock timeout is no reason to try again within the same transaction. */
export const APPLICATION_GIVES_UP: ReadonlySet<ErrorClass> = new Set([
  ...REFUSED,
  'lock timeout',
  'statement timeout',
  'aborted transaction',
]);
