/** Derives from each reply what a statement of a key-value round read and wrote. */
import type { Note } from '../../../../core/index.ts';

export interface KeyValueAccess {
  readonly statement: number;
  readonly key: number;
  readonly write: boolean;
  /** The value as the server's text, or as the statement wrote it; undefined for an append. */
  readonly value: string | undefined;
  /** The read of an object that was absent at first. A missing row needs no explanation then. */
  readonly late?: true;
}

export interface ObservedAccesses {
  /** Operations of each statement that took effect, in the order of the record. */
  readonly accesses: readonly KeyValueAccess[];
  /** The same as in ObservedKeyValues. */
  readonly failed: ReadonlyMap<string, number>;
  /** Values (`spelt`) of writes without a reply in transactions that committed. The writes are omitted. */
  readonly unanswered: readonly string[];
  readonly lightweight: boolean;
  /** Statements that found no row of the object that they name. */
  readonly missing: readonly Pick<KeyValueAccess, 'statement' | 'key'>[];
  readonly notes: readonly Note[];
}
