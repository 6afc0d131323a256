/**
 * Why some transactions fit into no order, as data that another program can derive again from the history alone
 * (`anomalist verify`, docs/CHECKERS.md). It is an exhaustive case distinction, a tree that ends each case in a cycle.
 * Transactions have the history's numbers. An operation has its position in its transaction, from 0. Nothing here is
 * text.
 */
import type { AskedLevel } from '../level/index.ts';

export interface KvRefutation {
  /** The level that no order of the transactions satisfies. */
  readonly level: AskedLevel;
  /** All transactions of the refutation, ascending, including those that only make one transaction visible to another. */
  readonly transactions: readonly number[];
  readonly cases: KvCase;
}

export type KvCase =
  | { readonly kind: 'cycle'; readonly edges: readonly KvCaseEdge[] }
  /** One of two writers of a key comes first. */
  | { readonly kind: 'order'; readonly ways: readonly { readonly first: number; readonly second: number; readonly follows: KvCase }[] }
  /** Several transactions wrote a value, and one of them is the one that was read. */
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
  /** The read behind the edge: of `to` for wr, of `from` for rw, of `reader` for a ww edge that a weaker level requires. */
  readonly read?: number;
  readonly reader?: number;
}

/** The same refutation with other transaction numbers: those of a round, or of a history made from it. */
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
