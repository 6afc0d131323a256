/**
 * All free choices about a generated case: sizes, shares (probabilities) and weights. The sizes are those of the IsoRel
 * paper's section 3 (3 tables, 3 columns, 5 rows, 10 statements, 2-5 sessions). The weights favour updates of few rows,
 * because a case without conflicts tests nothing.
 */
import { UsageError } from '../../core/base/index.ts';
import type { IndexKind, LockStrength, TypeKind } from '../../core/sql/index.ts';
import type { BeginMode, Capabilities, Protocol } from '../../core/dialect/index.ts';

export interface Range {
  readonly min: number;
  readonly max: number;
}

export type StatementForm =
  | 'select'
  | 'unionAll'
  | 'insert'
  | 'update'
  | 'delete'
  | 'aggregate'
  | 'group'
  | 'distinct'
  | 'window'
  | 'cte'
  | 'recursive'
  | 'setOperation'
  | 'upsert'
  | 'insertSelect'
  | 'updateFrom'
  | 'updateView'
  | 'deleteUsing'
  | 'parent'
  | 'merge'
  | 'withWrites';

export interface GenerateOptions {
  /** `schedule` has few short transactions and an order for their steps. `stress` has many, without an order. */
  readonly mode: 'stress' | 'schedule';

  // Options of sizes.
  readonly maxTable: number;
  /** The two auxiliary columns are not counted. */
  readonly maxColumn: number;
  /** The number of initial rows per table. */
  readonly maxRow: number;
  /**
   * The number of values of each type that keys, conditions and assignments are drawn from: ten at most, fewer for
   * words and days.
   */
  readonly domainSize: number;
  /** The number of statements per transaction. It includes savepoints, but not BEGIN and COMMIT. */
  readonly maxStatement: number;
  readonly sessions: Range;
  readonly transactionsPerSession: Range;
  /** The two sizes that replace those above in mode `schedule`. */
  readonly scheduledMaxStatement: number;
  readonly scheduledTransactionsPerSession: Range;

  // Options of the schema.
  readonly types: Readonly<Record<TypeKind, number>>;
  readonly keys: Readonly<Record<'single' | 'composite' | 'none', number>>;
  /** Share of single keys that the server numbers. */
  readonly identityShare: number;
  /** Share of nullable columns among those outside the primary key. */
  readonly nullableShare: number;
  /** Share of NULLs in nullable columns. */
  readonly nullShare: number;
  readonly defaultShare: number;
  readonly uniqueShare: number;
  /** Share of key columns drawn as texts without a limit that stay so. The others become integers. */
  readonly textKeyShare: number;
  /**
   * Share of NULLs among values that an INSERT or an UPDATE gives to a column of a UNIQUE that accepts NULLs, of which
   * there may be many.
   */
  readonly nullKeyShare: number;
  readonly checkShare: number;
  readonly foreignKeyShare: number;
  readonly actions: Readonly<Record<'no action' | 'set null' | 'cascade' | 'set default', number>>;
  /** Share of ON UPDATE CASCADE on columns that are NOT NULL from columns that may be NULL. 0 makes them NO ACTION. */
  readonly nullableCascadeShare: 0 | 1;
  readonly indexShare: number;
  readonly multiColumnIndexShare: number;
  /** `plain` is a B-tree over whole columns of all rows. The others apply only to a DBMS that has them. */
  readonly indexKinds: Readonly<Record<'plain' | IndexKind, number>>;
  /**
   * Share among tables that can be partitioned: an integer in the key, no foreign key from or to it, and no other
   * unique key.
   */
  readonly partitionShare: number;
  /**
   * Share among tables with a column from which the server can compute a stored column. It applies only to a DBMS that
   * has them.
   */
  readonly generatedShare: number;
  /**
   * Share of schemas with a trigger that changes another table, on a table that no foreign key's action changes. It
   * applies only to a DBMS that has them.
   */
  readonly triggerShare: number;
  /** Share of tables with a simple view, and as many again with one that groups or joins. */
  readonly viewShare: number;
  /** Share of tables without any row at the start. */
  readonly emptyShare: number;
  /** Share of UPDATEs through a view. 0 makes them UPDATEs of a table. */
  readonly updatableViewShare: 0 | 1;

  // Options of transactions.
  /**
   * In mode `stress` the first session has one transaction alone, with this many reads and a write after them. 0 makes
   * it like the others.
   */
  readonly oldReads: number;
  /**
   * Weights of the begin modes. A read-only transaction keeps only those statements that read without a lock. If none
   * is left, it is `plain`.
   */
  readonly begins: Readonly<Record<'plain' | BeginMode, number>>;
  /**
   * Weights of the protocols by which a session sends its statements. All but `text` apply only to a DBMS that has
   * them.
   */
  readonly sends: Readonly<Record<'text' | Protocol, number>>;
  readonly autocommitShare: number;
  /** Share of autocommit SELECTs that lock and contain a subquery. 0 puts them between BEGIN and COMMIT. */
  readonly autocommitSubqueryLockShare: 0 | 1;
  /** Share of transactions that read every table whole and do nothing else. */
  readonly readEverythingShare: number;
  readonly rollbackShare: number;
  /** Share of transactions with savepoints. */
  readonly savepointShare: number;
  /**
   * Share of writing transactions with an INSERT whose last row has an existing key. It fails half way, and the
   * transaction continues.
   */
  readonly failureShare: number;
  /** Share of these INSERTs without a savepoint around them. It is 0 if an error ends the transaction. */
  readonly bareFailureShare: number;
  /**
   * Weights of statements. Reads: `group` has GROUP BY, often with HAVING or ROLLUP; `cte` and `recursive` a WITH;
   * `setOperation` UNION, INTERSECT or EXCEPT. Writes: `upsert` has an ON CONFLICT; `updateFrom` and `deleteUsing` a
   * join; `updateView` goes through a simple view; `parent` deletes a row, or changes a key, that a foreign key with an
   * action refers to. `merge`, and `withWrites`, a WITH of which a part writes, apply only to a DBMS that has them.
   */
  readonly statements: Readonly<Record<StatementForm, number>>;
  /** Share of statements on the table that the transaction returns to. */
  readonly focusShare: number;
  /** Share of statements that repeat an earlier read of their transaction, some of them with another lock. */
  readonly repeatShare: number;

  // Options of statements.
  readonly sources: Readonly<Record<'table' | 'join' | 'derived' | 'view', number>>;
  readonly joins: Readonly<Record<'inner' | 'left' | 'cross' | 'natural' | 'using', number>>;
  readonly setOperations: Readonly<Record<'union' | 'intersect' | 'except', number>>;
  /** Share of set operations that keep duplicates: UNION ALL, INTERSECT ALL, EXCEPT ALL. */
  readonly duplicatesShare: number;
  /** Shares of groups with HAVING and of groups with ROLLUP, independently. */
  readonly havingShare: number;
  readonly rollupShare: number;
  /** Shares of conditions with a subquery, of reads, and of UPDATE and DELETE. */
  readonly subqueryShare: number;
  readonly writeSubqueryShare: number;
  /** Share of assigned values that are a scalar subquery. */
  readonly subqueryValueShare: number;
  readonly subqueries: Readonly<Record<'scalar' | 'in' | 'exists' | 'notExists' | 'any' | 'all', number>>;
  /** Share of subqueries that name a column of the outer statement. */
  readonly correlatedShare: number;
  /** Weights of upserts. `updateWhere` is DO UPDATE with a condition. `replace` applies only to a DBMS that has it. */
  readonly conflicts: Readonly<Record<'update' | 'updateWhere' | 'nothing' | 'replace', number>>;
  /**
   * Share of MERGEs with a branch for rows that no row of the source matches. It applies only to a DBMS that has it.
   */
  readonly mergeBySourceShare: number;
  /** Share of joins of three tables among all joins. */
  readonly threeTableShare: number;
  /** Weights of locks. `no key update` and `key share` apply only to a DBMS that has them. */
  readonly locks: Readonly<Record<'none' | LockStrength, number>>;
  readonly lockWaits: Readonly<Record<'wait' | 'nowait' | 'skip locked', number>>;
  readonly orderShare: number;
  readonly limitShare: number;
  /** Weights of the target of a WHERE: one row by its key, a range, any predicate, or every row (no WHERE). */
  readonly targets: Readonly<Record<'point' | 'range' | 'any' | 'all', number>>;
  /**
   * `new` means the rows inserted since the start. Deleting them keeps tables small and the common target rows alive.
   */
  readonly deleteTargets: Readonly<Record<'point' | 'range' | 'any' | 'all' | 'new', number>>;
  readonly predicates: Readonly<Record<'compare' | 'between' | 'in' | 'isNull' | 'like' | 'columns' | 'computed', number>>;
  /** Share of IS NULL on days or times. 0 compares them instead. */
  readonly nullDayShare: 0 | 1;
  /** Weights of the combinations of predicates. */
  readonly connectives: Readonly<Record<'none' | 'and' | 'or' | 'not', number>>;
  readonly values: Readonly<Record<'literal' | 'column' | 'computed' | 'coalesce' | 'case' | 'default', number>>;
  /**
   * Share of literals taken from the initial rows, the first ones most often. The others come from the column's whole
   * domain.
   */
  readonly hotShare: number;
  readonly multiRowShare: number;
  /** Share of inserts whose key comes from the small domain, where it may exist already. The others take a new one. */
  readonly smallKeyShare: number;
  /** Share of updates that change a key or unique column. */
  readonly keyUpdateShare: number;
  /** Share of these whose new key comes from the small domain, which a row may have left before or another may hold. */
  readonly keyReturnShare: number;
  /**
   * Share of conditions on one row, and of references to one, that take the key from the small domain. No row may have
   * it.
   */
  readonly absentShare: number;
}

/** The options that a caller gives. Missing options, and missing rows of a table of weights, take the default. */
export type GivenOptions = {
  readonly [K in keyof GenerateOptions]?: GenerateOptions[K] extends Readonly<Record<string, number>>
    ? Partial<GenerateOptions[K]>
    : GenerateOptions[K];
};

/** Zero weights, to be overridden by the wanted ones. */
export const NO_STATEMENTS: GenerateOptions['statements'] = {
  select: 0,
  unionAll: 0,
  insert: 0,
  update: 0,
  delete: 0,
  aggregate: 0,
  group: 0,
  distinct: 0,
  window: 0,
  cte: 0,
  recursive: 0,
  setOperation: 0,
  upsert: 0,
  insertSelect: 0,
  updateFrom: 0,
  updateView: 0,
  deleteUsing: 0,
  parent: 0,
  merge: 0,
  withWrites: 0,
};

export const DEFAULT_OPTIONS: GenerateOptions = {
  mode: 'stress',

  maxTable: 3,
  maxColumn: 3,
  maxRow: 5,
  domainSize: 10,
  maxStatement: 10,
  sessions: { min: 2, max: 5 },
  transactionsPerSession: { min: 10, max: 30 },
  scheduledMaxStatement: 5,
  scheduledTransactionsPerSession: { min: 1, max: 2 },

  types: { integer: 6, bigint: 2, decimal: 2, text: 2, varchar: 3, boolean: 1, date: 1, timestamp: 1 },
  keys: { single: 6, composite: 2, none: 2 },
  identityShare: 0.12,
  nullableShare: 0.5,
  nullShare: 0.12,
  defaultShare: 0.25,
  uniqueShare: 0.2,
  textKeyShare: 0,
  nullKeyShare: 0,
  checkShare: 0.3,
  foreignKeyShare: 0.65,
  actions: { 'no action': 2, 'set null': 3, cascade: 2, 'set default': 3 },
  nullableCascadeShare: 1,
  indexShare: 0.4,
  multiColumnIndexShare: 0.2,
  indexKinds: { plain: 3, descending: 0, hash: 0, brin: 0, prefix: 0, partial: 0, expression: 0 },
  partitionShare: 0,
  generatedShare: 0,
  triggerShare: 0,
  viewShare: 0.6,
  emptyShare: 0,
  updatableViewShare: 1,

  oldReads: 0,
  begins: { plain: 14, 'read only': 0, deferrable: 0, 'consistent snapshot': 0 },
  sends: { text: 6, 'prepared by text': 0, 'prepared by protocol': 0 },
  autocommitShare: 0.12,
  autocommitSubqueryLockShare: 1,
  readEverythingShare: 0.04,
  rollbackShare: 0.08,
  savepointShare: 0.12,
  failureShare: 0,
  bareFailureShare: 0.6,
  statements: {
    select: 11,
    unionAll: 2,
    insert: 3,
    update: 21,
    delete: 2.5,
    aggregate: 3.5,
    group: 7.8,
    distinct: 3.9,
    window: 3.9,
    cte: 3.8,
    recursive: 3.8,
    setOperation: 6.8,
    upsert: 11.5,
    insertSelect: 3.8,
    updateFrom: 3.8,
    updateView: 4.2,
    deleteUsing: 3.9,
    parent: 5,
    merge: 0,
    withWrites: 0,
  },
  focusShare: 0.6,
  repeatShare: 0,

  sources: { table: 4.5, join: 3.2, derived: 1, view: 1.8 },
  joins: { inner: 3, left: 2, cross: 1, natural: 6, using: 2 },
  setOperations: { union: 0.25, intersect: 1, except: 1 },
  duplicatesShare: 0.3,
  havingShare: 0.55,
  rollupShare: 0.5,
  subqueryShare: 0.3,
  writeSubqueryShare: 0.52,
  subqueryValueShare: 0.08,
  subqueries: { scalar: 1, in: 1, exists: 1, notExists: 1, any: 1, all: 1 },
  correlatedShare: 0.6,
  conflicts: { update: 1, updateWhere: 1.2, nothing: 1, replace: 0 },
  mergeBySourceShare: 0,
  threeTableShare: 0.3,
  locks: { none: 14, update: 4, share: 2, 'no key update': 0, 'key share': 0 },
  lockWaits: { wait: 18, nowait: 1, 'skip locked': 1 },
  orderShare: 0.25,
  limitShare: 0.1,
  targets: { point: 8, range: 6, any: 4, all: 3 },
  deleteTargets: { point: 5, range: 0.5, any: 1, all: 0.05, new: 7 },
  predicates: { compare: 6, between: 2, in: 3, isNull: 1, like: 2, columns: 1, computed: 2 },
  nullDayShare: 1,
  connectives: { none: 6, and: 2, or: 4, not: 1 },
  values: { literal: 5, column: 1, computed: 5, coalesce: 1, case: 2, default: 0.5 },
  hotShare: 0.8,
  multiRowShare: 0.3,
  smallKeyShare: 0.25,
  keyUpdateShare: 0.04,
  keyReturnShare: 0,
  absentShare: 0,
};

/**
 * Options without the shapes beyond plain reads and writes: no aggregate, subquery, WITH, view, set operation, upsert
 * or joined write, and no SET DEFAULT. Callers that cannot evaluate those use them.
 */
export const PLAIN_SHAPES: GivenOptions = {
  foreignKeyShare: 0.45,
  actions: { 'no action': 4, 'set null': 4, cascade: 1, 'set default': 0 },
  viewShare: 0,
  statements: { ...NO_STATEMENTS, select: 40, unionAll: 4, insert: 10, update: 39, delete: 7 },
  sources: { table: 6, join: 2.5, derived: 1.5, view: 0 },
  joins: { inner: 5, left: 3, cross: 2, natural: 0, using: 0 },
  subqueryShare: 0,
  writeSubqueryShare: 0,
  subqueryValueShare: 0,
};

/** Shapes that every DBMS has and the defaults lack, so that their seeds still give the same cases. */
export const WIDE_SHAPES: GivenOptions = {
  textKeyShare: 1,
  nullKeyShare: 0.4,
  failureShare: 0.12,
  // Failing statements come in addition to those that these weights draw, and must not make them rarer.
  statements: { updateView: 5.2, updateFrom: 4.2, insertSelect: 4.1 },
};

/**
 * Weights of features that few DBMSs have, used where a DBMS has them. DEFAULT_OPTIONS, which suits any DBMS, has none
 * of them.
 */
const RARE_LOCKS: Partial<GenerateOptions['locks']> = { 'no key update': 2, 'key share': 2 };
const RARE_INDEXES: Partial<GenerateOptions['indexKinds']> = { descending: 1, hash: 1, brin: 1, prefix: 1, partial: 1.5, expression: 1.5 };
const RARE_SENDS: Partial<GenerateOptions['sends']> = { 'prepared by text': 1, 'prepared by protocol': 1 };
/** These come beside the weights of the others, whichever these are. */
const RARE_STATEMENTS: Partial<GenerateOptions['statements']> = { merge: 4, withWrites: 3 };
/** Weights of forms that would otherwise become rarer beside the rare ones than they are asked for. */
const BESIDE_THEM: Partial<GenerateOptions['statements']> = { updateFrom: 4.8, deleteUsing: 4.9, insertSelect: 4.5 };
const RARE_BEGINS: Partial<GenerateOptions['begins']> = { 'read only': 1, deferrable: 1, 'consistent snapshot': 2 };

/** Returns the rows of the weights that the DBMS has. */
function weightsOf<K extends string>(weights: Readonly<Partial<Record<K, number>>>, there: readonly K[]): Partial<Record<K, number>> {
  return Object.fromEntries(there.flatMap((name) => (weights[name] === undefined ? [] : [[name, weights[name]]]))) as Partial<
    Record<K, number>
  >;
}

/** Returns the option, unless it is empty. */
function whereAny<N extends keyof GivenOptions>(name: N, weights: NonNullable<GivenOptions[N]> & object): GivenOptions {
  return Object.keys(weights).length === 0 ? {} : { [name]: weights };
}

/**
 * Returns the shapes without those that a DBMS cannot do, and adds those that few have (REPLACE, kinds of locks) where
 * they exist.
 */
export function optionsFor(capabilities: Capabilities, shapes: GivenOptions = {}): GivenOptions {
  const { merge, writingWith } = capabilities;
  const rare = weightsOf(RARE_STATEMENTS, [...(merge ? ['merge' as const] : []), ...(writingWith ? ['withWrites' as const] : [])]);
  return {
    ...shapes,
    ...ofFew(capabilities),
    ...whereAny('statements', { ...rare, ...shapes.statements, ...(Object.keys(rare).length > 0 && raised(shapes.statements)) }),
    ...(merge === 'whole' && { mergeBySourceShare: 0.4 }),
  };
}

/** Leaves out the forms that the shapes leave out. */
function raised(given: Partial<GenerateOptions['statements']> = {}): Partial<GenerateOptions['statements']> {
  return Object.fromEntries(Object.entries(BESIDE_THEM).filter(([form]) => given[form as StatementForm] !== 0));
}

function ofFew({
  unsupported = [],
  lockStrengths,
  lockWait,
  indexKinds = [],
  begins = {},
  sends = [],
  partitions,
  generated,
  savepointsRecover,
  triggers,
  replace,
}: Capabilities): GivenOptions {
  const waits = (['nowait', 'skip locked'] as const).filter((wait) => !lockWait.includes(wait));
  return {
    ...(unsupported.includes('set default') && { actions: { 'set default': 0 } }),
    ...(unsupported.includes('cascade from nullable') && { nullableCascadeShare: 0 }),
    ...(unsupported.includes('null of days') && { nullDayShare: 0 }),
    ...(unsupported.includes('intersect all') && { duplicatesShare: 0 }),
    ...(unsupported.includes('rollup') && { rollupShare: 0 }),
    ...(unsupported.includes('update through view') && { updatableViewShare: 0 }),
    ...(unsupported.includes('autocommit subquery locks') && { autocommitSubqueryLockShare: 0 }),
    ...whereAny('locks', { ...(!lockStrengths.includes('share') && { share: 0 }), ...weightsOf(RARE_LOCKS, lockStrengths) }),
    ...whereAny('indexKinds', weightsOf(RARE_INDEXES, indexKinds)),
    ...whereAny('begins', weightsOf(RARE_BEGINS, Object.keys(begins) as BeginMode[])),
    ...(waits.length > 0 && { lockWaits: Object.fromEntries(waits.map((wait) => [wait, 0])) }),
    ...whereAny('sends', weightsOf(RARE_SENDS, sends)),
    ...(partitions && { partitionShare: 0.6 }),
    ...(generated?.includes('stored') && { generatedShare: 0.3 }),
    ...(triggers === true && { triggerShare: 0.4 }),
    ...(savepointsRecover && { bareFailureShare: 0 }),
    ...(replace && { conflicts: { replace: 0.8 } }),
  };
}

/** Returns the defaults with the given options over them. Tables of weights may be given in part. */
export function resolveOptions(given: GivenOptions = {}): GenerateOptions {
  const resolved: Record<string, unknown> = { ...DEFAULT_OPTIONS };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const standard = resolved[name];
    if (standard === undefined)
      throw new UsageError(`unknown generator option ${JSON.stringify(name)}; known: ${Object.keys(DEFAULT_OPTIONS).join(', ')}`);
    // The defaults' key order is kept, because it decides the meaning of a draw.
    resolved[name] = typeof standard === 'object' ? { ...standard, ...(value as object) } : value;
  }
  for (const [name, value] of Object.entries(resolved)) {
    const problem = problemOf(name, value);
    if (problem) throw new UsageError(`generator option ${name}: got ${JSON.stringify(value)}, expected ${problem}`);
  }
  return resolved as unknown as GenerateOptions;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1;

function problemOf(name: string, value: unknown): string | undefined {
  if (name === 'mode') return value === 'stress' || value === 'schedule' ? undefined : 'stress or schedule';
  if (name === 'oldReads' && value === 0) return undefined;
  if (name.endsWith('Share')) return typeof value === 'number' && value >= 0 && value <= 1 ? undefined : 'a number from 0 to 1';
  if (typeof value !== 'object' || value === null) return isCount(value) ? undefined : 'an integer of at least 1';
  if ('min' in value && 'max' in value) {
    const fine = isCount(value.min) && isCount(value.max) && (value.min as number) <= (value.max as number);
    return fine ? undefined : 'integers 1 <= min <= max';
  }
  const weights = Object.values(value);
  const fine =
    weights.every((weight) => typeof weight === 'number' && weight >= 0 && Number.isFinite(weight)) && weights.some((weight) => weight > 0);
  return fine ? undefined : 'weights of at least 0, one of them above 0';
}
