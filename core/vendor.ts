/** The vendor of a DBMS, as a row of its dialect: how users file a report, and which queries the vendor's programs need. */
export type TrackerShape = 'mysql' | 'mariadb' | 'postgres' | 'tidb' | 'cockroachdb';

export interface Vendor {
  readonly title: string;
  /** The form of text that the tracker expects. */
  readonly shape: TrackerShape;
  /** The DBMS family whose protocol and SQL it speaks. */
  readonly family: 'postgres' | 'mysql';
  /** The address of the tracker. */
  readonly tracker: string;
  /** The quote of its identifiers. */
  readonly quote: '"' | '`';
  /** Files written for it beside repro.sql and the Node script. */
  readonly files: readonly ('spec' | 'mtr')[];
  readonly versionQuery: string;
  /** Absent: the DBMS has one level, or does not tell which is in force. */
  readonly levelQuery?: string;
  /** The query for the connection's id. The transaction of a report must stay on one connection. Absent: it has no id. */
  readonly connectionQuery?: string;
}
