/** Plans for a server with session variables and without RETURNING: where the captures stand and what is said of them. */
import { expect, test } from 'vitest';
import { contentsOf } from '../../../core/sql/index.ts';
import { decodeCapture } from '../../../core/history/index.ts';
import type { Expression, Select, Statement } from '../../../core/sql/index.ts';
import type { Capabilities } from '../../../core/dialect/index.ts';
import type { ProbedStatement } from '../../../core/program/index.ts';
import { instrument } from '../../../instrument/index.ts';
import { literal, schemaOf } from '../../sql.ts';

const SCHEMA = schemaOf('CREATE TABLE t (k int PRIMARY KEY); CREATE TABLE s (k int PRIMARY KEY)');
const CAPABILITIES: Capabilities = {
  returning: { insert: false, update: false, delete: false },
  lockStrengths: ['update', 'share'],
  lockWait: [],
  readBeside: 'queries',
  capture: { before: '', after: '', newValues: true, joinedReturning: false, flattens: false },
};
const col = (name: string): Expression => ({ kind: 'column', table: name, column: 'k' });
const equal = (left: Expression, right: Expression): Expression => ({ kind: 'compare', op: '=', left, right });
const s: Select = {
  kind: 'select',
  items: [{ expression: col('s'), alias: 'k' }],
  from: { kind: 'table', table: 's', alias: 's' },
  where: equal(col('s'), literal(1)),
};
const exists = (query: Select): Expression => ({ kind: 'exists', query, negated: false });
const maximum: Select = { ...s, items: [{ expression: { kind: 'aggregate', name: 'max', operand: col('s') }, alias: 'm' }] };

function planned(
  statement: Statement,
  capabilities: Partial<Capabilities> = {},
  rest: { readonly images?: boolean; readonly autocommit?: boolean; readonly level?: 'read-uncommitted' } = {},
): ProbedStatement {
  const { autocommit = false, ...options } = rest;
  const testCase = {
    seed: '',
    schema: SCHEMA,
    sessions: [{ transactions: [{ id: 7, statements: [statement], end: 'commit', autocommit }] }],
  } as const;
  return instrument(testCase, { mode: 'exact', capabilities: { ...CAPABILITIES, ...capabilities }, ...options }).sessions[0]!
    .transactions[0]!.statements[0]!;
}

const captures = (statement: Statement): number => contentsOf(statement).expressions.filter((each) => each.kind === 'capture').length;
const update = (where: Expression): Statement => ({ kind: 'update', table: 't', set: [{ column: 'k', value: literal(2) }], where });

test('an UPDATE captures in its last assignment where that one sees new values, else in the first', () => {
  const last = planned(update(equal(col('t'), literal(1)))).statement;
  const first = planned(update(equal(col('t'), literal(1))), { capture: { ...CAPABILITIES.capture!, newValues: false } }).statement;
  expect(last.kind === 'update' && last.set.map(({ value }) => value.kind)).toEqual(['literal', 'capture']);
  expect(first.kind === 'update' && first.set.map(({ value }) => value.kind)).toEqual(['capture', 'literal']);
});

test('a capture holds the image of the new version, unless a subquery may have it taken from the old one', () => {
  const width = (where: Expression): number => {
    const { statement } = planned(update(where), {}, { images: true });
    const value = statement.kind === 'update' ? statement.set.at(-1)!.value : undefined;
    const row = value?.kind === 'capture' ? value.reads[0] : undefined;
    return row?.kind === 'jsonArray' ? row.items.length : 0;
  };
  expect([width(equal(col('t'), literal(1))), width(equal(col('t'), { kind: 'subquery', query: maximum }))]).toEqual([4, 3]);
});

test('a DELETE asks for its WHERE once more before it captures', () => {
  const where = equal(col('t'), literal(1));
  const { statement, probe } = planned({ kind: 'delete', table: 't', where });
  expect(statement).toMatchObject({
    // oxlint-disable-next-line unicorn/no-thenable -- the IR's CASE
    where: { kind: 'logic', op: 'and', operands: [where, { kind: 'case', when: where, then: { kind: 'capture' } }] },
  });
  expect(probe).toMatchObject({ reads: 'exact', captured: { own: true } });
});

test('a scalar subquery is exact, one behind EXISTS partial, and not captured where it may become a join', () => {
  expect(planned(update(equal(col('t'), { kind: 'subquery', query: maximum }))).probe.reads).toBe('exact');
  const captured = planned(update(exists(s)));
  const flattened = planned(update(exists(s)), { capture: { ...CAPABILITIES.capture!, flattens: true } });
  expect([captured.probe.reads, flattened.probe.reads]).toEqual(['partial', 'partial']);
  expect([captures(captured.statement), captures(flattened.statement)]).toEqual([2, 1]);
});

test('what RETURNING can show is not captured, but what is read beside it is', () => {
  const returning = { insert: true, update: false, delete: true };
  expect(planned({ kind: 'delete', table: 't', where: equal(col('t'), literal(1)) }, { returning }).probe.captured).toBeUndefined();
  expect(
    planned({ kind: 'delete', table: 't', where: equal(col('t'), { kind: 'subquery', query: maximum }) }, { returning }).probe,
  ).toMatchObject({ layout: { kind: 'json' }, reads: 'exact', captured: { own: false } });
  expect(planned({ kind: 'delete', table: 't', using: s.from, where: equal(col('t'), col('s')) }, { returning }).probe).toMatchObject({
    layout: { kind: 'none' },
    captured: { own: true },
  });
});

test('a write in which nothing captures says so, and its variable is not read', () => {
  const insert = (value: Expression): Statement => ({ kind: 'insert', table: 't', columns: ['k'], rows: [[value]] });
  expect(planned(insert(literal(1))).probe.captured).toMatchObject({ own: true, silent: true });
  expect(planned(insert({ kind: 'subquery', query: maximum })).probe.captured?.silent).toBeUndefined();
  expect(planned(update(equal(col('t'), literal(1)))).probe.captured?.silent).toBeUndefined();
  const { captured } = planned(insert(literal(1))).probe;
  expect(decodeCapture(captured!, { affected: 1 }, undefined)).toEqual({ triples: ['t', 'r7.1_0', ',7.1'] });
  expect(decodeCapture({ ...captured!, silent: undefined as never }, { affected: 1 }, undefined).inconclusive?.reason).toMatch(
    /the capture was lost/,
  );
});

test('a REPLACE is preceded by a read of its keys only in a transaction', () => {
  const replace: Statement = { kind: 'insert', table: 't', columns: ['k'], rows: [[literal(1)]], conflict: { action: 'replace' } };
  expect(planned(replace).before?.statement).toMatchObject({
    lock: { strength: 'update' },
    where: { kind: 'logic', op: 'or', operands: [equal(col('t'), literal(1))] },
  });
  expect(planned(replace, {}, { autocommit: true }).before).toBeUndefined();
});

test('at READ UNCOMMITTED a query is captured rather than evaluated twice', () => {
  const query: Select = {
    kind: 'select',
    items: [{ expression: col('t'), alias: 'k' }],
    from: { kind: 'table', table: 't', alias: 't' },
    where: equal(col('t'), { kind: 'subquery', query: maximum }),
  };
  expect(planned(query).statement).toHaveProperty('reads');
  const { statement, probe } = planned(query, {}, { level: 'read-uncommitted' });
  expect(statement).not.toHaveProperty('reads');
  expect([probe.reads, probe.captured?.own, captures(statement)]).toEqual(['exact', false, 2]);
});
