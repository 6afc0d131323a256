// Results that need not be those of a serial order, isolation or not, are no proof of anything.
import { describe, expect, it } from 'vitest';
import type { Expression, Insert, Select, Statement, Table, Update } from '../../../../core/sql/index.ts';
import type { TestCase } from '../../../../core/program/index.ts';
import type { NotCompared, NotComparedCode } from '../../../../core/verdict/index.ts';
import { notComparable } from '../../../../src/reproduce/not-comparable.ts';

const column = (name: string, table = 't'): Expression => ({ kind: 'column', table, column: name });
const int = (value: number | null): Expression => ({ kind: 'literal', type: 'integer', value });
const table = (identity: boolean): Table => ({
  name: 't',
  columns: [
    { name: 'id', type: { kind: 'integer' }, nullable: false, ...(identity && { identity: true }) },
    { name: 'v', type: { kind: 'integer' }, nullable: true },
  ],
  primaryKey: ['id'],
  uniques: [],
  checks: [],
  foreignKeys: [],
  indexes: [],
  rows: [],
});
const why = (statement: Statement, identity = false): NotCompared | undefined => {
  const testCase: TestCase = {
    seed: 's',
    schema: { tables: [table(identity)] },
    sessions: [{ transactions: [{ id: 1, statements: [statement], end: 'commit', autocommit: false }] }],
  };
  return notComparable(testCase);
};
const from = { kind: 'table', table: 't', alias: 't' } as const;
const select = (more: Partial<Select>): Select => ({ kind: 'select', items: [{ expression: column('v'), alias: 'v' }], from, ...more });
const equal = (name: string, right: Expression): Expression => ({ kind: 'compare', op: '=', left: column(name), right });
const by = (...names: string[]): NonNullable<Select['orderBy']> => names.map((name) => ({ expression: column(name), descending: false }));
const insert = (columns: readonly string[], row: readonly Expression[]): Insert => ({ kind: 'insert', table: 't', columns, rows: [row] });
const numbered = (...order: string[]): Select =>
  select({
    items: [
      { expression: column('v'), alias: 'v' },
      { expression: { kind: 'rank', name: 'row_number', over: { partitionBy: [], orderBy: by(...order) } }, alias: 'n' },
    ],
  });
const update = (value: Expression): Update => ({
  kind: 'update',
  table: 't',
  set: [{ column: 'v', value }],
  from: { ...from, alias: 'u' },
});

describe('results are not compared with serial orders', () => {
  it.each<[string, NotComparedCode, Statement, boolean?]>([
    ['where the server numbers a row', 'rows-numbered', insert(['v'], [int(1)]), true],
    ['where a DEFAULT numbers it', 'rows-numbered', insert(['id', 'v'], [{ kind: 'default' }, int(1)]), true],
    ['where a NULL numbers it', 'rows-numbered', insert(['id', 'v'], [int(null), int(1)]), true],
    ['where locked rows are skipped', 'skip-locked', select({ lock: { strength: 'update', wait: 'skip locked' } })],
    ['where a LIMIT has no order', 'open-limit', select({ limit: 1 })],
    [
      'where a LIMIT has an order with ties',
      'open-limit',
      select({ items: [{ expression: column('id'), alias: 'id' }], limit: 1, orderBy: by('v') }),
    ],
    [
      'where a subquery has such a LIMIT',
      'open-limit',
      select({
        where: {
          kind: 'exists',
          negated: false,
          query: select({ limit: 1, where: { kind: 'compare', op: '=', left: column('v'), right: int(1) } }),
        },
      }),
    ],
    [
      'where ROW_NUMBER has an order with ties',
      'open-row-number',
      select({ items: [{ expression: column('id'), alias: 'id' }, ...numbered('v').items] }),
    ],
    [
      'where a LIMIT stands beside a key that may be several values',
      'open-limit',
      select({ limit: 1, where: equal('id', { kind: 'literal', type: 'text', value: '1' }) }),
    ],
    [
      'where a LIMIT stands beside a key from which others follow',
      'open-limit',
      select({ limit: 1, where: { kind: 'compare', op: '>', left: column('id'), right: int(1) } }),
    ],
    ['where a LIMIT stands beside another column', 'open-limit', select({ limit: 1, where: equal('v', int(1)) })],
    ['where one of several partners is taken', 'several-partners', update(column('v', 'u'))],
  ])('%s', (_, code, statement, identity) => {
    expect(why(statement, identity)).toEqual({ code });
  });

  it.each<[string, Statement, boolean?]>([
    ['a number is given', insert(['id', 'v'], [int(1), int(1)]), true],
    ['nothing is numbered', insert(['v'], [int(1)])],
    ['a LIMIT follows the key', select({ limit: 1, orderBy: by('id') })],
    ['a LIMIT follows all that is returned', select({ limit: 1, orderBy: by('v') })],
    [
      'a LIMIT stands beside a whole key',
      select({ limit: 1, where: { kind: 'logic', op: 'and', operands: [equal('v', int(2)), equal('id', int(1))] } }),
    ],
    ['locks are waited for', select({ lock: { strength: 'update' } })],
    ['ROW_NUMBER follows the key', numbered('id')],
    ['the partner gives nothing', update(int(1))],
  ])('but they are where %s', (_, statement, identity) => {
    expect(why(statement, identity)).toBeUndefined();
  });
});
