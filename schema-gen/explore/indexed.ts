/**
 * The extra properties of the indexes of some fixtures: an expression, or a condition on the rows, and the column that
 * the server computes. Reads use the same expressions.
 */
import type { Expression, IndexKind } from '../../core/index.ts';
import type { Item } from './item.ts';

const columnOf = (alias: string, name: string): Expression => ({ kind: 'column', table: alias, column: name });

/** The column that some fixtures have beside the others: twice g, computed by the server. */
export const DOUBLE = 'd';

export const doubleOf = (alias: string): Expression => ({
  kind: 'arithmetic',
  op: '*',
  left: columnOf(alias, 'g'),
  right: { kind: 'literal', type: 'integer', value: 2 },
});

/** First rows and written rows have such a value. A write that removes a row from the index gives it another. */
export const counted = (alias: string): Expression => ({
  kind: 'compare',
  op: '>',
  left: columnOf(alias, 'v'),
  right: { kind: 'literal', type: 'integer', value: 5 },
});

export const hasDouble = ({ definition }: Item): boolean => definition.columns.some(({ name }) => name === DOUBLE);

export const hasIndexOf =
  (kind: IndexKind) =>
  ({ definition }: Item): boolean =>
    definition.indexes.some(({ shape }) => shape?.kind === kind);
