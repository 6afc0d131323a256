/**
 * Every reply reports by its protocol whether the session is inside a transaction (PostgreSQL: ReadyForQuery; MySQL:
 * SERVER_STATUS_IN_TRANS). A statement that succeeded leaves the session inside, COMMIT and ROLLBACK leave it outside,
 * and the dialect says where an error leaves it. Each driver compares the two after each reply. The check costs no
 * statement, and the reply itself is the evidence.
 */
import type { ClassifiedError, Connection, Dialect, StatusMismatch, TransactionStatus } from '../../core/index.ts';

/** Returns undefined if the protocol agrees with `expected`, reports nothing, or nothing is expected. */
export function mismatchAfter(connection: Connection, expected: TransactionStatus | undefined): StatusMismatch | undefined {
  const reported = connection.transactionStatus?.();
  return expected === undefined || reported === undefined || reported === expected ? undefined : { expected, reported };
}

/**
 * Compares the status after an error of a statement, inside a transaction or as its own transaction. A server that said
 * OK and rolled back is no mismatch, because the error says that the transaction is aborted.
 */
export function mismatchAfterError(
  connection: Connection,
  { class: errorClass }: ClassifiedError,
  { afterErrors }: Dialect,
  place: 'inside' | 'autocommit',
): StatusMismatch | undefined {
  return mismatchAfter(connection, place === 'autocommit' ? 'outside' : afterErrors?.[errorClass]);
}

const IS: Readonly<Record<TransactionStatus, string>> = {
  outside: 'outside any transaction',
  inside: 'inside a transaction',
  failed: 'in a failed transaction',
};

/** Returns the text for messages. */
export function mismatchText({ expected, reported }: StatusMismatch): string {
  return `the protocol says that the session is ${IS[reported]}; expected ${IS[expected]}`;
}
