/**
 * Shapes that the rewriting does not know yet. A read of such a shape is run verbatim and tagged `none`; a write is
 * refused, since a write without its entry in the list breaks the chain of every row that it touches.
 */
import { contentsOf } from '../core/index.ts';
import type { Expression, Query, Statement } from '../core/index.ts';

type Named<K extends string> = Readonly<Record<K, string | undefined>>;

const EXPRESSIONS: Partial<Named<Expression['kind']>> = {
  aggregate: 'an aggregate',
  rank: 'a window function',
  subquery: 'a scalar subquery',
  exists: 'an EXISTS subquery',
  inQuery: 'an IN subquery',
  quantified: 'an ANY or ALL subquery',
};

/** What is not known in it, or undefined. */
export function unknownShape(statement: Statement): string | undefined {
  const { queries, leaves, joins, expressions } = contentsOf(statement);
  const named = [
    ...expressions.map((expression) => EXPRESSIONS[expression.kind]),
    ...queries.map(ofQuery),
    ...leaves.map((leaf) => (leaf.kind === 'view' ? 'a view' : leaf.kind === 'cte' ? 'a common table expression' : leaf.kind === 'derived' && leaf.lateral ? 'a lateral derived table' : undefined)),
    ...joins.map((join) => (join.natural ? 'a natural join' : join.using ? 'a join with USING' : undefined)),
    ofWrite(statement),
  ];
  return named.find((name) => name !== undefined);
}

function ofQuery(query: Query): string | undefined {
  if (query.kind === 'unionAll') return undefined;
  if (query.with) return 'a common table expression';
  if (query.kind === 'setOperation') return `${query.op.toUpperCase()}${query.all ? ' ALL' : ''}`;
  return query.distinct ? 'DISTINCT' : query.groupBy ? 'GROUP BY' : query.having ? 'HAVING' : undefined;
}

function ofWrite(statement: Statement): string | undefined {
  if (statement.kind === 'insert') return statement.query ? 'INSERT ... SELECT' : statement.conflict && 'INSERT ... ON CONFLICT';
  if (statement.kind === 'update') return statement.from ? 'UPDATE ... FROM' : statement.through === undefined ? undefined : 'an UPDATE through a view';
  return statement.kind === 'delete' && statement.using ? 'DELETE ... USING' : undefined;
}
