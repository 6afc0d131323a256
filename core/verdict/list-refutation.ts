/**
 * Why a list history violates its levels, as data that another program derives again from the history alone (`anomalist
 * verify`, docs/CHECKERS.md). It is an exhaustive case distinction, a tree that ends each case in a forbidden cycle or
 * a bad read. A transaction has its number in the report, from 1 in the order of the file. An operation has its
 * position in its transaction, from 0.
 */
import type { BadReadClass } from '../level/index.ts';

export interface ListRefutation {
  readonly kind: 'lists';
  /** The refutation rests on these, in ascending order. Readers whose lists show an order or a commit are among them. */
  readonly transactions: readonly number[];
  readonly cases: ListRefutationCase;
}

export type ListRefutationCase =
  | { readonly kind: 'cycle'; readonly edges: readonly ListRefutationEdge[] }
  /** Two transactions appended to a list, and one did so first. */
  | {
      readonly kind: 'order';
      readonly key: string;
      readonly ways: readonly { readonly first: number; readonly second: number; readonly follows: ListRefutationCase }[];
    }
  /** A list that no transaction may have read; of a fork `beside` is the other list. */
  | ({ readonly kind: 'read'; readonly class: BadReadClass; readonly beside?: ListRefutationRead } & ListRefutationRead);

/** The operation at place `read` of transaction `reader`. */
export interface ListRefutationRead {
  readonly reader: number;
  readonly read: number;
}

export interface ListRefutationEdge extends Partial<ListRefutationRead> {
  readonly from: number;
  readonly to: number;
  readonly rel: 'so' | 'wr' | 'ww' | 'rw' | 'rt';
  /** A ww edge has the list here. If it has no reader, a case assumes the order. The reader of a wr edge is `to`, that of an rw edge `from`. */
  readonly key?: string;
}
