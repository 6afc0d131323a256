/**
 * SQL as data: the typed statements that schema-gen makes, instrument rewrites and a dialect prints. Names are bare
 * identifiers (the printer quotes them all), a column expression always names the alias it belongs to, and the printer
 * parenthesises always, so that no rewrite can change precedence.
 */
import type { Bounds, RangeKind, TypeKind, Value } from './value.ts';

export type CompareOp = '=' | '<>' | '<' | '<=' | '>' | '>=';
export type ArithmeticOp = '+' | '-' | '*';
/** Scalar functions that every dialect has; all are immutable. */
export type FunctionName = 'abs' | 'lower' | 'upper' | 'length' | 'coalesce' | 'nullif' | 'mod' | 'right';
export type AggregateName = 'count' | 'sum' | 'min' | 'max' | 'avg';
/** What a window is needed for; the aggregates may have one. */
export type RankName = 'row_number' | 'rank';

/** OVER (PARTITION BY ... ORDER BY ...), with the frame that SQL gives it. */
export interface Window {
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
}

export type Expression =
  | { readonly kind: 'literal'; readonly type: TypeKind; readonly value: Value }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  /** A literal takes its place before anything is sent: what is drawn for a user's file in the case (bind-statement.ts), what was read in the session (heard.ts). */
  | { readonly kind: 'parameter'; readonly name: string; readonly type: TypeKind }
  | { readonly kind: 'compare'; readonly op: CompareOp; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'logic'; readonly op: 'and' | 'or'; readonly operands: readonly Expression[] }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'isNull'; readonly operand: Expression; readonly negated: boolean }
  | { readonly kind: 'between'; readonly operand: Expression; readonly low: Expression; readonly high: Expression }
  | { readonly kind: 'in'; readonly operand: Expression; readonly list: readonly Expression[]; readonly negated: boolean }
  | { readonly kind: 'like'; readonly operand: Expression; readonly pattern: string; readonly negated: boolean }
  | { readonly kind: 'arithmetic'; readonly op: ArithmeticOp; readonly left: Expression; readonly right: Expression }
  /** The timestamp that is so many seconds later, or earlier where these are negative. */
  | { readonly kind: 'shifted'; readonly operand: Expression; readonly seconds: number }
  | Overlaps
  | { readonly kind: 'concat'; readonly operands: readonly Expression[] }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] }
  /** Of a function of the user's file (routine.ts): what it reads and writes is told by `effectsOf` alone. */
  | { readonly kind: 'routine'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'case'; readonly when: Expression; readonly then: Expression; readonly otherwise: Expression }
  | { readonly kind: 'cast'; readonly operand: Expression; readonly type: TypeKind }
  /** No operand: count(*). `filter`: only rows for which it is true. */
  | {
      readonly kind: 'aggregate';
      readonly name: AggregateName;
      readonly operand?: Expression;
      readonly distinct?: boolean;
      readonly filter?: Expression;
      readonly over?: Window;
    }
  | { readonly kind: 'rank'; readonly name: RankName; readonly over: Window }
  /** A subquery as a value: one column, at most one row; no row is NULL. May name the aliases around it. */
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
  /** In ON CONFLICT DO UPDATE: the column of the row that could not be inserted (EXCLUDED, VALUES()). */
  | { readonly kind: 'proposed'; readonly column: string }
  /** DEFAULT as a value of INSERT or UPDATE. */
  | { readonly kind: 'default' }
  /** A JSON array of the operands, in order (json_build_array, JSON_ARRAY): only the instrumenter makes it. */
  | { readonly kind: 'jsonArray'; readonly items: readonly Expression[] }
  /**
   * A JSON array with the item of every row (json_agg, JSON_ARRAYAGG); NULL for no rows: only the instrumenter makes it.
   * `once`: an item that comes again need not be shown again, for a server that can leave it out.
   */
  | { readonly kind: 'jsonAgg'; readonly item: Expression; readonly filter?: Expression; readonly over?: Window; readonly once?: true }
  /**
   * The value, after the JSON of each of `reads` has been appended to a variable of the session: how a statement names rows
   * that it does not return (Capabilities.capture). `once`: not what has been appended before; without it a join would append
   * each row as often as it has partners. Only the instrumenter makes it.
   */
  | { readonly kind: 'capture'; readonly reads: readonly Expression[]; readonly once?: true; readonly value: Expression };

/**
 * Whether two spans overlap: `(a, b) OVERLAPS (c, d)`, or with `ranges` `tsrange(a, b) && tsrange(c, d)` (Capabilities.ranges).
 * The two differ: OVERLAPS puts its ends in order and takes equal ends for a moment; a range whose lower end is above its
 * upper one is an error, one whose ends are equal is empty, and one without an end has no bound there.
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

/** Of the table's indexes: no other, or any but this (Capabilities.indexHints). */
export interface IndexHint {
  readonly use: 'force' | 'ignore';
  readonly index: string;
}

export type From =
  | { readonly kind: 'table'; readonly table: string; readonly alias: string; readonly hint?: IndexHint }
  /** A view of the schema. */
  | { readonly kind: 'view'; readonly view: string; readonly alias: string }
  /** A WITH of this query or of one around it; within a recursive one, its own rows of the round before. */
  | { readonly kind: 'cte'; readonly name: string; readonly alias: string }
  /** Lateral: may name the aliases to its left. */
  | { readonly kind: 'derived'; readonly query: Query; readonly alias: string; readonly lateral?: boolean }
  | {
      readonly kind: 'join';
      readonly type: 'inner' | 'left' | 'cross';
      readonly left: From;
      readonly right: From;
      /** A join has either `on` or `using`; a cross join has neither. */
      readonly on?: Expression;
      /** Columns that both sides have. They are named with an alias as always: the left side's holds the joined value. */
      readonly using?: readonly string[];
      /** Print NATURAL instead of USING; `using` then lists all the columns that the two sides have in common. */
      readonly natural?: boolean;
    };

export type LockStrength = 'update' | 'no key update' | 'share' | 'key share';

export interface Lock {
  /** `no key update` and `key share` are PostgreSQL's: of a lock that spares whoever only refers to the row, and of one that only holds its key. */
  readonly strength: LockStrength;
  readonly wait?: 'nowait' | 'skip locked';
}

export interface OrderItem {
  readonly expression: Expression;
  readonly descending: boolean;
}

export interface Cte {
  readonly name: string;
  /** Its columns are the aliases of the query's items. */
  readonly query: Query;
}

export interface With {
  /** Then a CTE may name itself: a set operation UNION [ALL] whose right side alone does. */
  readonly recursive: boolean;
  readonly ctes: readonly Cte[];
}

/** What its transaction does with the answer of a statement (heard.ts); only whole statements of a user's file have it. */
export interface Heard {
  /** Names for the values of the row that it returned, by place. */
  readonly into?: readonly string[];
  /** Name for the number of rows that it inserted, matched or deleted. */
  readonly counted?: string;
  /** Behind it, in turn: the first condition that is true ends the transaction. */
  readonly stops?: readonly Stop[];
}

/** IF ... ROLLBACK, IF ... COMMIT: a condition over what was told. */
export interface Stop {
  readonly when: Expression;
  readonly end: 'rollback' | 'commit';
}

/**
 * Only the instrumenter sets `reads`, on a whole statement: a JSON array of what the statement reads, made of subqueries
 * and evaluated beside the statement, on the same snapshot. The result then has one row more, of NULLs but for its last
 * column `iso_reads`, which is [false, reads]; in the user's rows `iso_reads` is what RETURNING gives, [] for a query.
 */
export interface ReadBeside extends Heard {
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
  /** GROUP BY ROLLUP (groupBy). */
  readonly rollup?: boolean;
  readonly having?: Expression;
  readonly orderBy?: readonly OrderItem[];
  readonly limit?: number;
  readonly lock?: Lock;
}

export interface UnionAll extends ReadBeside {
  readonly kind: 'unionAll';
  /** At least two, with the same number of items of compatible types; none has an order or a limit. */
  readonly arms: readonly Select[];
}

/** Two queries of the same width, each in parentheses; it has no lock of its own. The columns are named by the left one. */
export interface SetOperation extends ReadBeside {
  readonly kind: 'setOperation';
  readonly with?: With;
  readonly op: 'union' | 'intersect' | 'except';
  readonly all: boolean;
  readonly left: Query;
  readonly right: Query;
}

export type Query = Select | UnionAll | SetOperation;

/** What an INSERT does with a row that meets an existing one. */
export type Conflict =
  /** ON CONFLICT (columns) DO NOTHING, INSERT IGNORE; no columns: whichever key is met. */
  | { readonly action: 'nothing'; readonly columns: readonly string[] }
  /**
   * ON CONFLICT (columns) DO UPDATE SET ... WHERE, ON DUPLICATE KEY UPDATE. Columns of the existing row are named by the
   * table, those of the proposed row by `proposed`.
   */
  | { readonly action: 'update'; readonly columns: readonly string[]; readonly set: readonly Assignment[]; readonly where?: Expression }
  /** REPLACE: deletes every row that is met, then inserts. Not every DBMS has it (Capabilities.replace). */
  | { readonly action: 'replace' };

export interface Insert extends ReadBeside {
  readonly kind: 'insert';
  readonly table: string;
  readonly columns: readonly string[];
  /** Empty exactly when there is a query. */
  readonly rows: readonly (readonly Expression[])[];
  /** INSERT ... SELECT. */
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
  /** The simple view that the statement names instead of the table; its columns are then named by the view's name. */
  readonly through?: string;
  readonly set: readonly Assignment[];
  /** UPDATE ... FROM: no alias in it is the table's own name. Of several partners of a row an arbitrary one counts. */
  readonly from?: From;
  readonly where?: Expression;
  readonly returning?: readonly SelectItem[];
}

export interface Delete extends ReadBeside {
  readonly kind: 'delete';
  readonly table: string;
  /** DELETE ... USING: no alias in it is the table's own name. */
  readonly using?: From;
  readonly where?: Expression;
  readonly returning?: readonly SelectItem[];
}

/**
 * MERGE INTO the table: of each row of the source, with the rows of the table for which `on` is true, the first branch that
 * fits. No alias of the source is the table's own name; columns of the table are named by it.
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
  /** Of rows of the table that nothing of the source meets: `not matched by source`, not on every server (PostgreSQL: from 17 on). */
  readonly when: 'matched' | 'not matched' | 'not matched by source';
  readonly and?: Expression;
  readonly action: 'nothing' | 'delete' | 'update' | 'insert';
  /** Of an update. */
  readonly set?: readonly Assignment[];
  /** Of an insert: every column of the table's that is not left to its default, and what it is filled with. */
  readonly columns?: readonly string[];
  readonly values?: readonly Expression[];
}

/**
 * WITH whose parts write, before a statement that names what they return (From `cte`). Every part and the statement see the
 * state before all of them; what they write shows in what they return alone (PostgreSQL; Capabilities.writingWith).
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
 * What happens to a table itself, not to rows by their values. Names of indexes and constraints are given by who plans it; columns
 * are the table's. Which DBMS takes it where: Capabilities.tableChanges.
 */
export type TableChange =
  | { readonly does: 'truncate' }
  | { readonly does: 'create index'; readonly name: string; readonly columns: readonly string[]; readonly unique?: true }
  | { readonly does: 'drop index'; readonly name: string }
  /** NOT NULL, of whole numbers, filled with this one. */
  | { readonly does: 'add column'; readonly column: string; readonly filledWith: number }
  | { readonly does: 'drop column'; readonly column: string }
  | { readonly does: 'rename column'; readonly column: string; readonly to: string }
  | { readonly does: 'rename'; readonly to: string }
  /** To whole numbers of eight bytes. */
  | { readonly does: 'widen column'; readonly column: string }
  /** CHECK (column < below). */
  | { readonly does: 'add check'; readonly name: string; readonly column: string; readonly below: number }
  | { readonly does: 'add unique'; readonly name: string; readonly columns: readonly string[] }
  | { readonly does: 'add foreign key'; readonly name: string; readonly column: string; readonly to: string; readonly references: string };
export type TableChangeKind = TableChange['does'];

export interface ChangeTable extends Heard {
  readonly kind: 'changeTable';
  readonly table: string;
  readonly change: TableChange;
}

interface NamedPoint extends Heard {
  readonly name: string;
}

export type Savepoint =
  | ({ readonly kind: 'savepoint' } & NamedPoint)
  | ({ readonly kind: 'rollbackTo' } & NamedPoint)
  | ({ readonly kind: 'release' } & NamedPoint);

/**
 * A lock of the application's own, under a number, or a name in MySQL's family. Whoever asks for the same one waits until the
 * transaction that holds it has ended. It reads and writes nothing, and protects nothing by itself (Capabilities.advisoryLocks).
 */
export interface AdvisoryLock extends Heard {
  readonly kind: 'advisoryLock';
  readonly key: Expression;
}

/** A write that does one thing. */
export type PlainWrite = Insert | Update | Delete;
export type WriteStatement = PlainWrite | Merge;
/** What a transaction's plan may hold; BEGIN, COMMIT and ROLLBACK belong to the plan itself (test-case.ts). */
export type Statement = Query | WriteStatement | WithWrites | ChangeTable | Savepoint | AdvisoryLock;
export type StatementKind = Statement['kind'];

export function isQuery(statement: Statement): statement is Query {
  return statement.kind === 'select' || statement.kind === 'unionAll' || statement.kind === 'setOperation';
}

export function isWrite(statement: Statement): statement is WriteStatement {
  return ['insert', 'update', 'delete', 'merge'].includes(statement.kind);
}

/** It goes by a name or a number, and reads and writes no row. */
export function isRowless(statement: Statement): statement is Savepoint | AdvisoryLock {
  return ['savepoint', 'rollbackTo', 'release', 'advisoryLock'].includes(statement.kind);
}

/** The tables that a statement says it writes to. */
export function writtenTables(statement: Statement): readonly string[] {
  if (isWrite(statement)) return [statement.table];
  return statement.kind === 'withWrites' ? [...statement.writes.map(({ write }) => write.table), ...writtenTables(statement.last)] : [];
}
