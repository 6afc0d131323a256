/**
 * Reads expressions by MySQL's precedence, weakest first: OR, AND, NOT, comparisons (with IS, LIKE, IN, BETWEEN), + and
 * -, then * and % and MOD, then the sign. Two comparisons in a row without parentheses are refused. MySQL and its
 * relatives group them differently, and so do readers.
 */
import type { CompareOp, Expression } from '../../../core/sql/index.ts';
import { readCall } from './read-call.ts';
import { readInterval, seesInterval } from './read-interval.ts';
import { readLiteral } from './read-literal.ts';
import type { Reading } from './reading.ts';
import { insideOf } from './reading.ts';

const COMPARISONS: readonly (readonly [string, CompareOp])[] = [
  ['=', '='],
  ['<>', '<>'],
  ['!=', '<>'],
  ['<=', '<='],
  ['>=', '>='],
  ['<', '<'],
  ['>', '>'],
];

/** Operators after an operand that are not imported. */
export const REFUSED_OPERATORS: Readonly<Record<string, string>> = {
  '<=>': '<=> is not supported: write (a = b OR (a IS NULL AND b IS NULL))',
  XOR: 'XOR is not supported: write it with AND, OR and NOT',
  DIV: 'DIV is not supported: servers round differently; compute the value outside',
  REGEXP: 'REGEXP is not supported: patterns differ between servers; use LIKE',
  RLIKE: 'RLIKE is not supported: patterns differ between servers; use LIKE',
  'SOUNDS LIKE': 'SOUNDS LIKE is not supported: use LIKE',
  'MEMBER OF': 'MEMBER OF is not supported: JSON is one text here; use columns',
  COLLATE: 'COLLATE is not supported: texts are compared by their characters; leave it out',
};

export function readExpression(reading: Reading): Expression {
  const expression = logic(reading, 'OR', (r) => logic(r, 'AND', not));
  const refused = Object.keys(REFUSED_OPERATORS).find((words) => reading.cursor.sees(...words.split(' ')));
  if (refused !== undefined) reading.cursor.refuse(REFUSED_OPERATORS[refused]!);
  return expression;
}

function logic(reading: Reading, word: 'AND' | 'OR', operand: (reading: Reading) => Expression): Expression {
  const operands = [operand(reading)];
  while (reading.cursor.accept(word)) operands.push(operand(reading));
  return operands.length === 1 ? operands[0]! : { kind: 'logic', op: word === 'AND' ? 'and' : 'or', operands };
}

function not(reading: Reading): Expression {
  const { cursor } = reading;
  if (!cursor.sees('NOT')) return comparison(reading);
  const missing = cursor.sees('NOT', 'EXISTS');
  cursor.expect('NOT');
  const operand = not(reading);
  return missing && operand.kind === 'exists' ? { ...operand, negated: true } : { kind: 'not', operand };
}

function comparison(reading: Reading): Expression {
  const { cursor } = reading;
  const left = sum(reading);
  const compared = compare(reading, left);
  if (compared === undefined) return left;
  const next = [...COMPARISONS.map(([text]) => text), 'IS', 'IN', 'BETWEEN', 'LIKE', 'NOT'].find((text) => cursor.sees(text));
  if (next !== undefined) cursor.refuse(`${next} after another comparison: put the one that comes first into parentheses`);
  return compared;
}

function compare(reading: Reading, operand: Expression): Expression | undefined {
  const { cursor } = reading;
  if (cursor.accept('IS')) return isNull(reading, operand);
  const negated = cursor.accept('NOT');
  if (cursor.accept('BETWEEN')) {
    const low = sum(reading);
    cursor.expect('AND');
    const between: Expression = { kind: 'between', operand, low, high: sum(reading) };
    return negated ? { kind: 'not', operand: between } : between;
  }
  if (cursor.sees('IN')) return isIn(reading, operand, negated);
  if (cursor.accept('LIKE')) return like(reading, operand, negated);
  if (negated) cursor.refuse(`${cursor.shown()} after NOT where BETWEEN, IN or LIKE is expected`);
  for (const [text, op] of COMPARISONS) if (cursor.accept(text)) return compareWith(reading, operand, op);
  return undefined;
}

function isNull({ cursor }: Reading, operand: Expression): Expression {
  const negated = cursor.accept('NOT');
  if (!cursor.accept('NULL'))
    cursor.refuse(`${cursor.shown()} after IS: only IS NULL and IS NOT NULL are imported; write coalesce(condition, FALSE) for IS TRUE`);
  return { kind: 'isNull', operand, negated };
}

function isIn(reading: Reading, operand: Expression, negated: boolean): Expression {
  const { cursor } = reading;
  cursor.expect('IN');
  if (cursor.seesQuery()) return { kind: 'inQuery', operand, query: queryInParentheses(reading), negated };
  const at = cursor.offset;
  const list = cursor.listed(() => readExpression(reading));
  if (list.some((item) => item.kind === 'subquery'))
    cursor.refuse('a subquery among the values of IN is not supported: write IN (SELECT ...) alone', at);
  return { kind: 'in', operand, list, negated };
}

function like(reading: Reading, operand: Expression, negated: boolean): Expression {
  const { cursor } = reading;
  if (cursor.token.kind !== 'string')
    cursor.refuse(`${cursor.shown()} after LIKE: the pattern must be a string, no parameter and no column`);
  const pattern = cursor.take().text;
  if (cursor.sees('ESCAPE')) cursor.refuse('LIKE ... ESCAPE is not supported: escape with a backslash');
  return { kind: 'like', operand, pattern, negated };
}

function compareWith(reading: Reading, operand: Expression, op: CompareOp): Expression {
  const { cursor } = reading;
  const quantifier = cursor.accept('ALL') ? 'all' : cursor.accept('ANY') || cursor.accept('SOME') ? 'any' : undefined;
  if (quantifier === undefined) return { kind: 'compare', op, left: operand, right: sum(reading) };
  if (!cursor.seesQuery()) cursor.refuse(`${cursor.shown()} where (SELECT ...) is expected`);
  return { kind: 'quantified', op, quantifier, operand, query: queryInParentheses(reading) };
}

function sum(reading: Reading): Expression {
  const { cursor } = reading;
  let left = seesInterval(reading) ? behindInterval(reading) : product(reading);
  for (;;) {
    const op = cursor.accept('+') ? '+' : cursor.accept('-') ? '-' : undefined;
    if (op === undefined) return left;
    if (seesInterval(reading)) left = { kind: 'shifted', operand: left, seconds: (op === '-' ? -1 : 1) * readInterval(reading) };
    else left = { kind: 'arithmetic', op, left, right: product(reading) };
  }
}

/** Reads `INTERVAL 2 HOUR + moment`. */
function behindInterval(reading: Reading): Expression {
  const seconds = readInterval(reading);
  if (!reading.cursor.accept('+'))
    reading.cursor.refuse(
      'INTERVAL is not a value of its own: add it to a timestamp, or subtract it from one, as in :from + INTERVAL 2 HOUR',
    );
  return { kind: 'shifted', operand: product(reading), seconds };
}

function product(reading: Reading): Expression {
  const { cursor } = reading;
  let left = readOperand(reading);
  for (;;) {
    if (cursor.accept('*')) left = { kind: 'arithmetic', op: '*', left, right: readOperand(reading) };
    else if (cursor.accept('%') || cursor.accept('MOD')) left = { kind: 'call', name: 'mod', args: [left, readOperand(reading)] };
    else return left;
  }
}

/** Reads an operand of an operator. */
export function readOperand(reading: Reading): Expression {
  const { cursor } = reading;
  const negative = cursor.accept('-');
  if (!negative && !cursor.accept('+')) return primary(reading);
  if (cursor.token.kind === 'number') return readLiteral(reading, negative)!;
  if (!negative) cursor.refuse('+ before a value that is no number is not supported: leave it out');
  return { kind: 'arithmetic', op: '-', left: { kind: 'literal', type: 'integer', value: 0 }, right: readOperand(reading) };
}

function primary(reading: Reading): Expression {
  const { cursor } = reading;
  if (cursor.seesQuery()) return { kind: 'subquery', query: queryInParentheses(reading) };
  if (cursor.accept('(')) {
    const inside = readExpression(insideOf(reading));
    if (cursor.sees(',')) cursor.refuse('a row of several values is not supported: compare the columns one by one');
    cursor.expect(')');
    return inside;
  }
  if (cursor.accept('EXISTS')) {
    if (!cursor.seesQuery()) cursor.refuse(`${cursor.shown()} after EXISTS where (SELECT ...) is expected`);
    return { kind: 'exists', query: queryInParentheses(reading), negated: false };
  }
  if (cursor.accept('NULL')) return { kind: 'literal', type: 'text', value: null };
  return readLiteral(reading, false) ?? parameterOf(reading) ?? readCall(reading) ?? byDefault(reading) ?? column(reading);
}

function queryInParentheses(reading: Reading): ReturnType<Reading['query']> {
  const { cursor } = reading;
  cursor.expect('(');
  const query = reading.query(insideOf(reading));
  cursor.expect(')');
  return query;
}

function parameterOf({ cursor, parameter }: Reading): Expression | undefined {
  return cursor.token.kind === 'parameter' ? parameter(Number(cursor.take().text.slice(1))) : undefined;
}

/** Reads DEFAULT as a whole value. Elsewhere it would be the default of a named column. */
function byDefault({ cursor, defaults }: Reading): Expression | undefined {
  if (!cursor.sees('DEFAULT')) return undefined;
  if (!defaults || cursor.sees('DEFAULT', '('))
    cursor.refuse('DEFAULT inside an expression is not supported: it may only be the whole value in INSERT or SET');
  cursor.expect('DEFAULT');
  return { kind: 'default' };
}

function column({ cursor, proposed }: Reading): Expression {
  const first = cursor.name('column');
  if (!cursor.accept('.')) return { kind: 'column', table: '', column: first };
  if (cursor.sees('*')) cursor.refuse(`${first}.* inside an expression is not supported: name a column`);
  // Behind a dot every word is a name.
  const second = qualifiedName(cursor);
  if (cursor.sees('.'))
    cursor.refuse(
      `${first}.${second}.: the name has a database in front: the tool creates the tables in a database of its own, so leave the database out`,
    );
  if (proposed !== undefined && proposed.toLowerCase() === first.toLowerCase()) return { kind: 'proposed', column: second };
  return { kind: 'column', table: first, column: second };
}

function qualifiedName(cursor: Reading['cursor']): string {
  return cursor.token.kind === 'word' ? cursor.take().text : cursor.name('column');
}
