/**
 * Reads `SELECT GET_LOCK(CONCAT('room ', :room), 10)` or the same with DO, as a whole statement. It takes a named lock
 * of the session, which the connection releases after the transaction. The wait time is ignored, because a test has
 * limits of its own.
 */
import type { AdvisoryLock } from '../../../core/sql/index.ts';
import { readExpression } from './read-expression.ts';
import type { Reading } from './reading.ts';

/** Undefined: it is another statement. */
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
