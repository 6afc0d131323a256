/**
 * What the members of the MySQL family print differently: one row of data each. Everything else of the family is shared.
 */
import type { Unsupported } from '../../core/index.ts';

export interface Flavour {
  /** The server, in sentences. */
  readonly title: string;
  /** Whose release numbers it goes by in comments that are SQL to some servers. */
  readonly comments: 'mysql' | 'mariadb';
  /** Binary, without padding: two texts are equal exactly when they are the same text. */
  readonly collation: string;
  readonly lockShare: string;
  readonly skipLocked: string;
  /** GROUP BY ... WITH ROLLUP may have an ORDER BY. */
  readonly orderedRollup: boolean;
  /** JSON_ARRAYAGG may have an OVER. */
  readonly windowJson: boolean;
  /**
   * JSON_ARRAYAGG of what is no plain column fills a temporary table on disk (MariaDB: 0.2 ms of CPU each, ten times the
   * rest of a small query), and GROUP_CONCAT of columns does not.
   */
  readonly slowJsonAggregate?: true;
  readonly unsupported: readonly Unsupported[];
  readonly returning: { readonly insert: boolean; readonly update: boolean; readonly delete: boolean };
  /** An optimizer hint keeps views merged where a variable is assigned, which MySQL otherwise reads into a temporary table. */
  readonly mergeHint: boolean;
  /** A subquery that is turned into a join reads the variable of its captures once, before any of them. */
  readonly flattens?: true;
  /** An assignment among the items of a SELECT takes place when the items before it have been sent. */
  readonly emptiesCapture?: true;
  /** Every assignment of an UPDATE sees the old values (TiDB, by its manual); elsewhere a later one sees those made before it. */
  readonly assignsFromOld?: true;
  /** The server may run a write or a locking read again within itself, which captures twice. */
  readonly reattempts?: true;
  /** UPDATE and DELETE of one table may read that table in a subquery. */
  readonly selfReference: boolean;
}

/** What an expression is printed for. */
export interface Printing {
  readonly flavour: Flavour;
  /** The database that tables and views are in; absent: the text names none, and is for people. */
  readonly namespace?: string | undefined;
  /** Table reads within a write that the server allows of a copy only. */
  readonly copied?: (name: string, kind: 'table' | 'view') => boolean;
  /** Aliases of tables that have a row wherever an expression stands: none of them is the missing side of an outer join. */
  readonly present?: ReadonlySet<string>;
}
