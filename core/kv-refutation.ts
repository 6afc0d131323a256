/**
 * Why some transactions fit into no order, as data that another program can derive again from the history alone
 * (`anomalist verify`, docs/CHECKERS.md): a tree of cases that leave no other way, a cycle at the end of each. Transactions
 * are numbered as in the history, an operation is named by its place in its transaction, from 0. Nothing here is text.
 */
import type { AskedLevel } from './level.ts';

export interface KvRefutation {
  /** The level that no order of them meets. */
  readonly level: AskedLevel;
  /** All that it is about, ascending: also who is only on the way by which one sees another. */
  readonly transactions: readonly number[];
  readonly cases: KvCase;
}

export type KvCase =
  | { readonly kind: 'cycle'; readonly edges: readonly KvCaseEdge[] }
  /** Of two writers of a key one comes first. */
  | { readonly kind: 'order'; readonly ways: readonly { readonly first: number; readonly second: number; readonly follows: KvCase }[] }
  /** A value that several transactions wrote was read from one of them. */
  | {
      readonly kind: 'writer';
      readonly reader: number;
      readonly read: number;
      readonly ways: readonly { readonly writer: number; readonly follows: KvCase }[];
    }
  /** A transaction of unknown outcome committed, or did not. */
  | { readonly kind: 'outcome'; readonly txn: number; readonly ways: readonly { readonly committed: boolean; readonly follows: KvCase }[] };

export interface KvCaseEdge {
  readonly from: number;
  readonly to: number;
  readonly rel: 'so' | 'wr' | 'ww' | 'rw' | 'rt';
  /** Of wr and rw the read that shows it, `to`'s and `from`'s; of a ww edge that a weaker level demands, `reader`'s. */
  readonly read?: number;
  readonly reader?: number;
}

/** The same with other numbers of transactions: those of a round, or of a history made of it. */
export function renumbered<T extends Pick<KvRefutation, 'transactions' | 'cases'>>(refutation: T, number: (txn: number) => number): T {
  return { ...refutation, transactions: refutation.transactions.map(number), cases: caseWith(refutation.cases, number) };
}

function caseWith(found: KvCase, number: (txn: number) => number): KvCase {
  const on = (follows: KvCase): KvCase => caseWith(follows, number);
  switch (found.kind) {
    case 'cycle':
      return {
        kind: 'cycle',
        edges: found.edges.map((edge) => ({
          ...edge,
          from: number(edge.from),
          to: number(edge.to),
          ...(edge.reader !== undefined && { reader: number(edge.reader) }),
        })),
      };
    case 'order':
      return {
        kind: 'order',
        ways: found.ways.map(({ first, second, follows }) => ({ first: number(first), second: number(second), follows: on(follows) })),
      };
    case 'writer':
      return {
        ...found,
        reader: number(found.reader),
        ways: found.ways.map(({ writer, follows }) => ({ writer: number(writer), follows: on(follows) })),
      };
    case 'outcome':
      return { ...found, txn: number(found.txn), ways: found.ways.map((way) => ({ ...way, follows: on(way.follows) })) };
  }
}
