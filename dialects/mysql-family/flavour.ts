/** The differences in printing between the members of the MySQL family: one row of data each. All else is shared. */
import type { Unsupported } from '../../core/dialect/index.ts';

export interface Flavour {
  /** The server's name in messages. */
  readonly title: string;
  /** The DBMS whose release numbers apply in conditional comments. */
  readonly comments: 'mysql' | 'mariadb';
  /** A binary collation without padding: two texts are equal exactly if they have the same characters. */
  readonly collation: string;
  readonly lockShare: string;
  readonly skipLocked: string;
  /** GROUP BY ... WITH ROLLUP may have an ORDER BY. */
  readonly orderedRollup: boolean;
  /** JSON_ARRAYAGG may have an OVER. */
  readonly windowJson: boolean;
  /**
   * JSON_ARRAYAGG of anything but a plain column fills a temporary table on disk. GROUP_CONCAT of columns does not. On
   * MariaDB each such table costs 0.2 ms of CPU time, ten times the rest of a small query.
   */
  readonly slowJsonAggregate?: true;
  readonly unsupported: readonly Unsupported[];
  readonly returning: { readonly insert: boolean; readonly update: boolean; readonly delete: boolean };
  /**
   * An optimizer hint keeps views merged in a statement that assigns a variable. Otherwise MySQL reads such views into
   * a temporary table.
   */
  readonly mergeHint: boolean;
  /** If the server turns a subquery into a join, it reads the variable once, before any capture. */
  readonly flattens?: true;
  /** A SELECT evaluates an assignment among its items after it has sent the items before it. */
  readonly emptiesCapture?: true;
  /**
   * Every assignment of an UPDATE sees the old values (TiDB, by its manual). Elsewhere a later one sees the changes of
   * earlier ones.
   */
  readonly assignsFromOld?: true;
  /** The server may run a write or a locking read again within itself, which captures twice. */
  readonly reattempts?: true;
  /** UPDATE and DELETE of one table may read that table in a subquery. */
  readonly selfReference: boolean;
}

/** The context for printing an expression. */
export interface Printing {
  readonly flavour: Flavour;
  /** The database of tables and views. Absent: the text names none and is for people. */
  readonly namespace?: string | undefined;
  /** Whether a write must read the table through a copy. */
  readonly copied?: (name: string, kind: 'table' | 'view') => boolean;
  /** Aliases of tables that have a row wherever an expression stands: none is the missing side of an outer join. */
  readonly present?: ReadonlySet<string>;
}
