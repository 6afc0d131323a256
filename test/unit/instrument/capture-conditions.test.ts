/**
 * Under which conditions a read appends its rows: a server may ask the capture before the conditions it stands behind, so
 * it asks for all of them once more, those of the queries around it included.
 */
import { describe, expect, test } from 'vitest';
import { contentsOf } from '../../../core/sql/index.ts';
import type { Expression, From, Select, Statement } from '../../../core/sql/index.ts';
import type { Capabilities } from '../../../core/dialect/index.ts';
import type { ProbedStatement } from '../../../core/program/index.ts';
import { instrument } from '../../../instrument/index.ts';
import { literal, schemaOf } from '../../sql.ts';

const SCHEMA = schemaOf('CREATE TABLE t (k int PRIMARY KEY); CREATE TABLE s (k int PRIMARY KEY); CREATE TABLE r (k int PRIMARY KEY)');
const WITHOUT_RETURNING: Capabilities = {
  returning: { insert: false, update: false, delete: false },
  lockStrengths: ['update', 'share'],
  lockWait: [],
  readBeside: 'queries',
  capture: { before: '', after: '', newValues: true, joinedReturning: false, flattens: false },
};
const WITH_RETURNING: Capabilities = {
  returning: { insert: true, update: true, delete: true },
  lockStrengths: ['update', 'share'],
  lockWait: [],
  readBeside: true,
};

const col = (name: string): Expression => ({ kind: 'column', table: name, column: 'k' });
const equal = (left: Expression, right: Expression): Expression => ({ kind: 'compare', op: '=', left, right });
const and = (...operands: readonly Expression[]): Expression => ({ kind: 'logic', op: 'and', operands });
const leaf = (name: string): From => ({ kind: 'table', table: name, alias: name });
const maximum = (rest: Partial<Select> = {}): Expression => ({
  kind: 'subquery',
  query: {
    kind: 'select',
    items: [{ expression: { kind: 'aggregate', name: 'max', operand: col('s') }, alias: 'm' }],
    from: leaf('s'),
    ...rest,
  },
});
const update = (where: Expression): Statement => ({ kind: 'update', table: 't', set: [{ column: 'k', value: literal(2) }], where });

function planned(statement: Statement, capabilities = WITHOUT_RETURNING): ProbedStatement {
  const testCase = {
    seed: '',
    schema: SCHEMA,
    sessions: [{ transactions: [{ id: 7, statements: [statement], end: 'commit', autocommit: false }] }],
  } as const;
  return instrument(testCase, { mode: 'exact', capabilities }).sessions[0]!.transactions[0]!.statements[0]!;
}

interface Guard {
  /** What is asked for before anything is appended. */
  readonly when: Expression | undefined;
  readonly capture: Extract<Expression, { kind: 'capture' }>;
}

/** The capture of the rows of this table that were read beside those written. */
function guardOf(statement: Statement, name: string): Guard {
  const { expressions } = contentsOf(planned(statement).statement);
  const shows = (each: Expression): each is Guard['capture'] =>
    each.kind === 'capture' && each.once === true && JSON.stringify(each.reads).includes(`"value":"${name}"`);
  const capture = expressions.find(shows)!;
  const around = expressions.find((each) => each.kind === 'case' && each.then === capture);
  return { when: around?.kind === 'case' ? around.when : undefined, capture };
}

describe('a subquery appends what it read', () => {
  test('of a table without a condition at once', () => {
    expect(guardOf(update(equal(col('t'), maximum())), 's').when).toBeUndefined();
  });

  test('where its own WHERE holds', () => {
    const own = equal(col('s'), literal(1));
    expect(guardOf(update(equal(col('t'), maximum({ where: own }))), 's').when).toEqual(own);
  });

  test('where the join conditions of its FROM hold', () => {
    const on = equal(col('s'), col('r'));
    expect(
      guardOf(update(equal(col('t'), maximum({ from: { kind: 'join', type: 'inner', left: leaf('s'), right: leaf('r'), on } }))), 's').when,
    ).toEqual(on);
  });

  test('where the conditions beside it hold, of the row that it is asked for', () => {
    const beside = equal(col('t'), literal(3));
    const { when } = guardOf(update(and(beside, equal(col('t'), maximum()))), 's');
    expect(when).toEqual(beside);
  });

  test('all of them together, each once', () => {
    const [beside, on, own] = [equal(col('t'), literal(3)), equal(col('s'), col('r')), equal(col('s'), literal(1))];
    const query = maximum({ from: { kind: 'join', type: 'inner', left: leaf('s'), right: leaf('r'), on }, where: own });
    expect(guardOf(update(and(beside, equal(col('t'), query))), 's').when).toEqual(and(beside, on, own));
  });

  test('behind its own WHERE, which stays', () => {
    const own = equal(col('s'), literal(1));
    const { statement } = planned(update(equal(col('t'), maximum({ where: own }))));
    const inner = contentsOf(statement).queries[0];
    expect(inner?.kind === 'select' && inner.where?.kind === 'logic' && inner.where.operands[0]).toEqual(own);
  });
});

test('a row that is read again is not appended again', () => {
  expect(guardOf(update(equal(col('t'), maximum())), 's').capture.once).toBe(true);
});

test('a DELETE over other tables appends their rows and, behind them, the row that goes', () => {
  const { when, capture } = guardOf({ kind: 'delete', table: 't', using: leaf('s'), where: equal(col('t'), col('s')) }, 's');
  expect(when).toEqual(equal(col('t'), col('s')));
  expect(capture.value).toMatchObject({ kind: 'capture', once: true, reads: [{ kind: 'jsonArray', items: [{ value: 't' }, {}, {}] }] });
});

test('a write whose subquery locks is not read a second time beside it, as that would see another version', () => {
  const locking = maximum({ items: [{ expression: col('s'), alias: 'k' }], lock: { strength: 'update' } });
  const writes: readonly Statement[] = [
    update(equal(col('t'), locking)),
    { kind: 'delete', table: 't', where: equal(col('t'), locking) },
    { kind: 'insert', table: 't', columns: ['k'], rows: [[locking]] },
  ];
  for (const write of writes) {
    const { statement, probe } = planned(write, WITH_RETURNING);
    expect(probe).toMatchObject({ reads: 'partial', reason: expect.stringContaining('lock') as string });
    expect(statement).not.toHaveProperty('reads');
  }
  const { statement, probe } = planned(update(equal(col('t'), maximum())), WITH_RETURNING);
  expect(probe.reads).toBe('exact');
  expect(statement).toHaveProperty('reads');
});
