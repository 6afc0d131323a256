/**
 * The outcome of one run of a program: each transaction's end, its statements' replies, and the final rows. Replies are
 * compared as multisets of rows. The replies to an aborted transaction do not count, because nothing is promised about
 * them.
 */
import type { ResultRow, FixtureState } from '../../core/index.ts';
import type { Reply } from './arena.ts';

export interface TxnResult {
  /** The replies in the order of its steps, without the end; fewer than its steps if it was aborted. */
  readonly replies: readonly Reply[];
  readonly end: 'committed' | 'aborted';
}

export interface Outcome {
  readonly transactions: readonly TxnResult[];
  readonly state: FixtureState;
}

/** Returns equal keys exactly for equal outcomes. */
export function outcomeKey({ transactions, state }: Outcome): string {
  return JSON.stringify([transactions.map(resultKey), stateKey(state)]);
}

/** For a transaction that was not committed, only the end counts. */
export function resultKey({ end, replies }: TxnResult): string {
  return end === 'committed' ? JSON.stringify(replies.map(replyKey)) : end;
}

export function replyKey({ rows, affected, error }: Reply): string {
  return error === undefined ? JSON.stringify([affected, sorted(rows)]) : `error ${error.class} ${error.code}`;
}

export function stateKey(state: FixtureState): string {
  return JSON.stringify(
    Object.keys(state)
      .toSorted()
      .map((table) => [table, sorted(state[table]!)]),
  );
}

function sorted(rows: readonly ResultRow[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

/** Returns the server's error codes of statements in committed transactions that failed on a key, a foreign key or a CHECK. */
export function constraintCodes({ transactions }: Outcome): readonly string[] {
  const errors = transactions.flatMap(({ end, replies }) => (end === 'committed' ? replies.flatMap(({ error }) => error ?? []) : []));
  return [...new Set(errors.map(({ code }) => code))];
}
