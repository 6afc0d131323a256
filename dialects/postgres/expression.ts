/**
 * Prints expressions. Everything with an operator is parenthesised, so that what a rewrite moves keeps its meaning.
 */
import type { Expression } from '../../core/index.ts';
import { printLiteral, typeName } from './literal.ts';
import { quoteIdentifier, quoteText } from './quote.ts';

type Printers = { readonly [K in Expression['kind']]: (expression: Extract<Expression, { kind: K }>) => string };

export function printExpression(expression: Expression): string {
  const print = PRINTERS[expression.kind] as (expression: Expression) => string;
  return print(expression);
}

/** In ORDER BY a bare integer is a column position and a bare string an error: a cast makes both constants again. */
export function printOrderExpression(expression: Expression): string {
  const text = printExpression(expression);
  return expression.kind === 'literal' ? `CAST(${text} AS ${typeName(expression.type)})` : text;
}

function printAll(expressions: readonly Expression[], separator: string): string {
  return expressions.map(printExpression).join(separator);
}

function not(negated: boolean): string {
  return negated ? 'NOT ' : '';
}

const PRINTERS: Printers = {
  literal: (e) => printLiteral(e.type, e.value),
  column: (e) => `${quoteIdentifier(e.table)}.${quoteIdentifier(e.column)}`,
  compare: (e) => `(${printExpression(e.left)} ${e.op} ${printExpression(e.right)})`,
  // No operands: the neutral element, as in logic.
  logic: (e) => (e.operands.length === 0 ? (e.op === 'and' ? 'TRUE' : 'FALSE') : `(${printAll(e.operands, ` ${e.op.toUpperCase()} `)})`),
  not: (e) => `(NOT ${printExpression(e.operand)})`,
  isNull: (e) => `(${printExpression(e.operand)} IS ${not(e.negated)}NULL)`,
  between: (e) => `(${printExpression(e.operand)} BETWEEN ${printExpression(e.low)} AND ${printExpression(e.high)})`,
  // IN () is no SQL; nothing is in an empty list, not even NULL.
  in: (e) => (e.list.length === 0 ? (e.negated ? 'TRUE' : 'FALSE') : `(${printExpression(e.operand)} ${not(e.negated)}IN (${printAll(e.list, ', ')}))`),
  like: (e) => `(${printExpression(e.operand)} ${not(e.negated)}LIKE ${quoteText(e.pattern)})`,
  arithmetic: (e) => `(${printExpression(e.left)} ${e.op} ${printExpression(e.right)})`,
  concat: (e) => (e.operands.length === 0 ? "''" : `(${printAll(e.operands, ' || ')})`),
  call: (e) => `${e.name}(${printAll(e.args, ', ')})`,
  case: (e) => `(CASE WHEN ${printExpression(e.when)} THEN ${printExpression(e.then)} ELSE ${printExpression(e.otherwise)} END)`,
  default: () => 'DEFAULT',
  jsonArray: (e) => `json_build_array(${printAll(e.items, ', ')})`,
};
