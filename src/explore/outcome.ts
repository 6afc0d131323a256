/**
 * What can be told of one run of a program: each transaction's end, what its statements replied, and the rows that are
 * left. Replies are compared as multisets of rows; what a transaction that came to nothing was told is nobody's promise.
 */
import type { ResultRow, FixtureState } from '../../core/index.ts';
import type { Reply } from './arena.ts';

export interface TxnResult {
  /** In the order of its steps, the end not included; fewer than its steps where it was aborted. */
  readonly replies: readonly Reply[];
  readonly end: 'committed' | 'aborted';
}

export interface Outcome {
  readonly transactions: readonly TxnResult[];
  readonly state: FixtureState;
}

/** Equal exactly for outcomes that are alike. */
export function outcomeKey({ transactions, state }: Outcome): string {
  return JSON.stringify([transactions.map(resultKey), stateKey(state)]);
}

/** Of a transaction that was not committed only that counts. */
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

/** Of statements of committed transactions that failed on a key, a foreign key or a CHECK: the server's codes. */
export function constraintCodes({ transactions }: Outcome): readonly string[] {
  const errors = transactions.flatMap(({ end, replies }) => (end === 'committed' ? replies.flatMap(({ error }) => error ?? []) : []));
  return [...new Set(errors.map(({ code }) => code))];
}
