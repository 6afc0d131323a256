/** The verdict on a workload file's invariant, and the transaction that broke it. */
import type { PromiseVerdict } from './promise.ts';

/**
 * `bug` and `documented` say what the documents do, of an invariant that the same transactions kept one after the other;
 * `undocumented`: a correct server may break it at any level; `yours`: the transactions break it one after the other, with
 * nobody beside them; `unknown`: that could not be tried.
 */
export type InvariantVerdict = PromiseVerdict | 'yours' | 'unknown';

/** A serial order of a round's committed transactions, by what it follows: their dependencies, their commits, or the sessions. */
export type SerialOrderName = 'dependencies' | 'commits' | 'sessions' | 'commits-reversed';

/** The place at which a query uses numbers that the server gives. */
export type NumberInQuery = { readonly kind: 'column'; readonly name: string } | { readonly kind: 'subquery' | 'set-operation' };

/** The transaction after which an invariant did not hold any more, in a serial execution. */
export interface InvariantCulprit {
  readonly transaction: number;
  /** The name in the file. */
  readonly name?: string;
  /** Its own SQL, with the values that were drawn. */
  readonly statements: readonly string[];
  /** In which order the transactions ran, in words. */
  readonly order: string;
  /** The rows that the query of the invariant returned. */
  readonly rows: string;
}
