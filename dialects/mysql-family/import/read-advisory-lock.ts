/**
 * `SELECT GET_LOCK(CONCAT('room ', :room), 10)` as a whole statement, or with DO: a lock of the session under a name, which the
 * connection gives back once the transaction has ended. How long it waits is not carried over: a test has limits of its own.
 */
import type { AdvisoryLock } from '../../../core/index.ts';
import { readExpression } from './read-expression.ts';
import type { Reading } from './reading.ts';

/** The result is undefined if the statement is another one. */
export function readAdvisoryLock(reading: Reading): AdvisoryLock | undefined {
  const { cursor } = reading;
  if (!cursor.accept('SELECT', 'GET_LOCK', '(') && !cursor.accept('DO', 'GET_LOCK', '(')) return undefined;
  const key = readExpression(reading);
  cursor.expect(',');
  cursor.accept('-');
  if (cursor.token.kind !== 'number') cursor.refuse(`${cursor.shown()} where the seconds that GET_LOCK() waits are expected, as a number`);
  cursor.take();
  cursor.expect(')');
  if (cursor.accept('AS')) cursor.name('column');
  return { kind: 'advisoryLock', key };
}
