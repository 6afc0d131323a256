/**
 * GET_LOCK as the tool prints it. A connection releases such a lock after the transaction, and a lock that was not
 * obtained is an error. A GET_LOCK that a user typed, in a .spec or a shell, gets the server's answer.
 */

/** A year. GET_LOCK returns a timeout as a result and not as an error, so the statement's limit must end the wait first. */
const PATIENCE_SECONDS = 31_536_000;
const TAKES = new RegExp(`\\bGET_LOCK\\(.*, ${PATIENCE_SECONDS}\\)`, 's');
const ENDS_WITH_IT = new RegExp(`(^|; )SELECT GET_LOCK\\(.*, ${PATIENCE_SECONDS}\\)$`, 's');

/** `name` is an expression. */
export function sessionLockText(name: string): string {
  return `SELECT GET_LOCK(${name}, ${PATIENCE_SECONDS})`;
}

export function takesSessionLock(sql: string): boolean {
  return TAKES.test(sql);
}

/** Whether the last reply to the message says if the lock was obtained. */
export function endsWithSessionLock(sql: string): boolean {
  return ENDS_WITH_IT.test(sql);
}

/**
 * The error for a lock that was not obtained. GET_LOCK returns 0, or on MariaDB NULL if the wait was interrupted. The
 * transaction must not continue as if it held the lock.
 */
export function lockNotGot(): Error {
  return Object.assign(new Error('GET_LOCK() did not get the lock before the limit of the statement'), {
    errno: 1205,
    code: 'ER_LOCK_WAIT_TIMEOUT',
  });
}
