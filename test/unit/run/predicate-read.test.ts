import { expect, test } from 'vitest';
import type { Expression, From, Select, Statement } from '../../../core/index.ts';
import { predicateReads } from '../../../src/run/index.ts';

const where: Expression = { kind: 'compare', op: '>', left: { kind: 'column', table: 'a', column: 'v' }, right: { kind: 'literal', type: 'integer', value: 5 } };
const t: From = { kind: 'table', table: 't', alias: 'a' };
const item: Expression = { kind: 'column', table: 'a', column: 'v' };
const select = (more: Partial<Select> = {}): Select => ({ kind: 'select', items: [{ expression: item, alias: 'v' }], from: t, where, ...more });

test('a SELECT, UPDATE or DELETE of one table reads by its WHERE', () => {
  const update: Statement = { kind: 'update', table: 't', set: [{ column: 'v', value: item }], where };
  for (const statement of [select(), select({ distinct: true, groupBy: [item] }), select({ lock: { strength: 'update', wait: 'nowait' } }), update, { kind: 'delete', table: 't', where } as const]) {
    expect(predicateReads(statement)).toEqual([{ table: 't', where }]);
  }
  expect(predicateReads({ kind: 'delete', table: 't' })).toEqual([{ table: 't' }]);
});

test('a statement that need not show all it read, or reads by more than a WHERE, has none', () => {
  const inner = { kind: 'exists', query: select(), negated: false } as const;
  const cases: readonly (readonly [Statement, string])[] = [
    [select({ limit: 1 }), 'LIMIT'],
    [select({ lock: { strength: 'update', wait: 'skip locked' } }), 'SKIP LOCKED'],
    [select({ groupBy: [item], having: where }), 'HAVING or ROLLUP'],
    [select({ groupBy: [item], rollup: true }), 'HAVING or ROLLUP'],
    [select({ from: { kind: 'join', type: 'cross', left: t, right: t } }), 'a join'],
    [select({ from: { kind: 'derived', query: select(), alias: 'a' } }), 'a derived'],
    [select({ where: inner }), 'a subquery'],
    [select({ items: [{ expression: inner, alias: 'v' }] }), 'a subquery'],
    [select({ with: { recursive: false, ctes: [] } }), 'a subquery'],
    [{ kind: 'delete', table: 't', where: inner }, 'a subquery'],
    [{ kind: 'update', table: 't', set: [{ column: 'v', value: { kind: 'subquery', query: select() } }], where }, 'a subquery'],
    [{ kind: 'update', table: 't', set: [], from: t, where }, 'an UPDATE of more than one table'],
    [{ kind: 'update', table: 't', through: 'w', set: [], where }, 'an UPDATE of more than one table'],
    [{ kind: 'delete', table: 't', using: t, where }, 'a DELETE of more than one table'],
    [{ kind: 'setOperation', op: 'except', all: false, left: select(), right: select() }, 'INTERSECT, EXCEPT or WITH'],
    [{ kind: 'unionAll', arms: [select(), select({ limit: 1 })] }, 'a UNION with LIMIT'],
  ];
  for (const [statement, reason] of cases) expect(predicateReads(statement)).toBe(reason);
  expect(predicateReads({ kind: 'insert', table: 't', columns: ['v'], rows: [[item]] })).toBeUndefined();
});

test('a UNION has one per table, its arms on that table joined by OR', () => {
  const u: From = { kind: 'table', table: 'u', alias: 'b' };
  const { where: _, ...whole } = select({ from: u });
  expect(predicateReads({ kind: 'unionAll', arms: [select(), select(), whole] })).toEqual([
    { table: 't', where: { kind: 'logic', op: 'or', operands: [where, where] } },
    { table: 'u' },
  ]);
  expect(predicateReads({ kind: 'setOperation', op: 'union', all: false, left: select({ from: u }), right: whole })).toEqual([{ table: 'u' }]);
});
