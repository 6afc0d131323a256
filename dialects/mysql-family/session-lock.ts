/**
 * GET_LOCK as the tool prints it. A connection gives such a lock back once the transaction has ended, and a lock that was not got
 * is an error. A GET_LOCK that a user typed, in a .spec or a shell, is answered as the server answers it.
 */

/** A year. A lock that is not got in time is a result and no error, so the limit of the statement ends the wait before. */
const PATIENCE_SECONDS = 31_536_000;
const TAKES = new RegExp(`\\bGET_LOCK\\(.*, ${PATIENCE_SECONDS}\\)`, 's');
const ENDS_WITH_IT = new RegExp(`(^|; )SELECT GET_LOCK\\(.*, ${PATIENCE_SECONDS}\\)$`, 's');

/** `name`: an expression. */
export function sessionLockText(name: string): string {
  return `SELECT GET_LOCK(${name}, ${PATIENCE_SECONDS})`;
}

export function takesSessionLock(sql: string): boolean {
  return TAKES.test(sql);
}

/** The last reply to the message says whether the lock was got. */
export function endsWithSessionLock(sql: string): boolean {
  return ENDS_WITH_IT.test(sql);
}

/** A lock that is not got is a 0, and one whose wait was cut off is a NULL on MariaDB. The transaction must not go on as if it had it. */
export function lockNotGot(): Error {
  return Object.assign(new Error('GET_LOCK() did not get the lock before the limit of the statement'), {
    errno: 1205,
    code: 'ER_LOCK_WAIT_TIMEOUT',
  });
}
