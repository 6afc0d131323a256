import { describe, expect, test } from 'vitest';
import type { ArithmeticOp, ColumnType, Expression, FunctionName, TypeKind, Value } from '../../core/sql/index.ts';
import { compile } from './evaluate.ts';
import { col, compare, lit } from './ir.ts';
import { SqlError, assign, canonicalText, fromLiteral } from './values.ts';

const NULL = lit(null);

function value(expression: Expression): string | null {
  return canonicalText(compile(expression, [])([]));
}

function call(name: FunctionName, ...args: readonly Expression[]): Expression {
  return { kind: 'call', name, args };
}

function math(op: ArithmeticOp, left: Expression, right: Expression): Expression {
  return { kind: 'arithmetic', op, left, right };
}

const TRUTH = { t: lit(true), f: lit(false), n: lit(null, 'boolean') } as const;
type Letter = keyof typeof TRUTH;

describe('three-valued logic', () => {
  // operand, operand, and, or
  test.each<[Letter, Letter, Letter, Letter]>([
    ['t', 't', 't', 't'],
    ['t', 'f', 'f', 't'],
    ['t', 'n', 'n', 't'],
    ['f', 't', 'f', 't'],
    ['f', 'f', 'f', 'f'],
    ['f', 'n', 'f', 'n'],
    ['n', 't', 'n', 't'],
    ['n', 'f', 'f', 'n'],
    ['n', 'n', 'n', 'n'],
  ])('%s with %s: AND gives %s, OR gives %s', (a, b, and, or) => {
    const logic = (op: 'and' | 'or'): string => value({ kind: 'logic', op, operands: [TRUTH[a], TRUTH[b]] }) ?? 'n';
    expect(logic('and')).toBe(and);
    expect(logic('or')).toBe(or);
  });

  test('NOT of unknown is unknown', () => {
    expect(value({ kind: 'not', operand: TRUTH.n })).toBeNull();
    expect(value({ kind: 'not', operand: TRUTH.t })).toBe('f');
  });

  test('a comparison with NULL is unknown, IS NULL is not', () => {
    expect(value(compare('=', NULL, NULL))).toBeNull();
    expect(value({ kind: 'isNull', operand: NULL, negated: false })).toBe('t');
    expect(value({ kind: 'isNull', operand: NULL, negated: true })).toBe('f');
  });

  test('IN finds a match beside NULL, and without one NULL leaves it open', () => {
    const isIn = (operand: Expression, list: readonly Expression[], negated = false): string | null =>
      value({ kind: 'in', operand, list, negated });
    expect(isIn(lit(1), [NULL, lit(1)])).toBe('t');
    expect(isIn(lit(1), [NULL, lit(2)])).toBeNull();
    expect(isIn(lit(1), [NULL, lit(2)], true)).toBeNull();
    expect(isIn(lit(1), [lit(2)], true)).toBe('t');
  });

  test('BETWEEN is false when one bound excludes the value, whatever the other is', () => {
    expect(value({ kind: 'between', operand: lit(5), low: lit(6), high: NULL })).toBe('f');
    expect(value({ kind: 'between', operand: lit(5), low: lit(4), high: NULL })).toBeNull();
    expect(value({ kind: 'between', operand: lit(5), low: lit(5), high: lit(5) })).toBe('t');
  });

  test('CASE takes the other branch when its condition is unknown', () => {
    // oxlint-disable-next-line unicorn/no-thenable -- the IR's name for the branch
    expect(value({ kind: 'case', when: TRUTH.n, then: lit(1), otherwise: lit(2) })).toBe('2');
  });
});

describe('numbers', () => {
  test('decimals are exact and keep their scale', () => {
    const decimal = (text: string): Expression => lit(text, 'decimal');
    expect(value(math('+', decimal('0.1'), decimal('0.20')))).toBe('0.30');
    expect(value(math('*', decimal('1.10'), decimal('-2.5')))).toBe('-2.750');
    expect(value(math('-', decimal('0.05'), decimal('0.05')))).toBe('0.00');
    expect(value(math('+', lit(1), decimal('0.5')))).toBe('1.5');
    expect(value(compare('=', decimal('1.50'), decimal('1.5')))).toBe('t');
  });

  test('integers overflow as on a server, bigints are wider', () => {
    expect(() => value(math('+', lit(2147483647), lit(1)))).toThrow(SqlError);
    expect(value(math('+', lit(2147483647), lit('1', 'bigint')))).toBe('2147483648');
    expect(() => value(math('*', lit('9223372036854775807', 'bigint'), lit(2)))).toThrow('bigint out of range');
  });

  test('mod has the sign of the dividend and refuses zero', () => {
    expect(value(call('mod', lit(-7), lit(3)))).toBe('-1');
    expect(value(call('mod', lit('7.5', 'decimal'), lit(2)))).toBe('1.5');
    expect(() => value(call('mod', lit(1), lit(0)))).toThrow('division by zero');
    expect(value(call('abs', lit('-0.50', 'decimal')))).toBe('0.50');
  });
});

describe('text', () => {
  test.each<[string, string, boolean]>([
    ['abc', 'a%', true],
    ['abc', '%c', true],
    ['abc', 'a_c', true],
    ['abc', 'a_', false],
    ['abc', '%b%', true],
    ['', '%', true],
    ['', '_', false],
    ['a%c', 'a\\%c', true],
    ['abc', 'a\\%c', false],
    ['aXbXc', '%X_', true],
    ['Abc', 'a%', false],
    ['aab', '%ab', true],
    ['😀', '_', true],
  ])('%j LIKE %j is %j', (text, pattern, is) => {
    expect(value({ kind: 'like', operand: lit(text), pattern, negated: false })).toBe(is ? 't' : 'f');
    expect(value({ kind: 'like', operand: lit(text), pattern, negated: true })).toBe(is ? 'f' : 't');
  });

  test('text is ordered by code point', () => {
    expect(value(compare('<', lit('B'), lit('a')))).toBe('t');
    expect(value(compare('<', lit('a'), lit('ab')))).toBe('t');
    expect(value(compare('<', lit('\uFFEE'), lit('😀')))).toBe('t');
  });

  test('concatenation with NULL is NULL, of numbers it is their text', () => {
    expect(value({ kind: 'concat', operands: [lit('a'), NULL] })).toBeNull();
    expect(value({ kind: 'concat', operands: [lit('a'), lit(1), lit('2.50', 'decimal')] })).toBe('a12.50');
  });

  test('right takes the last characters, or all but the first', () => {
    expect(value(call('right', lit('abcde'), lit(2)))).toBe('de');
    expect(value(call('right', lit('abcde'), lit(-2)))).toBe('cde');
    expect(value(call('right', lit('abcde'), lit(0)))).toBe('');
    expect(value(call('right', lit('ab'), lit(480)))).toBe('ab');
    expect(value(call('length', lit('a😀')))).toBe('2');
    expect(value(call('upper', lit('aB')))).toBe('AB');
    expect(value(call('coalesce', NULL, lit('x'), lit('y')))).toBe('x');
  });

  test('a JSON array is the text a server sends, nested arrays included', () => {
    const inner: Expression = { kind: 'jsonArray', items: [lit('t'), NULL, lit(1), lit(true)] };
    expect(value({ kind: 'jsonArray', items: [inner, lit('a"b')] })).toBe('[["t", null, 1, true], "a\\"b"]');
  });
});

describe('columns', () => {
  test('are found by alias, and are NULL in a row that an outer join made up', () => {
    const scope = [
      { alias: 'a', columns: ['x'] },
      { alias: 'b', columns: ['x'] },
    ];
    const x = compile(col('b', 'x'), scope);
    expect(x([['left'], ['right']])).toBe('right');
    expect(x([['left'], null])).toBeNull();
    expect(() => compile(col('c', 'x'), scope)).toThrow('does not exist');
  });

  test.each<[ColumnType, TypeKind, Value, string]>([
    [{ kind: 'decimal', precision: 4, scale: 1 }, 'decimal', '1.25', '1.3'],
    [{ kind: 'decimal', precision: 4, scale: 1 }, 'decimal', '-1.25', '-1.3'],
    [{ kind: 'decimal', precision: 4, scale: 2 }, 'integer', 7, '7.00'],
    [{ kind: 'integer' }, 'decimal', '2.5', '3'],
    [{ kind: 'varchar', length: 2 }, 'text', 'ab  ', 'ab'],
    [{ kind: 'timestamp' }, 'date', '2024-02-29', '2024-02-29 00:00:00'],
    [{ kind: 'boolean' }, 'boolean', true, 't'],
  ])('store by assignment as %j the %s %j: %j', (type, kind, given, stored) => {
    expect(canonicalText(assign(type, fromLiteral(kind, given)))).toBe(stored);
  });

  test('refuse what does not fit', () => {
    expect(() => assign({ kind: 'decimal', precision: 3, scale: 1 }, fromLiteral('decimal', '99.95'))).toThrow('numeric field overflow');
    expect(() => assign({ kind: 'varchar', length: 2 }, 'abc')).toThrow('value too long');
    expect(() => assign({ kind: 'integer' }, fromLiteral('bigint', '2147483648'))).toThrow('out of range');
  });
});
