/**
 * SQL as data: typed statements that schema-gen makes, instrument rewrites and a dialect prints. Names are bare
 * identifiers, and the printer quotes all of them. A column expression always names its alias. The printer always adds
 * parentheses, so that no rewrite changes precedence.
 */
import type { Bounds, RangeKind, TypeKind, Value } from './value.ts';

export type CompareOp = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type ArithmeticOp = '+' | '-' | '*';
/** Scalar functions that every dialect has. All are immutable. */
export type FunctionName = 'abs' | 'lower' | 'upper' | 'length' | 'coalesce' | 'nullif' | 'mod' | 'right';
export type AggregateName = 'count' | 'sum' | 'min' | 'max' | 'avg';
/** Functions that need a window. Aggregates may have one. */
export type RankName = 'row_number' | 'rank';

/** OVER (PARTITION BY ... ORDER BY ...), with the default frame of SQL. */
export interface Window {
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
}

export type Expression =
  | { readonly kind: 'literal'; readonly type: TypeKind; readonly value: Value }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  /**
   * A literal replaces it before the statement is sent: a value drawn for a user's file (bind-statement.ts), or a value
   * read in the session (bindings.ts).
   */
  | { readonly kind: 'parameter'; readonly name: string; readonly type: TypeKind }
  | { readonly kind: 'compare'; readonly op: CompareOp; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'logic'; readonly op: 'and' | 'or'; readonly operands: readonly Expression[] }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'isNull'; readonly operand: Expression; readonly negated: boolean }
  | { readonly kind: 'between'; readonly operand: Expression; readonly low: Expression; readonly high: Expression }
  | { readonly kind: 'in'; readonly operand: Expression; readonly list: readonly Expression[]; readonly negated: boolean }
  | { readonly kind: 'like'; readonly operand: Expression; readonly pattern: string; readonly negated: boolean }
  | { readonly kind: 'arithmetic'; readonly op: ArithmeticOp; readonly left: Expression; readonly right: Expression }
  /** The timestamp plus so many seconds, which may be negative. */
  | { readonly kind: 'shifted'; readonly operand: Expression; readonly seconds: number }
  | Overlaps
  | { readonly kind: 'concat'; readonly operands: readonly Expression[] }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] }
  /** A call of a function of the user's file (routine.ts). Only `effectsOf` knows what it reads and writes. */
  | { readonly kind: 'routine'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'case'; readonly when: Expression; readonly then: Expression; readonly otherwise: Expression }
  | { readonly kind: 'cast'; readonly operand: Expression; readonly type: TypeKind }
  /** Without an operand: count(*). `filter`: only rows for which it is true. */
  | {
      readonly kind: 'aggregate';
      readonly name: AggregateName;
      readonly operand?: Expression;
      readonly distinct?: boolean;
      readonly filter?: Expression;
      readonly over?: Window;
    }
  | { readonly kind: 'rank'; readonly name: RankName; readonly over: Window }
  /** A scalar subquery: one column and at most one row. No row gives NULL. It may name the outer aliases. */
  | { readonly kind: 'subquery'; readonly query: Query }
  | { readonly kind: 'exists'; readonly query: Query; readonly negated: boolean }
  | { readonly kind: 'inQuery'; readonly operand: Expression; readonly query: Query; readonly negated: boolean }
  | {
      readonly kind: 'quantified';
      readonly op: CompareOp;
      readonly quantifier: 'any' | 'all';
      readonly operand: Expression;
      readonly query: Query;
    }
  /** In ON CONFLICT DO UPDATE: a column of the row that could not be inserted (EXCLUDED, VALUES()). */
  | { readonly kind: 'proposed'; readonly column: string }
  /** DEFAULT as a value of INSERT or UPDATE. */
  | { readonly kind: 'default' }
  /** A JSON array of the operands, in order (json_build_array, JSON_ARRAY). Only the instrumenter makes it. */
  | { readonly kind: 'jsonArray'; readonly items: readonly Expression[] }
  /**
   * A JSON array with the item of every row (json_agg, JSON_ARRAYAGG), or NULL for no rows. Only the instrumenter makes
   * it. `once`: a server may leave out repeated items.
   */
  | { readonly kind: 'jsonAgg'; readonly item: Expression; readonly filter?: Expression; readonly over?: Window; readonly once?: true }
  /**
   * Returns `value`, after appending the JSON of each of `reads` to a session variable. This shows rows that the
   * statement does not return (Capabilities.capture). `once`: skips rows that were appended before. Without it a join
   * appends each row once for each partner. Only the instrumenter makes it.
   */
  | { readonly kind: 'capture'; readonly reads: readonly Expression[]; readonly once?: true; readonly value: Expression };

/**
 * Whether two spans overlap: `(a, b) OVERLAPS (c, d)`, or with `ranges` `tsrange(a, b) && tsrange(c, d)`
 * (Capabilities.ranges). OVERLAPS puts its ends in order and treats equal ends as a moment. A range with its lower end
 * above its upper one is an error. A range with equal ends is empty, and a missing end means no bound.
 */
export interface Overlaps {
  readonly kind: 'overlaps';
  readonly ends: readonly [Expression, Expression, Expression, Expression];
  readonly ranges?: { readonly of: RangeKind; readonly bounds: readonly [Bounds, Bounds] };
}

export type ColumnExpression = Extract<Expression, { kind: 'column' }>;

export interface SelectItem {
  readonly expression: Expression;
  readonly alias: string;
}

/** An index hint: use only this index, or any other one (Capabilities.indexHints). */
export interface IndexHint {
  readonly use: 'force' | 'ignore';
  readonly index: string;
}

export type From =
  | { readonly kind: 'table'; readonly table: string; readonly alias: string; readonly hint?: IndexHint }
  /** A view of the schema. */
  | { readonly kind: 'view'; readonly view: string; readonly alias: string }
  /** A WITH of this query or of an outer one. Within a recursive one: its own rows of the previous iteration. */
  | { readonly kind: 'cte'; readonly name: string; readonly alias: string }
  /** `lateral`: the query may name the aliases on its left. */
  | { readonly kind: 'derived'; readonly query: Query; readonly alias: string; readonly lateral?: boolean }
  | {
      readonly kind: 'join';
      readonly type: 'inner' | 'left' | 'cross';
      readonly left: From;
      readonly right: From;
      /** A join has either `on` or `using`. A cross join has neither. */
      readonly on?: Expression;
      /**
       * Columns that both sides have. Expressions name them with an alias as always, and the left side's holds the
       * joined value.
       */
      readonly using?: readonly string[];
      /** Print NATURAL instead of USING. `using` then lists all columns that the two sides share. */
      readonly natural?: boolean;
    };

export type LockStrength = 'update' | 'no key update' | 'share' | 'key share';

export interface Lock {
  /**
   * Only PostgreSQL has `no key update` and `key share`. FOR NO KEY UPDATE allows foreign-key checks of the row. FOR
   * KEY SHARE only locks its key.
   */
  readonly strength: LockStrength;
  readonly wait?: 'nowait' | 'skip locked';
}

export interface OrderItem {
  readonly expression: Expression;
  readonly descending: boolean;
}

export interface Cte {
  readonly name: string;
  /** The CTE's columns are the aliases of the query's items. */
  readonly query: Query;
}

export interface With {
  /** A CTE may then name itself: a set operation UNION [ALL] whose right side names it. */
  readonly recursive: boolean;
  readonly ctes: readonly Cte[];
}

/** How a transaction uses the answer of a statement (bindings.ts). Only whole statements of a user's file have it. */
export interface BindsAnswer {
  /** Names for the values of the returned row, by position. */
  readonly into?: readonly string[];
  /** The name for the number of rows that it inserted, matched or deleted. */
  readonly counted?: string;
  /** Conditions after the statement, in order. The first true one ends the transaction. */
  readonly stops?: readonly Stop[];
}

/** IF ... ROLLBACK, IF ... COMMIT: a condition over bound values. */
export interface Stop {
  readonly when: Expression;
  readonly end: 'rollback' | 'commit';
}

/**
 * Only the instrumenter sets `reads`, on a whole statement: a JSON array of what the statement reads. Subqueries
 * collect it beside the statement, on the same snapshot. The result then has one more row: NULLs, and [false, reads] in
 * its last column `iso_reads`. In the user's rows `iso_reads` is what RETURNING gives, and [] for a query.
 */
export interface ReadBeside extends BindsAnswer {
  readonly reads?: Expression;
}

export interface Select extends ReadBeside {
  readonly kind: 'select';
  readonly with?: With;
  readonly distinct?: boolean;
  readonly items: readonly SelectItem[];
  readonly from: From;
  readonly where?: Expression;
  /** Absent with an aggregate among the items or in HAVING: one group of all rows. */
  readonly groupBy?: readonly Expression[];
  /** Whether it is GROUP BY ROLLUP (groupBy). */
  readonly rollup?: boolean;
  readonly having?: Expression;
  readonly orderBy?: readonly OrderItem[];
  readonly limit?: number;
  readonly lock?: Lock;
}

export interface UnionAll extends ReadBeside {
  readonly kind: 'unionAll';
  /** At least two, with the same number of items of compatible types. None has an order or a limit. */
  readonly arms: readonly Select[];
}

/** Two queries of the same width, each in parentheses, without a lock. The left one names the columns. */
export interface SetOperation extends ReadBeside {
  readonly kind: 'setOperation';
  readonly with?: With;
  readonly op: 'union' | 'intersect' | 'except';
  readonly all: boolean;
  readonly left: Query;
  readonly right: Query;
}

export type Query = Select | UnionAll | SetOperation;

/** The action of an INSERT for a row that conflicts with an existing one. */
export type Conflict =
  /** ON CONFLICT (columns) DO NOTHING, INSERT IGNORE. No columns: any key. */
  | { readonly action: 'nothing'; readonly columns: readonly string[] }
  /**
   * ON CONFLICT (columns) DO UPDATE SET ... WHERE, ON DUPLICATE KEY UPDATE. The table's name stands for the existing
   * row, `proposed` for the proposed one.
   */
  | { readonly action: 'update'; readonly columns: readonly string[]; readonly set: readonly Assignment[]; readonly where?: Expression }
  /** REPLACE: deletes every conflicting row, then inserts. Not every DBMS has it (Capabilities.replace). */
  | { readonly action: 'replace' };

export interface Insert extends ReadBeside {
  readonly kind: 'insert';
  readonly table: string;
  readonly columns: readonly string[];
  /** Empty exactly if there is a query. */
  readonly rows: readonly (readonly Expression[])[];
  /** The query of INSERT ... SELECT. */
  readonly query?: Query;
  readonly conflict?: Conflict;
  readonly returning?: readonly SelectItem[];
}

export interface Assignment {
  readonly column: string;
  readonly value: Expression;
}

export interface Update extends ReadBeside {
  readonly kind: 'update';
  /** The base table whose rows change. */
  readonly table: string;
  /** The simple view that the statement names instead of the table. Columns are then named by the view. */
  readonly through?: string;
  readonly set: readonly Assignment[];
  /** UPDATE ... FROM. No alias in it is the table's own name. If a row has several partners, an arbitrary one counts. */
  readonly from?: From;
  readonly where?: Expression;
  /** Only the first `limit` rows in this order change. Both stand together, never with `from` (Capabilities.limitedWrites). */
  readonly orderBy?: readonly OrderItem[];
  readonly limit?: number;
  readonly returning?: readonly SelectItem[];
}

export interface Delete extends ReadBeside {
  readonly kind: 'delete';
  readonly table: string;
  /** DELETE ... USING. No alias in it is the table's own name. */
  readonly using?: From;
  readonly where?: Expression;
  /** Only the first `limit` rows in this order go. Both stand together, never with `using` (Capabilities.limitedWrites). */
  readonly orderBy?: readonly OrderItem[];
  readonly limit?: number;
  readonly returning?: readonly SelectItem[];
}

/**
 * MERGE INTO the table. For each row of the source and each row of the table for which `on` is true, the first branch
 * that applies runs. No alias of the source is the table's own name, which names the table's columns.
 */
export interface Merge extends ReadBeside {
  readonly kind: 'merge';
  readonly table: string;
  readonly source: From;
  readonly on: Expression;
  readonly branches: readonly MergeBranch[];
  /** Not on every server that has MERGE (PostgreSQL: from 17 on). */
  readonly returning?: readonly SelectItem[];
}

export interface MergeBranch {
  /**
   * `not matched by source`: rows of the table that no row of the source matches. Not on every server (PostgreSQL: from
   * 17 on).
   */
  readonly when: 'matched' | 'not matched' | 'not matched by source';
  readonly and?: Expression;
  readonly action: 'nothing' | 'delete' | 'update' | 'insert';
  /** For an update. */
  readonly set?: readonly Assignment[];
  /** For an insert: the columns that get a value, and the values. All other columns get their default. */
  readonly columns?: readonly string[];
  readonly values?: readonly Expression[];
}

/**
 * A WITH with data-modifying statements, before a statement that uses the rows they return (From `cte`). All of them
 * see the state before the whole statement. Only returned rows show what they wrote (PostgreSQL;
 * Capabilities.writingWith).
 */
export interface WithWrites extends ReadBeside {
  readonly kind: 'withWrites';
  readonly writes: readonly WrittenCte[];
  readonly last: Query | WriteStatement;
}

export interface WrittenCte {
  readonly name: string;
  readonly write: WriteStatement;
}

/**
 * A change of a table itself, not of rows by their values. The planner of the change names its indexes and constraints.
 * Columns are the table's. Capabilities.tableChanges says which DBMS accepts it where.
 */
export type TableChange =
  | { readonly does: 'truncate' }
  | { readonly does: 'create index'; readonly name: string; readonly columns: readonly string[]; readonly unique?: true }
  | { readonly does: 'drop index'; readonly name: string }
  /** The column is NOT NULL and an integer, and this value fills it. */
  | { readonly does: 'add column'; readonly column: string; readonly filledWith: number }
  | { readonly does: 'drop column'; readonly column: string }
  | { readonly does: 'rename column'; readonly column: string; readonly to: string }
  | { readonly does: 'rename'; readonly to: string }
  /** The column becomes a bigint. */
  | { readonly does: 'widen column'; readonly column: string }
  /** CHECK (column < below). */
  | { readonly does: 'add check'; readonly name: string; readonly column: string; readonly below: number }
  | { readonly does: 'add unique'; readonly name: string; readonly columns: readonly string[] }
  | { readonly does: 'add foreign key'; readonly name: string; readonly column: string; readonly to: string; readonly references: string };
export type TableChangeKind = TableChange['does'];

export interface ChangeTable extends BindsAnswer {
  readonly kind: 'changeTable';
  readonly table: string;
  readonly change: TableChange;
}

interface NamedPoint extends BindsAnswer {
  readonly name: string;
}

export type Savepoint =
  | ({ readonly kind: 'savepoint' } & NamedPoint)
  | ({ readonly kind: 'rollbackTo' } & NamedPoint)
  | ({ readonly kind: 'release' } & NamedPoint);

/**
 * A lock of the application's own, under a number, or a name in MySQL's family. A second request for it waits until the
 * holder's transaction has ended. The lock reads and writes nothing, and protects nothing by itself
 * (Capabilities.advisoryLocks).
 */
export interface AdvisoryLock extends BindsAnswer {
  readonly kind: 'advisoryLock';
  readonly key: Expression;
}

/** PostgreSQL's modes, the weakest first. */
export const TABLE_LOCK_MODES = [
  'access share',
  'row share',
  'row exclusive',
  'share update exclusive',
  'share',
  'share row exclusive',
  'exclusive',
  'access exclusive',
] as const;
export type TableLockMode = (typeof TABLE_LOCK_MODES)[number];

/**
 * LOCK TABLE: the transaction locks a whole table until it ends. It waits for every transaction that holds a
 * conflicting lock of the table, and each write and read takes such a lock too. The statement itself reads and writes
 * nothing, and opens no snapshot (Capabilities.tableLocks).
 */
export interface LockTable extends BindsAnswer {
  readonly kind: 'lockTable';
  readonly table: string;
  readonly mode: TableLockMode;
}

/** A write with one action. */
export type PlainWrite = Insert | Update | Delete;
export type WriteStatement = PlainWrite | Merge;
/** A statement that reads and writes no row. */
export type RowlessStatement = Savepoint | AdvisoryLock | LockTable;
/** A statement of a transaction's plan. BEGIN, COMMIT and ROLLBACK belong to the plan itself (test-case.ts). */
export type Statement = Query | WriteStatement | WithWrites | ChangeTable | RowlessStatement;
export type StatementKind = Statement['kind'];
