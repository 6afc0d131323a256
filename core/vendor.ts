/** Whose a DBMS is, as a row of its dialect: where a report goes, in which form, and how the vendor's programs are spoken to. */
export type TrackerShape = 'mysql' | 'mariadb' | 'postgres' | 'tidb' | 'cockroachdb';

export interface Vendor {
  readonly title: string;
  /** The form of text that the tracker wants. */
  readonly shape: TrackerShape;
  /** Whose protocol and SQL it speaks. */
  readonly family: 'postgres' | 'mysql';
  /** Where it is sent. */
  readonly tracker: string;
  /** Identifier quote of its SQL. */
  readonly quote: '"' | '`';
  /** Written for it beside repro.sql and the Node script. */
  readonly files: readonly ('spec' | 'mtr')[];
  readonly versionQuery: string;
  readonly levelQuery: string;
  /** Which connection this is: the transaction of a report must not wander among them. */
  readonly connectionQuery: string;
}
