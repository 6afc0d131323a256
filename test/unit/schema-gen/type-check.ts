/**
 * A small type checker for generated statements, written apart from the generator: every column resolves to an alias in
 * scope, operands compare like with like, assignments and inserted values fit their columns. Throws at the first fault.
 */
import { isQuery, itemsOf, type ColumnType, type Expression, type From, type Query, type Schema, type Select, type Statement, type Table } from '../../../core/index.ts';

type Scope = ReadonlyMap<string, ReadonlyMap<string, string>>;
const family = (type: ColumnType): string => (type.kind === 'varchar' ? 'text' : type.kind);
const NUMERIC = ['integer', 'bigint', 'decimal'];

function expect(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

export function checkStatement(statement: Statement, schema: Schema): void {
  if (isQuery(statement)) checkQuery(statement, schema);
  else if (statement.kind === 'insert') {
    const table = tableOf(schema, statement.table);
    expect(statement.columns.length > 0 && statement.rows.length > 0, 'an insert without columns or rows');
    expect(new Set(statement.columns).size === statement.columns.length, 'a column is listed twice');
    for (const row of statement.rows) {
      expect(row.length === statement.columns.length, 'a row of the wrong width');
      row.forEach((value, i) => assignable(table, statement.columns[i]!, value, new Map()));
    }
  } else if (statement.kind === 'update' || statement.kind === 'delete') {
    const table = tableOf(schema, statement.table);
    const scope = new Map([[table.name, columnsOf(table)]]);
    if (statement.where) expect(typeOf(statement.where, scope) === 'boolean', 'WHERE is no condition');
    if (statement.kind === 'delete') return;
    const names = statement.set.map((assignment) => assignment.column);
    expect(names.length > 0 && new Set(names).size === names.length, 'a column is set twice');
    for (const { column, value } of statement.set) assignable(table, column, value, scope);
  }
}

/** The families of the query's items. */
function checkQuery(query: Query, schema: Schema): string[] {
  if (query.kind === 'select') return checkSelect(query, schema);
  if (query.kind === 'setOperation') throw new Error('a set operation');
  const arms = query.arms.map((arm) => checkSelect(arm, schema));
  expect(arms.length >= 2 && arms.every((arm) => arm.join() === arms[0]!.join()), `arms differ: ${arms.map(String).join(' | ')}`);
  expect(query.arms.every((arm) => !arm.lock && !arm.orderBy && arm.limit === undefined), 'an arm with a lock, order or limit');
  return arms[0]!;
}

export function typeOfExpression(expression: Expression, table: Table): string {
  return typeOf(expression, new Map([[table.name, columnsOf(table)]]));
}

function checkSelect(select: Select, schema: Schema): string[] {
  const scope = new Map<string, ReadonlyMap<string, string>>();
  addFrom(select.from, schema, scope);
  expect(select.items.length > 0, 'no items');
  expect(new Set(select.items.map((item) => item.alias)).size === select.items.length, 'an item alias occurs twice');
  if (select.where) expect(typeOf(select.where, scope) === 'boolean', 'WHERE is no condition');
  for (const order of select.orderBy ?? []) typeOf(order.expression, scope);
  if (select.lock) expect(lockable(select.from), 'a lock on what cannot be locked');
  return select.items.map((item) => typeOf(item.expression, scope));
}

function lockable(from: From): boolean {
  return from.kind === 'table' || (from.kind === 'join' && from.type !== 'left' && lockable(from.left) && lockable(from.right));
}

function addFrom(from: From, schema: Schema, scope: Map<string, ReadonlyMap<string, string>>): void {
  if (from.kind === 'join') {
    addFrom(from.left, schema, scope);
    addFrom(from.right, schema, scope);
    expect((from.type === 'cross') === (from.on === undefined), 'ON is missing, or a cross join has it');
    if (from.on) expect(typeOf(from.on, scope) === 'boolean', 'ON is no condition');
    return;
  }
  expect(!scope.has(from.alias), `alias ${from.alias} occurs twice`);
  if (from.kind === 'table') {
    scope.set(from.alias, columnsOf(tableOf(schema, from.table)));
    return;
  }
  if (from.kind !== 'derived') throw new Error(`a ${from.kind}`);
  const types = checkQuery(from.query, schema);
  const items = itemsOf(from.query);
  scope.set(from.alias, new Map(items.map((item, i) => [item.alias, types[i]!])));
}

function assignable(table: Table, name: string, value: Expression, scope: Scope): void {
  const column = table.columns.find((candidate) => candidate.name === name);
  expect(column !== undefined && !column.identity, `${table.name}.${name} cannot be assigned`);
  if (value.kind === 'default') return;
  const type = typeOf(value, scope);
  expect(type === family(column!.type), `${table.name}.${name} of type ${column!.type.kind} gets ${type}`);
  if (value.kind === 'literal' && value.value === null) expect(column!.nullable, `${table.name}.${name} gets NULL`);
  if (value.kind === 'literal' && column!.type.kind === 'varchar' && value.value !== null) expect(String(value.value).length <= column!.type.length, 'a text too long');
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
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check
  switch (e.kind) {
    case 'literal':
      return e.type === 'varchar' ? 'text' : e.type;
    case 'column': {
      const type = scope.get(e.table)?.get(e.column);
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
    default:
      throw new Error(`${e.kind} has no place here`);
  }
}

function tableOf(schema: Schema, name: string): Table {
  const table = schema.tables.find((candidate) => candidate.name === name);
  if (!table) throw new Error(`no table ${name}`);
  return table;
}

function columnsOf(table: Table): ReadonlyMap<string, string> {
  return new Map(table.columns.map((column) => [column.name, family(column.type)]));
}
