/**
 * Writes an expression of a mitigation as its author would. The result is undefined if a part cannot be written here.
 */
import type { Expression } from '../../core/index.ts';
import { literalText } from '../workload-file/literal-text.ts';
import type { Spelled } from './spelled.ts';

type Texts = (part: Expression) => string | undefined;
type Writers = {
  readonly [K in Expression['kind']]?: (each: Extract<Expression, { kind: K }>, of: Texts, names: Spelled) => string | undefined;
};

export function expressionText(each: Expression, names: Spelled): string | undefined {
  const write = WRITERS[each.kind] as ((each: Expression, of: Texts, names: Spelled) => string | undefined) | undefined;
  return write?.(each, (part) => expressionText(part, names), names);
}

const WRITERS: Writers = {
  column: ({ table, column }, _, names) => names.column(table, column),
  parameter: ({ name }) => `:${name}`,
  literal: (each) => literalText(each),
  compare: ({ left, op, right }, of) => joined([left, right], ` ${op} `, of),
  arithmetic: ({ left, op, right }, of) => joined([left, right], ` ${op} `, of),
  isNull: ({ operand, negated }, of) => behind(of(operand), ` IS ${negated ? 'NOT ' : ''}NULL`),
  not: ({ operand }, of) => behind(joined([operand], '', of, 'NOT ('), ')'),
  logic: ({ operands, op }, of) => behind(joined(operands, ` ${op.toUpperCase()} `, of, '('), ')'),
  call: ({ name, args }, of) => behind(joined(args, ', ', of, `${name}(`), ')'),
};

function joined(parts: readonly Expression[], between: string, of: Texts, before = ''): string | undefined {
  const texts = parts.map(of);
  return texts.every((text) => text !== undefined) ? `${before}${texts.join(between)}` : undefined;
}

function behind(text: string | undefined, more: string): string | undefined {
  return text === undefined ? undefined : `${text}${more}`;
}
