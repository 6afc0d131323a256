/**
 * Every reply says by its protocol whether the session is inside a transaction (PostgreSQL: ReadyForQuery; MySQL:
 * SERVER_STATUS_IN_TRANS). A statement that succeeded leaves the session inside, an end leaves it outside, and an error leaves
 * it where the dialect says. Each driver compares the two after each reply: it costs no statement, and what contradicts it is
 * in the reply itself.
 */
import type { ClassifiedError, Connection, Dialect, StatusMismatch, TransactionStatus } from '../../core/index.ts';

/** Undefined: nothing contradicts `expected`, nothing is expected, or the protocol says nothing. */
export function mismatchAfter(connection: Connection, expected: TransactionStatus | undefined): StatusMismatch | undefined {
  const reported = connection.transactionStatus?.();
  return expected === undefined || reported === undefined || reported === expected ? undefined : { expected, reported };
}

/**
 * The same behind an error of a statement inside a transaction, or of one that is its own transaction. A server that said OK
 * and rolled back is none: the error says what became of the transaction.
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

/** In words, for messages. */
export function mismatchText({ expected, reported }: StatusMismatch): string {
  return `the protocol says that the session is ${IS[reported]}; expected ${IS[expected]}`;
}
