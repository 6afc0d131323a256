/**
 * A small type checker for generated statements, written apart from the generator: every column resolves to an alias in
 * scope, operands compare like with like, assignments and inserted values fit their columns. Throws at the first fault.
 */
import {
  isQuery,
  itemsOf,
  partsOfExpression,
  type ColumnType,
  type Expression,
  type From,
  type Merge,
  type Query,
  type Schema,
  type Select,
  type Statement,
  type Table,
  type Window,
  type With,
  type WithWrites,
} from '../../../core/sql/index.ts';

type Columns = ReadonlyMap<string, string>;
/** Aliases, with those of the statements around. */
type Aliases = ReadonlyMap<string, Columns>;

interface Scope {
  readonly schema: Schema;
  readonly aliases: Aliases;
  readonly ctes: Aliases;
  /** What `proposed` names, in ON CONFLICT DO UPDATE. */
  readonly proposed?: Columns;
}

const family = (type: ColumnType): string => (type.kind === 'varchar' ? 'text' : type.kind);
const NUMERIC = ['integer', 'bigint', 'decimal'];

function expect(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

export function checkStatement(statement: Statement, schema: Schema): void {
  checkWithin(statement, { schema, aliases: new Map(), ctes: new Map() });
}

function checkWithin(statement: Statement, outside: Scope): void {
  const { schema } = outside;
  if (isQuery(statement)) checkQuery(statement, outside);
  else if (statement.kind === 'withWrites') checkWithWrites(statement, outside);
  else if (statement.kind === 'insert') checkInsert(statement, outside);
  else if (statement.kind === 'merge') checkMerge(statement, outside);
  else if (statement.kind === 'update' || statement.kind === 'delete') {
    const table = tableOf(schema, statement.table);
    const view = statement.kind === 'update' ? statement.through : undefined;
    if (view !== undefined)
      expect(
        schema.views?.some(({ name, updates }) => name === view && updates === table.name) === true,
        `${view} is no simple view of ${table.name}`,
      );
    const own = view === undefined ? columnsOf(table) : viewColumns(view, outside);
    const aliases = new Map([[view ?? table.name, own]]);
    const from = statement.kind === 'update' ? statement.from : statement.using;
    if (from) addFrom(from, outside, aliases);
    const scope = { ...outside, aliases };
    checkCondition(statement.where, scope);
    if (statement.kind === 'delete') return;
    for (const { column } of statement.set) expect(own.has(column), `${column} is not in ${view ?? table.name}`);
    checkSet(statement.set, table, scope);
  }
}

/** The parts see no other part, the statement sees all of them; no table is written twice. */
function checkWithWrites({ writes, last }: WithWrites, outside: Scope): void {
  const ctes = new Map(
    writes.map(({ name, write }) => {
      checkWithin(write, outside);
      const scope = { ...outside, aliases: new Map([[write.table, columnsOf(tableOf(outside.schema, write.table))]]) };
      const returned = (write.returning ?? []).map(({ alias, expression }) => [alias, typeOf(expression, scope)] as const);
      expect(returned.length > 0, 'a part that returns nothing');
      return [name, new Map(returned)] as const;
    }),
  );
  const written = [...writes.map(({ write }) => write.table), ...(isQuery(last) ? [] : [last.table])];
  expect(new Set(written).size === written.length, 'a table is written twice');
  checkWithin(last, { ...outside, ctes });
}

function checkMerge({ table: name, source, on, branches }: Merge, outside: Scope): void {
  const table = tableOf(outside.schema, name);
  const own = new Map([[name, columnsOf(table)]]);
  const met = new Map<string, Columns>();
  addFrom(source, outside, met);
  expect(!met.has(name), 'the source has the name of the table');
  checkCondition(on, { ...outside, aliases: new Map([...own, ...met]) });
  expect(branches.length > 0, 'no branch');
  for (const { when, and, action, set = [], columns = [], values = [] } of branches) {
    const aliases = when === 'matched' ? new Map([...own, ...met]) : when === 'not matched' ? met : own;
    const scope = { ...outside, aliases };
    checkCondition(and, scope);
    expect(action === 'nothing' || (action === 'insert') === (when === 'not matched'), `${action} of what is ${when}`);
    if (action === 'update') checkSet(set, table, scope);
    if (action !== 'insert') continue;
    expect(columns.length > 0 && columns.length === values.length && new Set(columns).size === columns.length, 'columns and values');
    values.forEach((value, i) => assignable(table, columns[i]!, value, scope));
  }
}

function checkInsert(insert: Extract<Statement, { kind: 'insert' }>, outside: Scope): void {
  const table = tableOf(outside.schema, insert.table);
  expect(
    insert.columns.length > 0 && insert.rows.length > 0 !== (insert.query !== undefined),
    'an insert without columns, or not with either rows or a query',
  );
  expect(new Set(insert.columns).size === insert.columns.length, 'a column is listed twice');
  for (const row of insert.rows) {
    expect(row.length === insert.columns.length, 'a row of the wrong width');
    row.forEach((value, i) => assignable(table, insert.columns[i]!, value, outside));
  }
  if (insert.query) {
    const types = checkQuery(insert.query, outside);
    const wanted = insert.columns.map((name) => columnsOf(table).get(name));
    expect(types.join() === wanted.join(), `the query gives ${types.join()}, the columns are ${wanted.join()}`);
  }
  const { conflict } = insert;
  if (!conflict || conflict.action === 'replace') return;
  const keys = [table.primaryKey, ...table.uniques].filter((key) => key.length > 0);
  const key = [...conflict.columns].sort().join();
  expect(
    (conflict.action === 'nothing' && key === '') || keys.some((names) => [...names].sort().join() === key),
    `ON CONFLICT (${key}) is no key of ${table.name}`,
  );
  if (conflict.action === 'nothing') return;
  const scope: Scope = { ...outside, aliases: new Map([[table.name, columnsOf(table)]]), proposed: columnsOf(table) };
  checkCondition(conflict.where, scope);
  checkSet(conflict.set, table, scope);
}

function checkSet(set: Extract<Statement, { kind: 'update' }>['set'], table: Table, scope: Scope): void {
  const names = set.map((assignment) => assignment.column);
  expect(names.length > 0 && new Set(names).size === names.length, 'a column is set twice');
  for (const { column, value } of set) assignable(table, column, value, scope);
}

/** WHERE, ON and the like: boolean, without an aggregate or a window function. */
function checkCondition(condition: Expression | undefined, scope: Scope): void {
  if (!condition) return;
  expect(!folds(condition), 'an aggregate or window function in a condition on rows');
  expect(typeOf(condition, scope) === 'boolean', 'WHERE or ON is no condition');
}

/** The families of the query's items. */
function checkQuery(query: Query, outer: Scope): string[] {
  if (query.kind === 'select') return checkSelect(query, outer);
  if (query.kind === 'setOperation') {
    const scope = withCtes(query.with, outer);
    const left = checkQuery(query.left, scope);
    expect(left.join() === checkQuery(query.right, scope).join(), `the sides of ${query.op} differ`);
    return left;
  }
  const arms = query.arms.map((arm) => checkSelect(arm, outer));
  expect(arms.length >= 2 && arms.every((arm) => arm.join() === arms[0]!.join()), `arms differ: ${arms.map(String).join(' | ')}`);
  expect(
    query.arms.every((arm) => !arm.lock && !arm.orderBy && arm.limit === undefined),
    'an arm with a lock, order or limit',
  );
  return arms[0]!;
}

function withCtes(clause: With | undefined, outer: Scope): Scope {
  let ctes = outer.ctes;
  for (const { name, query } of clause?.ctes ?? []) {
    const itself = clause!.recursive && query.kind === 'setOperation';
    if (itself) expect(query.op === 'union', 'a recursion without UNION');
    const first = named(query, itself ? checkQuery(query.left, { ...outer, ctes }) : checkQuery(query, { ...outer, ctes }));
    ctes = new Map([...ctes, [name, first]]);
    if (itself) checkQuery(query, { ...outer, ctes });
  }
  return { ...outer, ctes };
}

export function typeOfExpression(expression: Expression, table: Table): string {
  return typeOf(expression, { schema: { tables: [table] }, aliases: new Map([[table.name, columnsOf(table)]]), ctes: new Map() });
}

function checkSelect(select: Select, outer: Scope): string[] {
  const inside = withCtes(select.with, outer);
  const own = new Map<string, Columns>();
  addFrom(select.from, inside, own);
  const scope: Scope = { ...inside, aliases: new Map([...inside.aliases, ...own]) };
  expect(select.items.length > 0, 'no items');
  expect(new Set(select.items.map((item) => item.alias)).size === select.items.length, 'an item alias occurs twice');
  checkCondition(select.where, scope);
  for (const key of select.groupBy ?? []) expect(!folds(key) && typeOf(key, scope) !== '', 'a group key with an aggregate');
  if (select.having) expect(typeOf(select.having, scope) === 'boolean', 'HAVING is no condition');
  for (const order of select.orderBy ?? []) typeOf(order.expression, scope);
  const shown = [
    ...select.items.map((item) => item.expression),
    ...(select.having ? [select.having] : []),
    ...(select.orderBy ?? []).map((order) => order.expression),
  ];
  if (select.groupBy || shown.some(aggregates)) {
    const keys = new Set((select.groupBy ?? []).map((key) => JSON.stringify(key)));
    for (const expression of shown) expect(grouped(expression, keys, own), `not grouped: ${JSON.stringify(expression)}`);
  }
  if (select.distinct) {
    const items = select.items.map((item) => JSON.stringify(item.expression));
    expect(
      (select.orderBy ?? []).every((order) => items.includes(JSON.stringify(order.expression))),
      'DISTINCT ordered by what it does not show',
    );
  }
  if (select.lock)
    expect(lockable(select.from) && !select.distinct && !select.groupBy && !shown.some(folds), 'a lock on what cannot be locked');
  return select.items.map((item) => typeOf(item.expression, scope));
}

function inner(expression: Expression): readonly Expression[] {
  return partsOfExpression(expression).expressions;
}

/** An aggregate of this very query, subqueries left alone. */
function aggregates(expression: Expression): boolean {
  return (expression.kind === 'aggregate' && !expression.over) || inner(expression).some(aggregates);
}

function folds(expression: Expression): boolean {
  return expression.kind === 'aggregate' || expression.kind === 'rank' || inner(expression).some(folds);
}

/** Outside aggregates only group keys, whatever they are made of, and columns of the queries around. */
function grouped(expression: Expression, keys: ReadonlySet<string>, own: Aliases): boolean {
  if (keys.has(JSON.stringify(expression))) return true;
  if (expression.kind === 'aggregate') return !inner(expression).some(folds);
  if (expression.kind === 'column') return !own.has(expression.table);
  return inner(expression).every((part) => grouped(part, keys, own));
}

function lockable(from: From): boolean {
  return from.kind === 'table' || (from.kind === 'join' && from.type !== 'left' && lockable(from.left) && lockable(from.right));
}

function addFrom(from: From, outer: Scope, aliases: Map<string, Columns>): void {
  if (from.kind === 'join') {
    const [left, right] = [new Map<string, Columns>(), new Map<string, Columns>()];
    addFrom(from.left, outer, left);
    addFrom(from.right, outer, right);
    for (const [alias, columns] of [...left, ...right]) {
      expect(!aliases.has(alias) && !(left.has(alias) && right.has(alias)), `alias ${alias} occurs twice`);
      aliases.set(alias, columns);
    }
    expect(
      Number(from.on !== undefined) + Number(from.using !== undefined) === (from.type === 'cross' ? 0 : 1),
      'ON or USING is missing, or there is one too many',
    );
    checkCondition(from.on, { ...outer, aliases: new Map([...outer.aliases, ...aliases]) });
    if (from.using) checkUsing(from.using, from.natural === true, left, right);
    return;
  }
  expect(!aliases.has(from.alias), `alias ${from.alias} occurs twice`);
  if (from.kind === 'table') aliases.set(from.alias, columnsOf(tableOf(outer.schema, from.table)));
  else if (from.kind === 'view') aliases.set(from.alias, viewColumns(from.view, outer));
  else if (from.kind === 'cte') {
    expect(outer.ctes.has(from.name), `no WITH named ${from.name}`);
    aliases.set(from.alias, outer.ctes.get(from.name)!);
  } else
    aliases.set(
      from.alias,
      named(
        from.query,
        checkQuery(from.query, { ...outer, aliases: from.lateral ? new Map([...outer.aliases, ...aliases]) : outer.aliases }),
      ),
    );
}

function checkUsing(using: readonly string[], natural: boolean, left: Aliases, right: Aliases): void {
  const [a, b] = [left, right].map((side) => [...side.values()].flatMap((columns) => [...columns])) as [
    [string, string][],
    [string, string][],
  ];
  const types = (columns: readonly [string, string][], name: string): string[] =>
    columns.filter(([other]) => other === name).map(([, type]) => type);
  expect(using.length > 0 && new Set(using).size === using.length, 'USING no column, or one twice');
  for (const name of using)
    expect(
      types(a, name).length === 1 && types(a, name).join() === types(b, name).join(),
      `USING (${name}) of different types or of several columns`,
    );
  if (natural)
    expect(
      a.filter(([name]) => types(b, name).length > 0).every(([name]) => using.includes(name)),
      'NATURAL leaves out a common column',
    );
}

function viewColumns(name: string, { schema }: Scope): Columns {
  const view = schema.views?.find((candidate) => candidate.name === name);
  if (!view) throw new Error(`no view ${name}`);
  return named(view.query, checkQuery(view.query, { schema, aliases: new Map(), ctes: new Map() }));
}

function named(query: Query, types: readonly string[]): Columns {
  return new Map(itemsOf(query).map((item, i) => [item.alias, types[i]!]));
}

function assignable(table: Table, name: string, value: Expression, scope: Scope): void {
  const column = table.columns.find((candidate) => candidate.name === name);
  expect(column !== undefined && !column.identity && column.generated === undefined, `${table.name}.${name} cannot be assigned`);
  if (value.kind === 'default') return;
  const type = typeOf(value, scope);
  expect(type === family(column!.type), `${table.name}.${name} of type ${column!.type.kind} gets ${type}`);
  if (value.kind === 'literal' && value.value === null) expect(column!.nullable, `${table.name}.${name} gets NULL`);
  if (value.kind === 'literal' && column!.type.kind === 'varchar' && value.value !== null)
    expect(String(value.value).length <= column!.type.length, 'a text too long');
}

function same(parts: readonly Expression[], scope: Scope): string {
  const types = parts.map((part) => typeOf(part, scope));
  expect(types.length > 0 && types.every((type) => type === types[0]), `mixed types ${types.join(', ')}`);
  return types[0]!;
}

const only = (types: readonly string[], type: string): string => {
  expect(types.includes(type), `got ${type}, expected ${types.join(' or ')}`);
  return type;
};

function typeOf(e: Expression, scope: Scope): string {
  switch (e.kind) {
    case 'literal':
      return e.type === 'varchar' ? 'text' : e.type;
    case 'column': {
      const type = scope.aliases.get(e.table)?.get(e.column);
      expect(type !== undefined, `${e.table}.${e.column} is not in scope`);
      return type!;
    }
    case 'compare':
      same([e.left, e.right], scope);
      return 'boolean';
    case 'logic':
      expect(e.operands.length >= 2, 'a logic of one operand');
      return only(['boolean'], same(e.operands, scope));
    case 'not':
      return only(['boolean'], typeOf(e.operand, scope));
    case 'isNull':
      typeOf(e.operand, scope);
      return 'boolean';
    case 'between':
      same([e.operand, e.low, e.high], scope);
      return 'boolean';
    case 'in':
      same([e.operand, ...e.list], scope);
      expect(e.list.length > 0, 'an empty IN list');
      return 'boolean';
    case 'like':
      only(['text'], typeOf(e.operand, scope));
      return 'boolean';
    case 'arithmetic':
      return only(NUMERIC, same([e.left, e.right], scope));
    case 'shifted':
      return only(['timestamp'], typeOf(e.operand, scope));
    case 'concat':
      return only(['text'], same(e.operands, scope));
    case 'case':
      only(['boolean'], typeOf(e.when, scope));
      return same([e.then, e.otherwise], scope);
    case 'call':
      if (e.name === 'length') return typeOf(e.args[0]!, scope) === 'text' ? 'integer' : 'no text';
      if (e.name === 'right') {
        only(['integer'], typeOf(e.args[1]!, scope));
        return only(['text'], typeOf(e.args[0]!, scope));
      }
      return same(e.args, scope);
    case 'cast':
      typeOf(e.operand, scope);
      return e.type === 'varchar' ? 'text' : e.type;
    case 'aggregate': {
      const of = e.operand && typeOf(e.operand, scope);
      if (e.over) checkWindow(e.over, scope);
      if (e.name === 'count') return 'bigint';
      if (e.name === 'min' || e.name === 'max') return only(NUMERIC.concat('text', 'date', 'timestamp'), of!);
      only(NUMERIC, of!);
      return e.name === 'sum' && of === 'integer' ? 'bigint' : 'decimal';
    }
    case 'rank':
      checkWindow(e.over, scope);
      return 'bigint';
    case 'subquery':
      expect(
        e.query.kind === 'select' && !e.query.groupBy && e.query.items.some((item) => aggregates(item.expression)),
        'a scalar subquery that may have several rows',
      );
      return column(e.query, scope);
    case 'exists':
      checkQuery(e.query, scope);
      return 'boolean';
    case 'inQuery':
    case 'quantified':
      expect(column(e.query, scope) === typeOf(e.operand, scope), 'a subquery of another type than what it is compared with');
      return 'boolean';
    case 'proposed':
      expect(scope.proposed?.has(e.column) === true, `no proposed ${e.column}`);
      return scope.proposed!.get(e.column)!;
    case 'default':
    case 'parameter':
    case 'jsonArray':
    case 'jsonAgg':
    case 'capture':
    case 'routine':
    case 'overlaps':
      throw new Error(`${e.kind} has no place here`);
  }
}

function checkWindow(over: Window, scope: Scope): void {
  for (const expression of [...over.partitionBy, ...over.orderBy.map((order) => order.expression)])
    expect(!folds(expression) && typeOf(expression, scope) !== '', 'a window over a window');
}

/** The family of a query's only column. */
function column(query: Query, scope: Scope): string {
  const types = checkQuery(query, scope);
  expect(types.length === 1, 'a subquery of several columns');
  return types[0]!;
}

function tableOf(schema: Schema, name: string): Table {
  const table = schema.tables.find((candidate) => candidate.name === name);
  if (!table) throw new Error(`no table ${name}`);
  return table;
}

function columnsOf(table: Table): Columns {
  return new Map(table.columns.map((column) => [column.name, family(column.type)]));
}
