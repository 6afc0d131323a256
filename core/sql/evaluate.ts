/**
 * Evaluates conditions over the values bound in a transaction, as an application would: true, false or unknown as in
 * SQL. Numbers are exact, whole or decimal. Texts are compared by code point, and a date is its midnight.
 * `whyUndecided` refuses any other expression when the file is read.
 */
import { InternalError } from '../base/index.ts';
import type { ArithmeticOp, CompareOp, Expression } from './statement.ts';
import { timestampAfter } from './time-units.ts';
import type { TypeKind, Value } from './value.ts';
import { contentsOfExpressions } from './walk-statement.ts';

/** A decimal: `digits` divided by 10 to the power of `scale`. */
interface Exact {
  readonly digits: bigint;
  readonly scale: number;
}

/** Null is NULL, or the truth value unknown. */
type Known = null | boolean | string | Exact;
type Kind = Expression['kind'];
type Rules = { readonly [K in Kind]?: (expression: Extract<Expression, { kind: K }>) => Known };

/** Evaluates a condition without parameters. Null: unknown. */
export function truthOf(condition: Expression): boolean | null {
  const known = valueOf(condition);
  if (known === null || typeof known === 'boolean') return known;
  throw new InternalError('a condition is neither true nor false nor unknown');
}

/** Why a condition cannot be decided here: what it holds, what stands side by side in it, or that it is none. */
export type Undecided =
  | { readonly code: 'call'; readonly name: string }
  | { readonly code: 'kind'; readonly kind: Exclude<Kind, 'call'> }
  | { readonly code: 'mixed'; readonly sorts: readonly ValueSort[] }
  | { readonly code: 'no-condition' };

export type ValueSort = 'numbers' | 'texts' | 'truths' | 'dates';

/** Undefined: it can. */
export function whyUndecided(condition: Expression): Undecided | undefined {
  const { expressions } = contentsOfExpressions([condition]);
  const unknown = expressions.find(
    (each) => each.kind !== 'parameter' && (RULES[each.kind] === undefined || (each.kind === 'call' && CALLS[each.name] === undefined)),
  );
  if (unknown !== undefined) return unknown.kind === 'call' ? { code: 'call', name: unknown.name } : { code: 'kind', kind: unknown.kind };
  const mixed = expressions.map((each) => new Set(operandsOf(each).flatMap(sortOf))).find(({ size }) => size > 1);
  if (mixed !== undefined) return { code: 'mixed', sorts: [...mixed] };
  return sortOf(condition)[0] === 'truths' ? undefined : { code: 'no-condition' };
}

/** The operands that must have comparable types. */
function operandsOf(each: Expression): readonly Expression[] {
  if (each.kind === 'compare' || each.kind === 'arithmetic') return [each.left, each.right];
  if (each.kind === 'between') return [each.operand, each.low, each.high];
  if (each.kind === 'in') return [each.operand, ...each.list];
  return each.kind === 'call' ? each.args : [];
}

const SORTS: Readonly<Record<TypeKind, ValueSort>> = {
  integer: 'numbers',
  bigint: 'numbers',
  decimal: 'numbers',
  text: 'texts',
  varchar: 'texts',
  boolean: 'truths',
  date: 'dates',
  timestamp: 'dates',
};

/** A NULL is of any sort. */
function sortOf(each: Expression): readonly ValueSort[] {
  if (each.kind === 'literal') return each.value === null ? [] : [SORTS[each.type]];
  if (each.kind === 'parameter') return [SORTS[each.type]];
  if (each.kind === 'arithmetic') return ['numbers'];
  if (each.kind === 'shifted') return ['dates'];
  return each.kind === 'call' ? each.args.flatMap(sortOf).slice(0, 1) : ['truths'];
}

const RULES: Rules = {
  literal: ({ type, value }) => literalOf(type, value),
  compare: ({ op, left, right }) => compared(op, valueOf(left), valueOf(right)),
  logic: ({ op, operands }) => joined(op, operands.map(valueOf)),
  not: ({ operand }) => negated(valueOf(operand)),
  isNull: ({ operand, negated: not }) => (valueOf(operand) === null) !== not,
  between: ({ operand, low, high }) => {
    const value = valueOf(operand);
    return joined('and', [compared('>=', value, valueOf(low)), compared('<=', value, valueOf(high))]);
  },
  in: ({ operand, list, negated: not }) => {
    const value = valueOf(operand);
    const found = joined(
      'or',
      list.map((each) => compared('=', value, valueOf(each))),
    );
    return not ? negated(found) : found;
  },
  arithmetic: ({ op, left, right }) => computed(op, valueOf(left), valueOf(right)),
  shifted: ({ operand, seconds }) => {
    const value = valueOf(operand);
    return typeof value === 'string' ? (timestampAfter(value, seconds) ?? null) : null;
  },
  call: ({ name, args }) => CALLS[name]!(args.map(valueOf)),
};

const CALLS: Readonly<Record<string, ((args: readonly Known[]) => Known) | undefined>> = {
  coalesce: (args) => args.find((each) => each !== null) ?? null,
  abs: ([value = null]) => (isExact(value) && value.digits < 0n ? { ...value, digits: -value.digits } : value),
};

function valueOf(expression: Expression): Known {
  const rule = RULES[expression.kind] as ((expression: Expression) => Known) | undefined;
  if (rule === undefined) throw new InternalError(`a condition holds ${expression.kind}, which is not decided here`);
  return rule(expression);
}

function literalOf(type: TypeKind, value: Value): Known {
  if (value === null || typeof value === 'boolean') return value;
  if (type === 'date') return `${value} 00:00:00`;
  return type === 'integer' || type === 'bigint' || type === 'decimal' ? exactOf(String(value)) : String(value);
}

function exactOf(text: string): Exact {
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

function isExact(value: Known): value is Exact {
  return typeof value === 'object' && value !== null;
}

function compared(op: CompareOp, left: Known, right: Known): boolean | null {
  if (left === null || right === null) return null;
  const order = orderOf(left, right);
  return { '=': order === 0, '<>': order !== 0, '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[op];
}

function orderOf(left: Exclude<Known, null>, right: Exclude<Known, null>): number {
  if (isExact(left) && isExact(right)) {
    const [a, b] = atOneScale(left, right);
    return a < b ? -1 : a > b ? 1 : 0;
  }
  if (typeof left === 'string' && typeof right === 'string') return orderOfTexts(Array.from(left), Array.from(right));
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  throw new InternalError('a condition compares values of two kinds');
}

function orderOfTexts(left: readonly string[], right: readonly string[]): number {
  const at = left.findIndex((character, i) => character !== right[i]);
  if (at < 0) return left.length - right.length;
  return at >= right.length ? 1 : left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!;
}

function atOneScale(left: Exact, right: Exact): readonly [bigint, bigint] {
  const scale = Math.max(left.scale, right.scale);
  return [left.digits * 10n ** BigInt(scale - left.scale), right.digits * 10n ** BigInt(scale - right.scale)];
}

function computed(op: ArithmeticOp, left: Known, right: Known): Known {
  if (left === null || right === null) return null;
  if (!isExact(left) || !isExact(right)) throw new InternalError(`a condition computes ${op} of what is no number`);
  if (op === '*') return { digits: left.digits * right.digits, scale: left.scale + right.scale };
  const [a, b] = atOneScale(left, right);
  return { digits: op === '+' ? a + b : a - b, scale: Math.max(left.scale, right.scale) };
}

/** False decides an AND and true an OR. Otherwise unknown decides. */
function joined(op: 'and' | 'or', values: readonly Known[]): boolean | null {
  const deciding = op === 'or';
  if (values.includes(deciding)) return deciding;
  return values.includes(null) ? null : !deciding;
}

function negated(value: Known): boolean | null {
  return value === null ? null : value !== true;
}
