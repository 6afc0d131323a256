/** Hand-made cases for the runner: two tables of three rows, and words for the statements on them. */
import type { Expression, Schema, Statement, Table } from '../../core/sql/index.ts';
import type { ProbedCase, TestCase, TxnPlan } from '../../core/program/index.ts';
import { instrument } from '../../instrument/index.ts';
import type { InstrumentOptions } from '../../instrument/index.ts';

export const integer = (value: number): Expression => ({ kind: 'literal', type: 'integer', value });
export const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
export const equals = (table: string, name: string, value: number): Expression => ({
  kind: 'compare',
  op: '=',
  left: column(table, name),
  right: integer(value),
});

function table(name: string): Table {
  return {
    name,
    columns: ['k', 'v'].map((c) => ({ name: c, type: { kind: 'integer' }, nullable: c === 'v' })),
    primaryKey: ['k'],
    uniques: [],
    checks: [],
    foreignKeys: [],
    indexes: [],
    rows: [
      [1, 10],
      [2, 20],
      [3, 30],
    ],
  };
}

export const SCHEMA: Schema = { tables: [table('t'), table('u')] };

export const read = (name: string, k: number): Statement => ({
  kind: 'select',
  items: [{ expression: column(name, 'v'), alias: 'v' }],
  from: { kind: 'table', table: name, alias: name },
  where: equals(name, 'k', k),
});
export const write = (name: string, k: number, v: number): Statement => ({
  kind: 'update',
  table: name,
  set: [{ column: 'v', value: integer(v) }],
  where: equals(name, 'k', k),
});
export const insert = (name: string, k: number): Statement => ({
  kind: 'insert',
  table: name,
  columns: ['k', 'v'],
  rows: [[integer(k), integer(0)]],
});
export const remove = (name: string, k: number): Statement => ({ kind: 'delete', table: name, where: equals(name, 'k', k) });

export const txn = (id: number, ...statements: Statement[]): TxnPlan => ({ id, statements, end: 'commit', autocommit: false });
export const auto = (id: number, statement: Statement): TxnPlan => ({ id, statements: [statement], end: 'commit', autocommit: true });

/** One array of transactions a session. */
export function probed(
  sessions: readonly (readonly TxnPlan[])[],
  options: InstrumentOptions & { schedule?: readonly number[] },
): ProbedCase {
  const testCase: TestCase = {
    seed: 'hand-made',
    schema: SCHEMA,
    sessions: sessions.map((transactions) => ({ transactions })),
    ...(options.schedule && { schedule: options.schedule }),
  };
  return instrument(testCase, options);
}
