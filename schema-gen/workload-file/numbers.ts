/**
 * Decides whether a query relies on numbers that the server gives (serial, AUTO_INCREMENT). Telling rows apart (`o.id =
 * l.order_id`, GROUP BY id, count(id)) works with gaps in the numbers. `max(id)`, `id > 5`, `b.id = a.id + 1` may not.
 * Values are followed through derived tables, views and WITH, and through statements that copy them into other columns.
 */
import { contentsOf, effectsOf, isTruth, isWrite, itemsOf, leavesOf, partsOfExpression } from '../../core/sql/index.ts';
import type { NumberInQuery } from '../../core/level/index.ts';
import type { Expression, Leaf, Query, Schema, Statement, WriteStatement } from '../../core/sql/index.ts';

/**
 * The origin of a value: `number`, one that the server gave, or made of one; `stored`, as a row or the text holds it;
 * `computed` from others.
 */
type Origin = 'number' | 'stored' | 'computed';

/**
 * The meaning of the names in a statement. A name can have several leaves, since queries that do not see one another
 * may use the same alias.
 */
interface Names {
  readonly leaves: ReadonlyMap<string, readonly Leaf[]>;
  readonly ctes: ReadonlyMap<string, Query>;
  /** The table of a write. */
  readonly target?: string;
}

export class ServerNumbers {
  private readonly schema: Schema;
  /** The columns as `table.column`. */
  private readonly columns = new Set<string>();
  private readonly known = new Map<Query, readonly Origin[]>();
  /** WITH queries in progress: a recursive one names itself. */
  private readonly open = new Set<Query>();

  constructor(schema: Schema, writes: readonly WriteStatement[]) {
    this.schema = schema;
    for (const { name, columns } of schema.tables)
      for (const column of columns) if (column.identity === true) this.columns.add(`${name}.${column.name}`);
    for (let before = -1; before < this.columns.size;) {
      before = this.columns.size;
      for (const write of writes) for (const column of this.copiedTo(write)) this.columns.add(`${write.table}.${column}`);
      this.known.clear();
    }
  }

  /** Returns the first use of such a number for which it matters which one it is. */
  countedOn(query: Query): NumberInQuery | undefined {
    if (this.columns.size === 0) return undefined;
    const asked = asRows(query);
    const names = namesOf(asked);
    const { queries, joins, expressions } = contentsOf(asked);
    const apart = new Set([...queries.flatMap(namedIn), ...expressions.flatMap((each) => this.comparedIn(each, names))]);
    const used = expressions.find((each) => !apart.has(each) && this.usesNumber(each, names));
    if (used !== undefined) return used.kind === 'column' ? { kind: 'column', name: `${used.table}.${used.column}` } : { kind: 'subquery' };
    if (queries.some((each) => this.mixes(each, names))) return { kind: 'set-operation' };
    const joined = joins.flatMap((join) =>
      (join.using ?? []).filter((column) => mixed(leavesOf(join).map((leaf) => this.originIn(leaf, column, names)))),
    );
    return joined[0] === undefined ? undefined : { kind: 'column', name: joined[0] };
  }

  private copiedTo(write: WriteStatement): readonly string[] {
    if (write.kind === 'delete') return [];
    const names = namesOf(write);
    const numbered = (column: string, value: Expression | undefined): readonly string[] =>
      value !== undefined && this.originOf(value, names) === 'number' ? [column] : [];
    if (write.kind === 'merge')
      return write.branches.flatMap(({ set = [], columns = [], values = [] }) => [
        ...set.flatMap(({ column, value }) => numbered(column, value)),
        ...columns.flatMap((column, i) => numbered(column, values[i])),
      ]);
    if (write.kind === 'update') return write.set.flatMap(({ column, value }) => numbered(column, value));
    const origins = write.query === undefined ? [] : this.originsOf(write.query, names);
    const updated = write.conflict?.action === 'update' ? write.conflict.set : [];
    return [
      ...write.columns.filter((_, i) => origins[i] === 'number'),
      ...write.rows.flatMap((row) => write.columns.flatMap((column, i) => numbered(column, row[i]))),
      ...updated.flatMap(({ column, value }) => numbered(column, value)),
    ];
  }

  private originOf(expression: Expression, names: Names): Origin {
    if (expression.kind === 'literal' || expression.kind === 'parameter') return 'stored';
    if (expression.kind === 'column')
      return merged((names.leaves.get(expression.table) ?? []).map((leaf) => this.originIn(leaf, expression.column, names)));
    if (expression.kind === 'proposed') return this.columns.has(`${names.target}.${expression.column}`) ? 'number' : 'stored';
    if (expression.kind === 'subquery') return this.originsOf(expression.query, names)[0] ?? 'stored';
    // A function may have read such a number itself.
    if (expression.kind === 'routine' && effectsOf(this.schema, [], [expression.name]).reads.size > 0 && this.columns.size > 0)
      return 'number';
    return madeOf(expression).some((part) => this.originOf(part, names) === 'number') ? 'number' : 'computed';
  }

  private originIn(leaf: Leaf, column: string, names: Names): Origin {
    if (leaf.kind === 'table') return this.columns.has(`${leaf.table}.${column}`) ? 'number' : 'stored';
    const view = leaf.kind === 'view' ? this.schema.views?.find(({ name }) => name === leaf.view)?.query : undefined;
    const query = leaf.kind === 'derived' ? leaf.query : leaf.kind === 'cte' ? names.ctes.get(leaf.name) : view;
    // Columns that a writing part of a WITH returns are not followed.
    if (query === undefined) return leaf.kind === 'cte' && this.columns.size > 0 ? 'number' : 'stored';
    return (
      this.originsOf(query, view === undefined ? names : namesOf(view))[itemsOf(query).findIndex(({ alias }) => alias === column)] ??
      'stored'
    );
  }

  /** Returns the origins by column of the result. */
  private originsOf(query: Query, names: Names): readonly Origin[] {
    const known = this.known.get(query);
    if (known !== undefined) return known;
    // If a recursive query names itself, its first arm defines its columns.
    if (this.open.has(query)) return query.kind === 'setOperation' ? this.originsOf(query.left, names) : [];
    this.open.add(query);
    const origins =
      query.kind === 'select'
        ? query.items.map(({ expression }) => this.originOf(expression, names))
        : transposed(sidesOf(query).map((side) => this.originsOf(side, names))).map(merged);
    this.open.delete(query);
    this.known.set(query, origins);
    return origins;
  }

  private usesNumber(expression: Expression, names: Names): boolean {
    if (expression.kind === 'column' || expression.kind === 'subquery') return this.originOf(expression, names) === 'number';
    if (expression.kind !== 'inQuery' && expression.kind !== 'quantified') return false;
    const same = expression.kind === 'inQuery' || (expression.op === '=' && expression.quantifier === 'any');
    return this.originsOf(expression.query, names)[0] === 'number' && !(same && this.originOf(expression.operand, names) !== 'computed');
  }

  private comparedIn(expression: Expression, names: Names): readonly Expression[] {
    const compared = COMPARED[expression.kind] as ((expression: Expression, origins: Origins) => readonly Expression[]) | undefined;
    const origins: Origins = { of: (each) => this.originOf(each, names), ofQuery: (query) => this.originsOf(query, names)[0] ?? 'stored' };
    return compared?.(expression, origins) ?? [];
  }

  /** INTERSECT and EXCEPT compare the values of their sides. */
  private mixes(query: Query, names: Names): boolean {
    if (query.kind !== 'setOperation' || query.op === 'union') return false;
    return transposed(sidesOf(query).map((side) => this.originsOf(side, names))).some(mixed);
  }
}

/** Returns the parts that a value is computed from. A value that is only true or false shows no number. */
function madeOf(expression: Expression): readonly Expression[] {
  if (expression.kind === 'case') return [expression.then, expression.otherwise];
  if (expression.kind === 'aggregate') return expression.name === 'count' || expression.operand === undefined ? [] : [expression.operand];
  return expression.kind === 'rank' || isTruth(expression) ? [] : partsOfExpression(expression).expressions;
}

interface Origins {
  readonly of: (expression: Expression) => Origin;
  /** Returns the origin of its first column. */
  readonly ofQuery: (query: Query) => Origin;
}

/** The operands that are only tested for equality. */
const COMPARED: {
  readonly [K in Expression['kind']]?: (expression: Extract<Expression, { kind: K }>, origins: Origins) => readonly Expression[];
} = {
  compare: ({ op, left, right }, { of }) => {
    const origins = [of(left), of(right)];
    // Two numbers that differ belong to two rows. A number that differs from something else may be one step after it.
    const fine = op === '=' ? !origins.includes('computed') : op === '<>' && origins.every((origin) => origin === 'number');
    return fine ? [left, right] : [];
  },
  in: ({ operand, list }, { of }) => ([operand, ...list].some((each) => of(each) === 'computed') ? [] : [operand, ...list]),
  inQuery: ({ operand, query }, { ofQuery }) => (ofQuery(query) === 'computed' ? [] : [operand]),
  isNull: ({ operand }) => [operand],
  aggregate: ({ name, operand, over }) => [...(name === 'count' && operand !== undefined ? [operand] : []), ...(over?.partitionBy ?? [])],
  rank: ({ over }) => over.partitionBy,
};

/** The columns of an invariant's rows, and their order, do not decide whether there are any rows. */
function asRows(query: Query): Query {
  if (query.kind !== 'select') return query;
  const { orderBy: _, ...rest } = query;
  return { ...rest, items: [] };
}

/** Returns the values that a query gives to the outer one, its groups, and an order that leaves no row out. */
function namedIn(query: Query): readonly Expression[] {
  if (query.kind !== 'select') return [];
  return [...query.items, ...(query.limit === undefined ? (query.orderBy ?? []) : [])]
    .map(({ expression }) => expression)
    .concat(query.groupBy ?? []);
}

function sidesOf(query: Exclude<Query, { kind: 'select' }>): readonly Query[] {
  return query.kind === 'unionAll' ? query.arms : [query.left, query.right];
}

function transposed<T>(rows: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return (rows[0] ?? []).map((_, i) => rows.map((row) => row[i]!));
}

function mixed(origins: readonly Origin[]): boolean {
  return origins.includes('number') && origins.includes('computed');
}

function merged(origins: readonly Origin[]): Origin {
  return origins.includes('number') ? 'number' : origins.includes('computed') ? 'computed' : 'stored';
}

function namesOf(statement: Statement): Names {
  const { leaves, queries } = contentsOf(statement);
  const byAlias = new Map<string, Leaf[]>();
  for (const leaf of isWrite(statement) ? [changed(statement), ...leaves] : leaves)
    byAlias.set(leaf.alias, [...(byAlias.get(leaf.alias) ?? []), leaf]);
  const ctes = queries.flatMap((query) => (query.kind === 'unionAll' ? [] : (query.with?.ctes ?? [])));
  return {
    leaves: byAlias,
    ctes: new Map(ctes.map(({ name, query }) => [name, query])),
    ...(isWrite(statement) && { target: statement.table }),
  };
}

/** The row that a write changes is named by its table, or by the view that it is changed through. */
function changed(write: WriteStatement): Leaf {
  const through = write.kind === 'update' ? write.through : undefined;
  return through === undefined
    ? { kind: 'table', table: write.table, alias: write.table }
    : { kind: 'view', view: through, alias: through };
}
