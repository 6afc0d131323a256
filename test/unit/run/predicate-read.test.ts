import { expect, test } from 'vitest';
import type { Expression, From, Select, Statement, View } from '../../../core/index.ts';
import { predicateReads } from '../../../src/run/index.ts';

const above = (value: number): Expression => ({ kind: 'compare', op: '>', left: { kind: 'column', table: 'a', column: 'v' }, right: { kind: 'literal', type: 'integer', value } });
const where = above(5);
const table = (name: string): From => ({ kind: 'table', table: name, alias: 'a' });
const item: Expression = { kind: 'column', table: 'a', column: 'v' };
const select = (more: Partial<Select> = {}): Select => ({ kind: 'select', items: [{ expression: item, alias: 'v' }], from: table('t'), where, ...more });
const all = (from: From, more: Partial<Select> = {}): Select => ({ kind: 'select', items: [{ expression: item, alias: 'v' }], from, ...more });
const exists = (query: Select): Expression => ({ kind: 'exists', query, negated: false });
const onT = [{ table: 't', where }];

test('a SELECT, UPDATE or DELETE of one table reads by its WHERE, whatever becomes of the rows', () => {
  const update: Statement = { kind: 'update', table: 't', set: [{ column: 'v', value: item }], where };
  const cases: readonly Statement[] = [
    select(), select({ distinct: true, groupBy: [item], having: where, rollup: true }), select({ lock: { strength: 'update', wait: 'nowait' } }), update, { kind: 'delete', table: 't', where },
    { kind: 'insert', table: 'u', columns: ['v'], rows: [], query: select() },
  ];
  for (const statement of cases) expect(predicateReads(statement)).toEqual(onT);
  expect(predicateReads({ kind: 'delete', table: 't' })).toEqual([{ table: 't' }]);
});

test('derived tables, views and WITH queries are read whole', () => {
  const views: readonly View[] = [{ name: 'w', query: select(), updates: 't' }];
  const one = { with: { recursive: false, ctes: [{ name: 'c', query: select() }] } };
  expect(predicateReads(all({ kind: 'derived', query: select(), alias: 'd' }, { where: above(9) }))).toEqual(onT);
  expect(predicateReads(all({ kind: 'view', view: 'w', alias: 'd' }, { where: above(9) }), views)).toEqual(onT);
  expect(predicateReads(all({ kind: 'cte', name: 'c', alias: 'd' }, { ...one, where: above(9) }))).toEqual(onT);
  expect(predicateReads(all(table('u'), one))).toEqual([{ table: 'u' }]); // nobody names c: it is not run
});

test('an UPDATE through a simple view reads by both conditions', () => {
  const views: readonly View[] = [{ name: 'w', query: select(), updates: 't' }];
  const through: Statement = { kind: 'update', table: 't', through: 'w', set: [], where: above(9) };
  expect(predicateReads(through, views)).toEqual([{ table: 't', where: { kind: 'logic', op: 'and', operands: [where, above(9)] } }]);
  expect(predicateReads(through, [{ name: 'w', query: all({ kind: 'derived', query: select(), alias: 'd' }), updates: 't' }])).toBe('a view');
});

test('the WHEREs of several SELECTs on one table are joined by OR', () => {
  const or = { kind: 'logic', op: 'or', operands: [where, above(9)] };
  expect(predicateReads({ kind: 'unionAll', arms: [select(), select({ where: above(9) }), all(table('u'))] })).toEqual([{ table: 't', where: or }, { table: 'u' }]);
  expect(predicateReads({ kind: 'setOperation', op: 'except', all: false, left: select(), right: select({ where: above(9) }) })).toEqual([{ table: 't', where: or }]);
  expect(predicateReads({ kind: 'setOperation', op: 'union', all: false, left: select(), right: all(table('t')) })).toEqual([{ table: 't' }]);
});

test('a table that is read in another way too has none', () => {
  const join = (left: From, right: From): From => ({ kind: 'join', type: 'cross', left, right });
  const recursive = { with: { recursive: true, ctes: [{ name: 'c', query: { kind: 'setOperation', op: 'union', all: true, left: select(), right: all({ kind: 'cte', name: 'c', alias: 'x' }) } as const }] } };
  const named = { with: { recursive: false, ctes: [{ name: 'c', query: select() }] } };
  const cases: readonly (readonly [Statement, string])[] = [
    [select({ limit: 1 }), 'LIMIT'],
    [select({ lock: { strength: 'update', wait: 'skip locked' } }), 'SKIP LOCKED'],
    [all({ kind: 'derived', query: select({ lock: { strength: 'update' } }), alias: 'd' }), 'a lock within'],
    [all(join(table('t'), table('t'))), 'a join'],
    [all(join({ kind: 'derived', query: select(), alias: 'd' }, table('t'))), 'a join'],
    [all(join({ kind: 'cte', name: 'c', alias: 'd' }, table('t')), named), 'a join'],
    [all({ kind: 'derived', query: select(), alias: 'd', lateral: true }), 'a derived'],
    [select({ where: exists(select()) }), 'a subquery'],
    [select({ items: [{ expression: exists(select()), alias: 'v' }] }), 'a subquery'],
    [select({ ...named, orderBy: [{ expression: exists(all({ kind: 'cte', name: 'c', alias: 'd' })), descending: false }] }), 'a subquery'],
    [select({ having: exists(select()) }), 'a subquery'],
    [all({ kind: 'cte', name: 'c', alias: 'd' }, recursive), 'a recursive WITH'],
    [select(recursive), 'a recursive WITH'],
    [{ kind: 'delete', table: 't', where: exists(select()) }, 'a subquery'],
    [{ kind: 'update', table: 't', set: [{ column: 'v', value: { kind: 'subquery', query: select() } }], where }, 'a subquery'],
    [{ kind: 'update', table: 't', set: [], from: table('t'), where }, 'a join'],
    [{ kind: 'delete', table: 't', using: table('t'), where }, 'a join'],
    [{ kind: 'insert', table: 't', columns: ['v'], rows: [], query: select(), conflict: { action: 'nothing', columns: [] } }, 'an upsert'],
    [{ kind: 'unionAll', arms: [select(), select({ limit: 1 })] }, 'LIMIT'],
    [{ kind: 'unionAll', arms: [select(), all(join(table('t'), table('t')))] }, 'a join'],
  ];
  for (const [i, [statement, reason]] of cases.entries()) expect(predicateReads(statement), String(i)).toBe(reason);
});

test('the other tables of such a statement keep theirs', () => {
  expect(predicateReads(select({ items: [{ expression: exists(all(table('u'))), alias: 'v' }] }))).toEqual(onT);
  expect(predicateReads({ kind: 'update', table: 't', set: [{ column: 'v', value: { kind: 'subquery', query: all(table('u')) } }], where })).toEqual(onT);
});

test('a statement that reads no table has none', () => {
  expect(predicateReads({ kind: 'insert', table: 't', columns: ['v'], rows: [[item]] })).toBeUndefined();
  expect(predicateReads({ kind: 'savepoint', name: 'a' })).toBeUndefined();
});
