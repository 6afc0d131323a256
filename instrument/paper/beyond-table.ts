/**
 * Shapes that IsoRel's Table 1 does not have. In paper mode a read of such a shape is run as it is and tagged `none`.
 */
import { contentsOf } from '../../core/index.ts';
import type { Expression, Query } from '../../core/index.ts';

type Named<K extends string> = Readonly<Record<K, string | undefined>>;

const EXPRESSIONS: Partial<Named<Expression['kind']>> = {
  aggregate: 'an aggregate',
  rank: 'a window function',
  subquery: 'a scalar subquery',
  exists: 'an EXISTS subquery',
  inQuery: 'an IN subquery',
  quantified: 'an ANY or ALL subquery',
};

export function beyondTable(query: Query): string | undefined {
  const { queries, leaves, joins, expressions } = contentsOf(query);
  const named = [
    ...expressions.map((expression) => EXPRESSIONS[expression.kind]),
    ...queries.map(ofQuery),
    ...leaves.map((leaf) =>
      leaf.kind === 'view'
        ? 'a view'
        : leaf.kind === 'cte'
          ? 'a common table expression'
          : leaf.kind === 'derived' && leaf.lateral
            ? 'a lateral derived table'
            : undefined,
    ),
    ...joins.map((join) => (join.using ? 'a join with USING' : undefined)),
  ];
  return named.find((name) => name !== undefined);
}

function ofQuery(query: Query): string | undefined {
  if (query.kind === 'unionAll') return undefined;
  if (query.with) return 'a common table expression';
  if (query.kind === 'setOperation') return `${query.op.toUpperCase()}${query.all ? ' ALL' : ''}`;
  return query.distinct ? 'DISTINCT' : query.groupBy ? 'GROUP BY' : query.having ? 'HAVING' : undefined;
}
