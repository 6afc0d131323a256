/**
 * Builders for canonical schedules: tables of integers, reads and writes of one row, of all rows or of the rows that
 * satisfy a condition. They make statements of the statement tree, so a schedule is the same on every DBMS.
 */
import type { Column, Expression, Lock, Statement, Table } from '../../core/index.ts';

const INT: Column['type'] = { kind: 'integer' };

/** Makes a table of integer columns. The first is the primary key. */
export function integers(name: string, columns: readonly string[], rows: readonly (readonly number[])[]): Table {
  return {
    name,
    columns: columns.map((column, i) => ({ name: column, type: INT, nullable: i > 0 })),
    primaryKey: columns.slice(0, 1),
    uniques: [],
    checks: [],
    foreignKeys: [],
    indexes: [],
    rows,
  };
}

/** Hermitage's table: 1 has 10, 2 has 20. */
export const TEST: readonly Table[] = [
  integers(
    'test',
    ['id', 'value'],
    [
      [1, 10],
      [2, 20],
    ],
  ),
];

export const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
export const number = (value: number): Expression => ({ kind: 'literal', type: 'integer', value });
export const all = (...operands: readonly Expression[]): Expression => ({ kind: 'logic', op: 'and', operands });
export const compare = (table: string, name: string, op: '=' | '<' | '>', value: number): Expression => ({
  kind: 'compare',
  op,
  left: column(table, name),
  right: number(value),
});
/** Makes `value % divisor = 0`, as Hermitage has it. */
export const divisible = (divisor: number): Expression => ({
  kind: 'compare',
  op: '=',
  left: { kind: 'call', name: 'mod', args: [column('test', 'value'), number(divisor)] },
  right: number(0),
});
export const valueIs = (op: '=' | '<' | '>', value: number): Expression => compare('test', 'value', op, value);
const rowOf = (table: string, id: number | undefined): { where?: Expression } =>
  id === undefined ? {} : { where: compare(table, 'id', '=', id) };

/** Reads the whole table or one row of `test(id, value)`. */
export const read = (id?: number, strength?: Lock['strength'], table = 'test'): Statement => ({
  kind: 'select',
  items: [
    { expression: column(table, 'id'), alias: 'id' },
    { expression: column(table, 'value'), alias: 'value' },
  ],
  from: { kind: 'table', table, alias: table },
  ...rowOf(table, id),
  ...(strength ? { lock: { strength } } : {}),
});

/** Reads the rows of `test` that satisfy the condition. */
export const find = (where: Expression, strength?: Lock['strength']): Statement => ({
  kind: 'select',
  items: [
    { expression: column('test', 'id'), alias: 'id' },
    { expression: column('test', 'value'), alias: 'value' },
  ],
  from: { kind: 'table', table: 'test', alias: 'test' },
  where,
  ...(strength ? { lock: { strength } } : {}),
});

export const select = (table: string, name: string, where?: Expression, strength?: Lock['strength']): Statement => ({
  kind: 'select',
  items: [{ expression: column(table, name), alias: name }],
  from: { kind: 'table', table, alias: table },
  ...(where ? { where } : {}),
  ...(strength ? { lock: { strength } } : {}),
});

export const set = (id: number, value: number, table = 'test'): Statement => ({
  kind: 'update',
  table,
  set: [{ column: 'value', value: number(value) }],
  ...rowOf(table, id),
});
export const update = (table: string, name: string, value: number, where: Expression): Statement => ({
  kind: 'update',
  table,
  set: [{ column: name, value: number(value) }],
  where,
});

const raised = (amount: number): Expression => ({ kind: 'arithmetic', op: '+', left: column('test', 'value'), right: number(amount) });
/** Sets value = value + amount in one row or in all. */
export const add = (amount: number, id?: number): Statement => ({
  kind: 'update',
  table: 'test',
  set: [{ column: 'value', value: raised(amount) }],
  ...rowOf('test', id),
});
export const addWhere = (amount: number, where: Expression): Statement => ({
  kind: 'update',
  table: 'test',
  set: [{ column: 'value', value: raised(amount) }],
  where,
});

export const remove = (table: string, where: Expression): Statement => ({ kind: 'delete', table, where });
export const insert = (table: string, columns: readonly string[], values: readonly number[]): Statement => ({
  kind: 'insert',
  table,
  columns,
  rows: [values.map(number)],
});
export const put = (id: number, value: number): Statement => insert('test', ['id', 'value'], [id, value]);
