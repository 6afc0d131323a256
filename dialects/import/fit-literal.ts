/**
 * Gives a literal the type of the operand beside it, as both DBMSs do with an untyped string or NULL. Beside a date,
 * '2024-01-01' is a date, and beside a bigint, 5 is a bigint. Only conversions that every DBMS agrees on are made, and
 * others are refused.
 */
import type { Expression, TypeKind, Value } from '../../core/sql/index.ts';
import type { Grammar } from './grammar.ts';
import { refuse } from './refuse.ts';

type Literal = Extract<Expression, { kind: 'literal' }>;

/** Whether the expression has no type of its own: an untyped string or NULL, or a CASE, COALESCE or NULLIF of these. */
export function isOpen(expression: Expression): boolean {
  if (expression.kind === 'literal') return expression.value === null || expression.type === 'text';
  if (expression.kind === 'case') return isOpen(expression.then) && isOpen(expression.otherwise);
  return expression.kind === 'call' && (expression.name === 'coalesce' || expression.name === 'nullif') && expression.args.every(isOpen);
}

export function fit(expression: Expression, type: TypeKind, grammar: Grammar): Expression {
  if (expression.kind === 'literal') return fitLiteral(expression, type, grammar);
  if (!isOpen(expression)) return expression;
  if (expression.kind === 'case')
    // oxlint-disable-next-line unicorn/no-thenable -- the IR's name for the branch
    return { ...expression, then: fit(expression.then, type, grammar), otherwise: fit(expression.otherwise, type, grammar) };
  return expression.kind === 'call' ? { ...expression, args: expression.args.map((arg) => fit(arg, type, grammar)) } : expression;
}

function fitLiteral(literal: Literal, type: TypeKind, grammar: Grammar): Expression {
  const { value } = literal;
  if (value === null) return { kind: 'literal', type, value };
  if (literal.type === type) return literal;
  const of = (fitted: Value): Expression => ({ kind: 'literal', type, value: fitted });
  if (typeof value === 'number' && type === 'boolean' && grammar.integerBooleans && (value === 0 || value === 1)) return of(value === 1);
  if (literal.type === 'integer' && (type === 'bigint' || type === 'decimal')) return of(String(value));
  if (literal.type === 'bigint' && type === 'decimal') return of(String(value));
  if (literal.type !== 'text' || typeof value !== 'string') return literal;
  // In MySQL's family a string is the number that it begins with, so 'true' is 0, which is false.
  if (type === 'boolean' && grammar.integerBooleans) refuse(`'${value}' is no boolean: write TRUE or FALSE`);
  return of(fromText(value, type));
}

interface Reading {
  readonly form: RegExp;
  readonly expected: string;
  readonly value: (text: string) => Value;
}

const READINGS: Readonly<Partial<Record<TypeKind, Reading>>> = {
  integer: { form: /^-?(0|[1-9]\d{0,9})$/, expected: 'a whole number', value: Number },
  bigint: { form: /^-?(0|[1-9]\d{0,18})$/, expected: 'a whole number', value: String },
  decimal: { form: /^-?\d+(\.\d+)?$/, expected: 'a decimal number', value: String },
  boolean: { form: /^(true|false)$/, expected: 'true or false', value: (text) => text === 'true' },
  date: { form: /^\d{4}-\d\d-\d\d$/, expected: 'YYYY-MM-DD', value: calendar },
  timestamp: { form: /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?)?$/, expected: 'YYYY-MM-DD HH:MM:SS', value: moment },
};

/** Converts a text to a value of the type. CAST('...' AS type) of a literal uses it too. */
export function fromText(text: string, type: TypeKind): Value {
  const reading = READINGS[type];
  if (reading === undefined) return text;
  if (!reading.form.test(text)) refuse(`'${text}' is no value of type ${type}: write it as ${reading.expected}`);
  return reading.value(text);
}

function calendar(text: string): string {
  const time = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text.slice(0, 10)) refuse(`'${text}' is no day of the calendar`);
  return text;
}

function moment(text: string): string {
  calendar(text);
  const [hours = 0, minutes = 0, seconds = 0] = text.slice(11).split(':').map(Number);
  if (hours > 23 || minutes > 59 || seconds > 59) refuse(`'${text}' is no time of a day`);
  const pad = (n: number): string => String(n).padStart(2, '0');
  return `${text.slice(0, 10)} ${pad(hours)}:${pad(minutes)}:${pad(seconds)}`;
}
