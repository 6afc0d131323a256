/** What each statement of a key-value round read and wrote, by its reply. */
import type { Note } from '../../../../core/index.ts';

export interface KeyValueAccess {
  readonly statement: number;
  readonly key: number;
  readonly write: boolean;
  /** As the server's text, or as the statement wrote it; undefined for an append. */
  readonly value: string | undefined;
  /** A read of an object that was absent at first: nobody wonders where its row is. */
  readonly late?: true;
}

export interface ObservedAccesses {
  /** Operations of each statement that took effect, in the order of the record. */
  readonly accesses: readonly KeyValueAccess[];
  /** As in ObservedKeyValues. */
  readonly failed: ReadonlyMap<string, number>;
  /** Values (`spelt`) of writes without a reply in transactions that committed: they were left out. */
  readonly unanswered: readonly string[];
  readonly lightweight: boolean;
  /** Statements that found no row of the object that they name. */
  readonly missing: readonly Pick<KeyValueAccess, 'statement' | 'key'>[];
  readonly notes: readonly Note[];
}
