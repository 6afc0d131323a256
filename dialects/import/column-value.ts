/** Turns a literal into the value of a column, as canonical text. A schema then has the same bytes however it was written. */
import { shiftedLiteral } from '../../core/sql/index.ts';
import type { Column, ColumnType, Expression, Value } from '../../core/sql/index.ts';
import type { Grammar } from './grammar.ts';
import { refuse } from './refuse.ts';
import { resolveValue } from './resolve.ts';

const INTEGER = 2 ** 31;
const BIGINT = 2n ** 63n;

/** `what` names the value's purpose in messages. */
export function columnValue(expression: Expression, { type, name }: Pick<Column, 'type' | 'name'>, what: string, grammar: Grammar): Value {
  const literal = computed(expression, grammar);
  if (literal.kind !== 'literal') refuse(`${what} of the column ${name} is no literal: initial values and defaults are literals only`);
  const fitted = resolveValue(literal, type, grammar);
  if (fitted.kind !== 'literal' || (fitted.type !== type.kind && !(type.kind === 'text' && fitted.type === 'varchar')))
    return refuse(`${what} of the column ${name} is ${String(literal.value)}, which is no value of the type ${type.kind}`);
  return fitted.value === null ? null : canonical(fitted.value, type, `${what} of the column ${name}`);
}

/** Adds an interval to a timestamp literal. */
function computed(expression: Expression, grammar: Grammar): Expression {
  if (expression.kind !== 'shifted' || expression.operand.kind !== 'literal') return expression;
  return shiftedLiteral({ ...expression, operand: resolveValue(expression.operand, { kind: 'timestamp' }, grammar) });
}

function canonical(value: Exclude<Value, null>, type: ColumnType, what: string): Value {
  const text = String(value);
  const tooLarge = (): never => refuse(`${what} is ${text}, which does not fit into ${type.kind}`);
  if (type.kind === 'integer') return Number(value) >= -INTEGER && Number(value) < INTEGER ? Number(value) : tooLarge();
  if (type.kind === 'bigint') return BigInt(text) >= -BIGINT && BigInt(text) < BIGINT ? BigInt(text).toString() : tooLarge();
  if (type.kind === 'decimal') return decimal(text, type.precision, type.scale) ?? tooLarge();
  if (type.kind === 'varchar' && Array.from(text).length > type.length) refuse(`${what} is '${text}', longer than varchar(${type.length})`);
  return value;
}

function decimal(text: string, precision: number, scale: number): string | undefined {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  if (fraction.length > scale || whole.length > precision - scale) return undefined;
  const digits = `${whole === '' ? '0' : whole}${scale > 0 ? `.${fraction.padEnd(scale, '0')}` : ''}`;
  return /[1-9]/.test(digits) ? sign + digits : digits;
}
