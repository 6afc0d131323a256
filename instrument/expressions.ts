/** The few expressions that instrumented statements are made of. */
import { InternalError, LIST_COLUMN, LIST_WINDOW, RID_COLUMN, leavesOf, listEntry } from '../core/index.ts';
import type { ColumnExpression, Expression, From } from '../core/index.ts';

export function text(value: string | null): Expression {
  return { kind: 'literal', type: 'text', value };
}

export function column(table: string, name: string): ColumnExpression {
  return { kind: 'column', table, column: name };
}

/** Table name, row id and list of one row: the triple that a probe shows. */
export function triple(table: string, alias: string): readonly Expression[] {
  return [text(table), column(alias, RID_COLUMN), column(alias, LIST_COLUMN)];
}

/** The row's list with this write's entry behind it, cut to the window. */
export function appended(table: string, txn: number, seq: number): Expression {
  const whole: Expression = { kind: 'concat', operands: [column(table, LIST_COLUMN), text(listEntry(txn, seq))] };
  return { kind: 'call', name: 'right', args: [whole, { kind: 'literal', type: 'integer', value: LIST_WINDOW }] };
}

/** Tables and derived tables of a FROM, left to right. */
export function leaves(from: From): readonly Leaf[] {
  return leavesOf(from).map((leaf) => {
    if (leaf.kind === 'table' || leaf.kind === 'derived') return leaf;
    throw new InternalError(`cannot instrument the FROM item ${leaf.alias}, a ${leaf.kind}`);
  });
}

export type Leaf = Extract<From, { kind: 'table' | 'derived' }>;
