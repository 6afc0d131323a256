/**
 * Lists the reasons why no draw is aimed at a way in which transactions may meet. The search records the reason as data.
 * Only reports/notes/not-aimed.ts puts it into words.
 */

export type NotAimedCode =
  /** No draw meets so in the initial rows, and no rows are made for this kind of way. */
  | 'no-rows-made'
  | 'no-single-key'
  | 'no-such-row'
  /** The unique keys of the table allow no second row. */
  | 'keys-exclude'
  | 'no-common-value'
  /** The server, a transaction or an invariant refuses the rows that were made. */
  | 'rows-refused'
  | 'no-statement-asks'
  /** Rows are in the range, but none fulfils the statement's other conditions. */
  | 'other-conditions';

export interface NotAimed {
  /** A description of the way to meet. */
  readonly way: string;
  readonly code: NotAimedCode;
}

/** The reason why transactions have no way to meet. */
export type ApartCode = 'only-reads' | 'no-written-table';
