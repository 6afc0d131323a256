/** The few expressions that instrumented statements are made of. */
import { InternalError, leavesOf } from '../core/index.ts';
import type { ColumnExpression, Expression, From } from '../core/index.ts';

export function text(value: string | null): Expression {
  return { kind: 'literal', type: 'text', value };
}

export function column(table: string, name: string): ColumnExpression {
  return { kind: 'column', table, column: name };
}

/** Returns the tables and derived tables of a FROM, left to right. */
export function leaves(from: From): readonly Leaf[] {
  return leavesOf(from).map((leaf) => {
    if (leaf.kind === 'table' || leaf.kind === 'derived') return leaf;
    throw new InternalError(`cannot instrument the FROM item ${leaf.alias}, a ${leaf.kind}`);
  });
}

export type Leaf = Extract<From, { kind: 'table' | 'derived' }>;
