/**
 * Yields simpler statements of the same kind, the boldest first: the plainest statement on the same table, then one
 * clause, operand, item or row less anywhere inside. An edit may give a wrong statement (a column out of scope, a type
 * that does not fit). Then well-formed.ts or the server refuses it.
 */
import { contentsOf, isQuery, mapStatement, userColumnsOf, variantsOf } from '../../../core/index.ts';
import type {
  Delete,
  Expression,
  From,
  Insert,
  MergeBranch,
  Nodes,
  Query,
  Schema,
  Sort,
  Statement,
  Table,
  TestCase,
  TypeKind,
  Update,
  Value,
} from '../../../core/index.ts';
import { changedStatements } from './rewrite.ts';
import { transactionsOf, withStatement } from './steps.ts';

export function* plainStatements(current: TestCase): Generator<TestCase> {
  let n = 0;
  for (const txn of transactionsOf(current)) {
    for (const [place, statement] of txn.statements.entries()) {
      n++;
      for (const simpler of plainest(statement, current.schema, n)) yield withStatement(current, txn.id, place, simpler);
    }
  }
}

export function* simplerClauses(current: TestCase): Generator<TestCase> {
  yield* withoutViews(current);
  for (const txn of transactionsOf(current)) {
    for (const [place, statement] of txn.statements.entries()) {
      for (const simpler of smaller('statement', statement)) yield withStatement(current, txn.id, place, simpler);
    }
  }
}

/** Replaces a simple view by its table. */
function* withoutViews(current: TestCase): Generator<TestCase> {
  for (const view of current.schema.views ?? []) {
    const table = view.updates;
    if (table === undefined) continue;
    yield changedStatements(current, {
      from: (from) => (from.kind === 'view' && from.view === view.name ? { kind: 'table', table, alias: from.alias } : from),
    });
  }
}

function* plainest(statement: Statement, schema: Schema, n: number): Generator<Statement> {
  if (isQuery(statement)) yield* plainQueries(statement, schema);
  else if (statement.kind === 'update') yield* plainUpdates(statement, schema, n);
  else if (statement.kind === 'delete') yield* plainDeletes(statement, schema);
  else if (statement.kind === 'insert') yield* plainInserts(statement, schema, n);
  else if (statement.kind === 'merge') {
    for (const branch of statement.branches) {
      const alone = aloneOf(statement.table, branch);
      if (alone !== undefined) yield* [alone, ...plainest(alone, schema, n)];
    }
  }
}

/** Returns the action of a branch as a statement on every row. */
function aloneOf(table: string, { action, set = [], columns = [], values = [] }: MergeBranch): Statement | undefined {
  if (action === 'update') return { kind: 'update', table, set };
  if (action === 'delete') return { kind: 'delete', table };
  return action === 'insert' ? { kind: 'insert', table, columns, rows: [values] } : undefined;
}

function tableOf(schema: Schema, name: string): Table | undefined {
  return schema.tables.find((table) => table.name === name);
}

function* plainQueries(query: Query, schema: Schema): Generator<Statement> {
  if (isPlain(query)) return;
  const names = new Set(
    contentsOf(query).leaves.flatMap((leaf) =>
      leaf.kind === 'table' ? [leaf.table] : leaf.kind === 'view' ? tablesOfView(schema, leaf.view) : [],
    ),
  );
  const lock = query.kind === 'select' && query.lock ? { lock: { strength: query.lock.strength } } : {};
  for (const name of names) {
    const table = tableOf(schema, name);
    if (!table) continue;
    const items = table.columns.map((column) => ({ expression: columnOf(table, column.name), alias: column.name }));
    for (const where of keys(table)) yield { kind: 'select', items, from: { kind: 'table', table: name, alias: name }, ...lock, ...where };
  }
}

function* plainUpdates(statement: Update, schema: Schema, n: number): Generator<Statement> {
  const table = tableOf(schema, statement.table);
  if (!table || isPlainUpdate(statement)) return;
  for (const { column } of statement.set) {
    const type = table.columns.find(({ name }) => name === column)?.type.kind;
    if (type === undefined) continue;
    const value: Expression = { kind: 'literal', type, value: freshValue(type, n) };
    for (const where of keys(table)) yield { kind: 'update', table: statement.table, set: [{ column, value }], ...where };
  }
}

function* plainDeletes(statement: Delete, schema: Schema): Generator<Statement> {
  const table = tableOf(schema, statement.table);
  if (!table || (!statement.using && isKeyCondition(statement.where))) return;
  for (const where of keys(table)) yield { kind: 'delete', table: statement.table, ...where };
}

function* plainInserts(statement: Insert, schema: Schema, n: number): Generator<Statement> {
  const table = tableOf(schema, statement.table);
  if (!table || (!statement.query && !statement.conflict && statement.rows.flat().every(({ kind }) => kind === 'literal'))) return;
  const columns = userColumnsOf(table);
  yield {
    kind: 'insert',
    table: table.name,
    columns: columns.map(({ name }) => name),
    rows: [columns.map(({ type }): Expression => ({ kind: 'literal', type: type.kind, value: freshValue(type.kind, n) }))],
  };
}

/** Yields a WHERE by the key of each of the first rows, then none. */
function keys(table: Table): readonly { readonly where?: Expression }[] {
  const [first] = table.primaryKey;
  const at = table.columns.findIndex(({ name }) => name === first);
  if (
    first === undefined ||
    (table.columns[at]!.identity === true && table.columns[at]!.nextNumber === undefined) ||
    table.rows.length === 0
  )
    return [{}];
  const type = table.columns[at]!.type.kind;
  const points = table.rows
    .slice(0, 4)
    .map((row) => ({
      where: { kind: 'compare', op: '=', left: columnOf(table, first), right: { kind: 'literal', type, value: row[at]! } } as const,
    }));
  return [...points, {}];
}

function columnOf(table: Table, column: string): Expression {
  return { kind: 'column', table: table.name, column };
}

function tablesOfView(schema: Schema, name: string): readonly string[] {
  const view = schema.views?.find((each) => each.name === name);
  return view
    ? contentsOf(view.query).leaves.flatMap((leaf) =>
        leaf.kind === 'table' ? [leaf.table] : leaf.kind === 'view' ? tablesOfView(schema, leaf.view) : [],
      )
    : [];
}

const isColumn = ({ kind }: Expression): boolean => kind === 'column';
const isKeyCondition = (where: Expression | undefined): boolean =>
  where === undefined || (where.kind === 'compare' && isColumn(where.left) && where.right.kind === 'literal');
const isPlain = (query: Statement): boolean =>
  query.kind === 'select' &&
  query.from.kind === 'table' &&
  query.items.every(({ expression }) => isColumn(expression)) &&
  isKeyCondition(query.where) &&
  !query.groupBy &&
  !query.with;
const isPlainUpdate = ({ from, through, where, set }: Update): boolean =>
  !from && !through && isKeyCondition(where) && set.length === 1 && set[0]!.value.kind === 'literal';

/** Returns a value that hardly any generated row has, another one for each statement, so that a read value names its write. */
export function freshValue(type: TypeKind, n: number): Value {
  return FRESH[type](1 + (n % 9));
}

const FRESH: Readonly<Record<TypeKind, (digit: number) => Value>> = {
  integer: (n) => 70 + n,
  bigint: (n) => `7${n}`,
  decimal: (n) => String(n),
  text: (n) => `z${n}`,
  varchar: (n) => String.fromCodePoint(113 + n),
  boolean: (n) => n % 2 === 0,
  date: (n) => `2020-02-0${n}`,
  timestamp: (n) => `2020-02-0${n} 00:00:00`,
};

/** Yields the node with one part less: at the node itself, then inside each of its parts. */
function* smaller<S extends Sort>(sort: S, node: Nodes[S]): Generator<Nodes[S]> {
  yield* (OWN_OF as Partial<Own>)[sort]?.(node) ?? [];
  for (const variant of variantsOf(sort, node, smaller)) if (hasSelectsAlone(variant)) yield variant;
}

type Own = { readonly [S in Sort]: (node: Nodes[S]) => Iterable<Nodes[S]> };

/** An arm of UNION ALL that is a SELECT from a derived table may be replaced by that table's query, of any kind. */
function hasSelectsAlone(node: Nodes[Sort]): boolean {
  return !('arms' in node) || node.arms.every(({ kind }) => kind === 'select');
}

type OptionalKey<T> = { [F in keyof T]-?: object extends Pick<T, F> ? F : never }[keyof T];

/** Yields the node without one of these properties that it has. */
function* dropped<T extends object>(node: T, ...names: readonly OptionalKey<T>[]): Generator<T> {
  for (const name of names) {
    if (node[name] === undefined) continue;
    const less = { ...node };
    delete less[name];
    yield less;
  }
}

/** Yields halves of a list, then the list without one element; never the empty list. */
function* shorter<F extends string, T extends { readonly [K in F]?: readonly unknown[] }>(node: T, name: F): Generator<T> {
  const list = node[name] ?? [];
  if (list.length < 2) return;
  if (list.length > 3) {
    const half = list.length >> 1;
    yield { ...node, [name]: list.slice(0, half) };
    yield { ...node, [name]: list.slice(half) };
  }
  for (let i = 0; i < list.length; i++) yield { ...node, [name]: list.filter((_, k) => k !== i) };
}

/** Updates the table of a view instead, which has its columns under their own names. */
function throughTable(update: Update): Update {
  const { through, ...plain } = update;
  return mapStatement(plain, {
    expression: (each) => (each.kind === 'column' && each.table === through ? { ...each, table: update.table } : each),
  });
}

const one: Expression = { kind: 'literal', type: 'integer', value: 1 };

type OwnRows<T extends { readonly kind: string }> = { readonly [K in T['kind']]?: (node: Extract<T, { readonly kind: K }>) => Iterable<T> };

const STATEMENTS: OwnRows<Statement> = {
  *select(node) {
    yield* dropped(node, 'with', 'having', 'rollup', 'orderBy', 'limit', 'distinct', 'lock', 'where');
    if (node.groupBy) {
      const { rollup: _, ...grouped } = node;
      const { having: __, ...whole } = grouped;
      yield* dropped(grouped, 'groupBy');
      yield* dropped(whole, 'groupBy');
    }
    if (node.lock?.wait) yield { ...node, lock: { strength: node.lock.strength } };
    if (node.from.kind === 'derived') yield node.from.query;
    yield* shorter(node, 'items');
    if (node.groupBy) yield* shorter(node, 'groupBy');
  },
  *unionAll(node) {
    yield* node.arms;
    if (node.arms.length > 2) yield* shorter(node, 'arms');
  },
  *setOperation(node) {
    yield node.left;
    yield node.right;
    yield* dropped(node, 'with');
    if (!node.all) yield { ...node, all: true };
  },
  *insert(node) {
    yield* dropped(node, 'conflict', 'returning');
    yield* shorter(node, 'rows');
  },
  *update(node) {
    if (node.through !== undefined) yield throughTable(node);
    yield* dropped(node, 'from', 'returning', 'where');
    yield* shorter(node, 'set');
  },
  *delete(node) {
    yield* dropped(node, 'using', 'returning', 'where');
  },
  *withWrites(node) {
    yield* node.writes.map(({ write }) => write);
    yield node.last;
  },
  *merge(node) {
    yield* dropped(node, 'returning');
    yield* shorter(node, 'branches');
  },
};

function* lessOfBranch(branch: MergeBranch): Generator<MergeBranch> {
  yield* dropped(branch, 'and');
  yield* shorter(branch, 'set');
}

const FROMS: OwnRows<From> = {
  *join(node) {
    yield node.left;
    yield node.right;
    if (node.natural) yield* dropped(node, 'natural');
    if (node.type === 'left') yield { ...node, type: 'inner' };
  },
  *derived(node) {
    for (const leaf of contentsOf(node.query).leaves) if (leaf.kind === 'table') yield { ...leaf, alias: node.alias };
    yield* dropped(node, 'lateral');
  },
};

const EXPRESSIONS: OwnRows<Expression> = {
  *logic(node) {
    yield* node.operands;
    if (node.operands.length > 2) yield* shorter(node, 'operands');
  },
  *not(node) {
    yield node.operand;
  },
  *in(node) {
    yield* shorter(node, 'list');
    if (node.list.length === 1) yield { kind: 'compare', op: node.negated ? '<>' : '=', left: node.operand, right: node.list[0]! };
  },
  *between(node) {
    yield { kind: 'compare', op: '>=', left: node.operand, right: node.low };
    yield { kind: 'compare', op: '<=', left: node.operand, right: node.high };
  },
  *call(node) {
    yield* node.args;
  },
  *case(node) {
    yield node.then;
    yield node.otherwise;
  },
  *arithmetic(node) {
    yield one;
    yield node.left;
    yield node.right;
  },
  *concat(node) {
    yield* node.operands;
  },
  *cast(node) {
    yield node.operand;
  },
  *aggregate(node) {
    yield* dropped(node, 'distinct', 'filter', 'over');
    if (node.operand && node.name !== 'count') yield { kind: 'aggregate', name: 'count' };
    if (node.operand) yield node.operand;
  },
  *rank() {
    yield one;
  },
  *subquery() {
    yield one;
  },
};

type Of<T> = ((node: T) => Iterable<T>) | undefined;

const OWN_OF = {
  statement: (node: Statement) => (STATEMENTS[node.kind] as Of<Statement>)?.(node) ?? [],
  query: (node: Query) => (STATEMENTS[node.kind] as Of<Query>)?.(node) ?? [],
  part: (node: Nodes['part']) => (STATEMENTS[node.kind] as Of<Nodes['part']>)?.(node) ?? [],
  branch: lessOfBranch,
  from: (node: From) => (FROMS[node.kind] as Of<From>)?.(node) ?? [],
  expression: (node: Expression) => (EXPRESSIONS[node.kind] as Of<Expression>)?.(node) ?? [],
};
