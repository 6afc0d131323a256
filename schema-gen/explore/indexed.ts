/** What the indexes of some fixtures are over beside columns: an expression, or the rows for which one is true; and the column that the server computes. Reads say it in the same words. */
import type { Expression, IndexKind } from '../../core/index.ts';
import type { Item } from './item.ts';

const columnOf = (alias: string, name: string): Expression => ({ kind: 'column', table: alias, column: name });

/** The column that some fixtures have beside the others: twice g, by the server. */
export const DOUBLE = 'd';

export const doubleOf = (alias: string): Expression => ({
  kind: 'arithmetic',
  op: '*',
  left: columnOf(alias, 'g'),
  right: { kind: 'literal', type: 'integer', value: 2 },
});

/** First rows and those that are written have such a value; who leaves the index has not. */
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
