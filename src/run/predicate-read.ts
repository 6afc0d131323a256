/**
 * The predicate read of a statement, where it is one table and one WHERE: every row of the table is looked at, the rows
 * for which the WHERE is true are read. Whatever else a statement reads (a subquery, a join) would mix with that, so
 * such statements have none that we can tell; nor has one that need not show all it read (LIMIT, SKIP LOCKED, HAVING).
 */
import { contentsOf } from '../../core/index.ts';
import type { Expression, Select, Statement } from '../../core/index.ts';

export interface PredicateRead {
  readonly table: string;
  /** Absent: every row. Its columns are named by the table or its alias. */
  readonly where?: Expression;
}

/** The predicate read, or in words why there is none that can be told apart; undefined for statements without a WHERE of their own. */
export function predicateRead(statement: Statement): PredicateRead | string | undefined {
  switch (statement.kind) {
    case 'insert':
    case 'savepoint':
    case 'rollbackTo':
    case 'release':
      return undefined;
    case 'unionAll':
    case 'setOperation':
      return 'a set operation';
    case 'select':
      return selectRead(statement);
    case 'update':
      if (statement.from !== undefined || statement.through !== undefined) return 'an UPDATE of more than one table';
      break;
    case 'delete':
      if (statement.using !== undefined) return 'a DELETE of more than one table';
      break;
  }
  if (contentsOf(statement).queries.length > 0) return 'a subquery';
  return read(statement.table, statement.where);
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
