/** The name that PostgreSQL gives a column of a query without AS. Empty: the column has no usable name. */
import type { Expression } from '../../../core/sql/index.ts';
import { itemsOf } from '../../../core/sql/index.ts';
import { kindOf, type Node } from './fields.ts';

export function itemName(node: Node, read: Expression): string {
  const [kind, inner] = kindOf(node);
  if (read.kind === 'column') return read.column;
  // A cast keeps the name of its operand if there is one. Otherwise the type gives the name, which nobody uses.
  if (kind === 'TypeCast') return itemName(inner['arg'] as Node, read.kind === 'cast' ? read.operand : read);
  if (kind === 'FuncCall' || kind === 'CoalesceExpr')
    return read.kind === 'call' || read.kind === 'routine' || read.kind === 'aggregate' || read.kind === 'rank'
      ? functionName(inner, read.name)
      : '';
  if (kind === 'CaseExpr') return 'case';
  if (read.kind === 'exists' && kind === 'SubLink') return 'exists';
  if (read.kind === 'subquery') return itemsOf(read.query)[0]?.alias ?? '';
  return '';
}

/** The function's written name: char_length() is not called length. */
function functionName(inner: Node, name: string): string {
  const names = inner['funcname'] as readonly { readonly String?: { readonly sval?: string } }[] | undefined;
  return names?.at(-1)?.String?.sval ?? name;
}
