/**
 * Why a list history violates its levels, as data that another program derives again from the history alone (`anomalist
 * verify`, docs/CHECKERS.md): a tree of cases that leave no other way, a forbidden cycle or a bad read at the end of each. A
 * transaction has the number that the report gives it, from 1 in the order of the file; an operation is named by its place in
 * its transaction, from 0.
 */
import type { NonCycleClass } from './anomaly.ts';

export interface ListRefutation {
  readonly kind: 'lists';
  /** All that it rests on, ascending: also whoever read the lists that show an order, or that a transaction committed. */
  readonly transactions: readonly number[];
  readonly cases: ListRefutationCase;
}

export type ListRefutationCase =
  | { readonly kind: 'cycle'; readonly edges: readonly ListRefutationEdge[] }
  /** Of two transactions that appended to a list one did first. */
  | {
      readonly kind: 'order';
      readonly key: string;
      readonly ways: readonly { readonly first: number; readonly second: number; readonly follows: ListRefutationCase }[];
    }
  /** A list that no transaction may have read; of a fork `beside` is the other list. */
  | ({ readonly kind: 'read'; readonly class: NonCycleClass; readonly beside?: ListRefutationRead } & ListRefutationRead);

/** The operation at place `read` of transaction `reader`. */
export interface ListRefutationRead {
  readonly reader: number;
  readonly read: number;
}

export interface ListRefutationEdge extends Partial<ListRefutationRead> {
  readonly from: number;
  readonly to: number;
  readonly rel: 'so' | 'wr' | 'ww' | 'rw' | 'rt';
  /** Of ww the list. Without a reader, whose list shows the order, a case assumes it. Of wr and rw the reader is `to` and `from`. */
  readonly key?: string;
}
