/** An expression of a cure as its author would write it; undefined: it has a part that is not written here. */
import type { Expression } from '../../core/index.ts';
import { literalText } from '../workload-file/literal-text.ts';
import type { Spelled } from './spelled.ts';

export function expressionText(each: Expression, names: Spelled): string | undefined {
  const of = (part: Expression): string | undefined => expressionText(part, names);
  switch (each.kind) {
    case 'column':
      return names.column(each.table, each.column);
    case 'parameter':
      return `:${each.name}`;
    case 'literal':
      return literalText({ type: each.type, value: each.value });
    case 'compare':
    case 'arithmetic':
      return joined([each.left, each.right], ` ${each.op} `, of);
    case 'isNull':
      return behind(of(each.operand), ` IS ${each.negated ? 'NOT ' : ''}NULL`);
    case 'not':
      return behind(joined([each.operand], '', of, 'NOT ('), ')');
    case 'logic':
      return behind(joined(each.operands, ` ${each.op.toUpperCase()} `, of, '('), ')');
    case 'call':
      return behind(joined(each.args, ', ', of, `${each.name}(`), ')');
    default:
      return undefined;
  }
}

function joined(
  parts: readonly Expression[],
  between: string,
  of: (part: Expression) => string | undefined,
  before = '',
): string | undefined {
  const texts = parts.map(of);
  return texts.every((text) => text !== undefined) ? `${before}${texts.join(between)}` : undefined;
}

function behind(text: string | undefined, more: string): string | undefined {
  return text === undefined ? undefined : `${text}${more}`;
}
