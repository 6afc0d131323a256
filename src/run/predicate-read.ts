/**
 * The predicate read of a statement, where it is one table and one WHERE: every row of the table is looked at, the rows
 * for which the WHERE is true are read. A UNION has one per table: what its arms on that table ask for, joined by OR.
 * Whatever else a statement reads (a subquery, a join) would mix with that, so such statements have none that we can
 * tell; nor has one that need not show all it read (LIMIT, SKIP LOCKED, HAVING).
 */
import { contentsOf } from '../../core/index.ts';
import type { Expression, Query, Select, Statement } from '../../core/index.ts';

export interface PredicateRead {
  readonly table: string;
  /** Absent: every row. Its columns are named by the table or its alias. */
  readonly where?: Expression;
}

/** One per table, or in words why there is none that can be told apart; undefined for statements without a WHERE of their own. */
export function predicateReads(statement: Statement): readonly PredicateRead[] | string | undefined {
  switch (statement.kind) {
    case 'insert':
    case 'savepoint':
    case 'rollbackTo':
    case 'release':
      return undefined;
    case 'unionAll':
    case 'setOperation':
      return unionReads(statement);
    case 'select': {
      const one = selectRead(statement);
      return typeof one === 'string' ? one : [one];
    }
    case 'update':
      if (statement.from !== undefined || statement.through !== undefined) return 'an UPDATE of more than one table';
      break;
    case 'delete':
      if (statement.using !== undefined) return 'a DELETE of more than one table';
      break;
  }
  if (contentsOf(statement).queries.length > 0) return 'a subquery';
  return [read(statement.table, statement.where)];
}

function unionReads(query: Query): readonly PredicateRead[] | string {
  const arms: Select[] = [];
  const todo: Query[] = [query];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (next.kind === 'select') arms.push(next);
    else if (next.kind === 'unionAll') todo.push(...next.arms.toReversed());
    else if (next.op !== 'union' || next.with !== undefined) return 'INTERSECT, EXCEPT or WITH';
    else todo.push(next.right, next.left);
  }
  const byTable = new Map<string, (Expression | undefined)[]>();
  for (const arm of arms) {
    const one = selectRead(arm);
    if (typeof one === 'string') return `a UNION with ${one}`;
    byTable.set(one.table, [...(byTable.get(one.table) ?? []), one.where]);
  }
  return [...byTable].map(([table, conditions]) => {
    const operands = conditions.filter((each) => each !== undefined);
    if (operands.length < conditions.length) return { table };
    return read(table, operands.length === 1 ? operands[0] : { kind: 'logic', op: 'or', operands });
  });
}

function selectRead(select: Select): PredicateRead | string {
  if (select.from.kind !== 'table') return select.from.kind === 'join' ? 'a join' : `a ${select.from.kind}`;
  if (select.with !== undefined || contentsOf(select).queries.length > 1) return 'a subquery';
  if (select.limit !== undefined) return 'LIMIT';
  if (select.having !== undefined || select.rollup === true) return 'HAVING or ROLLUP';
  if (select.lock?.wait === 'skip locked') return 'SKIP LOCKED';
  return read(select.from.table, select.where);
}

function read(table: string, where: Expression | undefined): PredicateRead {
  return where === undefined ? { table } : { table, where };
}
