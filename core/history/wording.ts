/** How explanations name transactions, statements, versions and lists. They use the ids of the test case, never indices. */
import { NONE } from './history.ts';
import type { History } from './history.ts';

export interface Wording {
  txn(txn: number): string;
  /** `T3's statement 2 (update)`. */
  statement(statement: number): string;
  /** `row r0.0_1 of accounts`. */
  row(row: number): string;
  /** `3.2`: transaction id and write number, as in write lists. */
  version(txn: number, seq: number): string;
  list(observation: number): string;
}

export function wordingOf(history: History): Wording {
  const { transactions, statements, rows, observations, entries } = history;
  const txn = (t: number): string => (t === 0 ? 'the initial state' : `T${transactions.id[t]}`);
  return {
    txn,
    statement: (s) =>
      s === NONE ? 'an unseen statement' : `${txn(statements.txn[s]!)}'s statement ${statements.index[s]} (${statements.kind[s]})`,
    row: (row) => `row ${rows.rid[row]} of ${rows.table[row]}`,
    version: (t, seq) => `${transactions.id[t]}.${seq}`,
    list: (o) => {
      const from = observations.start[o]!;
      let text = observations.whole[o] === 1 ? '' : '...';
      for (let e = from; e < from + observations.length[o]!; e++) text += `,${transactions.id[entries.txn[e]!]}.${entries.seq[e]}`;
      return text;
    },
  };
}
