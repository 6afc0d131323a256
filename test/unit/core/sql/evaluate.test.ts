/** Conditions that are decided here: three-valued, exact; and what is refused before it is asked. */
import { describe, expect, it } from 'vitest';
import { whyUndecided } from '../../../../core/sql/index.ts';
import { stopAfter, bindAnswer } from '../../../../core/program/index.ts';
import type { CompareOp, Expression, TypeKind } from '../../../../core/sql/index.ts';
import type { Bindings } from '../../../../core/program/index.ts';
import { literal } from '../../../sql.ts';

const int = (value: number | null): Expression => literal(value, 'integer');
const name = (each: string, type: TypeKind = 'integer'): Expression => ({ kind: 'parameter', name: each, type });
const compare = (left: Expression, op: CompareOp, right: Expression): Expression => ({ kind: 'compare', op, left, right });
const and = (...operands: readonly Expression[]): Expression => ({ kind: 'logic', op: 'and', operands });
const or = (...operands: readonly Expression[]): Expression => ({ kind: 'logic', op: 'or', operands });
const not = (operand: Expression): Expression => ({ kind: 'not', operand });
const arithmetic = (left: Expression, op: '+' | '-' | '*', right: Expression): Expression => ({ kind: 'arithmetic', op, left, right });
const call = (called: 'coalesce' | 'abs' | 'mod', ...args: readonly Expression[]): Expression => ({ kind: 'call', name: called, args });

const QUERY = { kind: 'select', items: [], from: { kind: 'table', table: 't', alias: 't' } } as const;

/** Whether the transaction ends by it. */
function stops(when: Expression, bindings: Record<string, string | null> = {}): boolean {
  return stopAfter({ ...QUERY, stops: [{ when, end: 'rollback' }] }, new Map(Object.entries(bindings))) !== undefined;
}

const TRUE = compare(int(1), '=', int(1));
const FALSE = compare(int(1), '=', int(2));
const UNKNOWN = compare(int(null), '=', int(1));

describe('a condition', () => {
  it.each<readonly [string, Expression, boolean]>([
    ['unknown is not true', UNKNOWN, false],
    ['nor is its contrary', not(UNKNOWN), false],
    ['false decides an AND', not(and(UNKNOWN, FALSE)), true],
    ['unknown AND true is unknown', not(and(UNKNOWN, TRUE)), false],
    ['true decides an OR', or(UNKNOWN, TRUE), true],
    ['unknown OR false is unknown', not(or(UNKNOWN, FALSE)), false],
    ['NULL is NULL', { kind: 'isNull', operand: int(null), negated: false }, true],
    ['a value is NOT NULL', { kind: 'isNull', operand: int(0), negated: true }, true],
    ['an IN that finds it is true beside a NULL', { kind: 'in', operand: int(1), list: [int(null), int(1)], negated: false }, true],
    ['a NOT IN with a NULL is never true', { kind: 'in', operand: int(1), list: [int(null), int(2)], negated: true }, false],
    ['BETWEEN has both its bounds', { kind: 'between', operand: int(3), low: int(3), high: int(3) }, true],
    ['BETWEEN is false by one bound alone', not({ kind: 'between', operand: int(3), low: int(4), high: int(null) }), true],
    [
      'decimals are exact',
      compare(arithmetic(literal('0.1', 'decimal'), '+', literal('0.2', 'decimal')), '=', literal('0.30', 'decimal')),
      true,
    ],
    ['and of either sign', compare(arithmetic(literal('-0.50', 'decimal'), '*', int(3)), '=', literal('-1.5', 'decimal')), true],
    ['large numbers are exact', compare(literal('9007199254740993', 'bigint'), '>', literal('9007199254740992', 'bigint')), true],
    ['NULL makes a sum NULL', { kind: 'isNull', operand: arithmetic(int(1), '-', int(null)), negated: false }, true],
    ['coalesce takes the first', compare(call('coalesce', int(null), int(4)), '=', int(4)), true],
    ['abs', compare(call('abs', int(-4)), '=', int(4)), true],
    ['texts by their characters', compare(literal('Zoe'), '<', literal('ada')), true],
    ['a shorter one first', compare(literal('ad'), '<', literal('ada')), true],
    ['a day is its midnight', compare(literal('2026-01-01', 'date'), '<', literal('2026-01-01 00:00:01', 'timestamp')), true],
  ])('%s', (_, condition, expected) => {
    expect(whyUndecided(condition)).toBeUndefined();
    expect(stops(condition)).toBe(expected);
  });

  it('takes what was read as the type says', () => {
    expect(stops(compare(name('n', 'bigint'), '>=', int(10)), { n: '9' })).toBe(false);
    expect(stops(compare(name('n', 'bigint'), '>=', int(9)), { n: '9' })).toBe(true);
    expect(stops(compare(name('n', 'text'), '<', literal('9')), { n: '10' })).toBe(true);
    expect(stops(compare(name('open', 'boolean'), '=', literal(true)), { open: 't' })).toBe(true);
    expect(stops(compare(name('nobody'), '=', int(1)))).toBe(false);
  });

  it('is refused for what it cannot be decided by', () => {
    const column: Expression = { kind: 'column', table: 't', column: 'c' };
    expect(whyUndecided(compare(column, '=', int(1)))).toEqual({ code: 'kind', kind: 'column' });
    expect(whyUndecided(compare(call('mod', int(1), int(2)), '=', int(1)))).toEqual({ code: 'call', name: 'mod' });
    expect(whyUndecided(compare(name('a', 'text'), '=', int(1)))).toEqual({ code: 'mixed', sorts: ['texts', 'numbers'] });
    expect(whyUndecided(arithmetic(name('a'), '+', int(1)))).toEqual({ code: 'no-condition' });
  });
});

describe('what is read', () => {
  const reading = { ...QUERY, into: ['a', 'b'] };
  const before: Bindings = new Map([['a', '1']]);

  it('is NULL where no row was found, though it was read before', () => {
    expect([...bindAnswer(before, reading, [])]).toEqual([
      ['a', null],
      ['b', null],
    ]);
    expect(bindAnswer(before, QUERY, [['7']])).toBe(before);
  });

  it('is nothing that several rows leave open', () => {
    expect(() =>
      bindAnswer(before, reading, [
        ['1', '2'],
        ['3', '4'],
      ]),
    ).toThrow('INTO :a, :b: the statement returned 2 rows, and nothing says which of them is meant');
  });

  it('is refused where it is no value of its type', () => {
    expect(() => stops(compare(name('n', 'decimal'), '=', int(1)), { n: 'NaN' })).toThrow(
      ":n was told 'NaN', which is no value of the type decimal",
    );
  });
});
