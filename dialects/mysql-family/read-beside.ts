/**
 * A query with its reads beside it (core's ReadBeside). Further arms of a UNION ALL return rows of reads after the
 * query's own. All arms belong to one statement and share a snapshot. An ordered query gets a LIMIT that it never
 * reaches, because without one the server drops the ORDER BY of an arm.
 */
import type { Expression, Query, Select, SelectItem } from '../../core/sql/index.ts';
import { contentsOf, itemsOf } from '../../core/sql/index.ts';
import { READS_COLUMN, besideArray } from '../../core/history/index.ts';
import { clauses } from '../printer/clauses.ts';
import { PRINTER, printShown, within } from './expression.ts';
import type { Printing } from './flavour.ts';
import { quoteIdentifier } from './quote.ts';
import { readArms } from './read-arms.ts';

const NEVER_REACHED = Number.MAX_SAFE_INTEGER;
const EMPTY: SelectItem = { expression: { kind: 'literal', type: 'text', value: '[]' }, alias: READS_COLUMN };

export function printReadBeside(query: Query, reads: Expression, to: Printing): string {
  const items = itemsOf(query);
  const carries = items.at(-1)?.alias === READS_COLUMN;
  const clause = query.kind === 'unionAll' ? undefined : query.with;
  const { arms, rest } = readArms(reads, clause);
  const shared = clause !== undefined && arms.some((arm) => contentsOf(arm).leaves.some(({ kind }) => kind === 'cte')) ? clause : undefined;
  const own = shared === undefined ? query : withoutWith(query);
  const nulls = items.slice(0, carries ? -1 : undefined).map(() => 'NULL');
  const shown = (value: Expression, its: Printing): string => `SELECT ${[...nulls, printShown(value, its)].join(', ')}`;
  const besides = arms.map(({ items: [item], from, where }) =>
    clauses([
      shown(item!.expression, within(from, to)),
      `FROM ${PRINTER.from(from, to)}`,
      where && `WHERE ${PRINTER.expression(where, within(from, to))}`,
    ]),
  );
  if (rest.length > 0) besides.push(shown(besideArray([{ kind: 'jsonArray', items: rest }]), to));
  return clauses([
    PRINTER.with(shared, to),
    [printArm(ordered(carries ? own : withEmpty(own)), to), ...besides].map((arm) => `(${arm})`).join(' UNION ALL '),
  ]);
}

function withoutWith(query: Query): Query {
  if (query.kind === 'unionAll') return query;
  const { with: _, ...body } = query;
  return body;
}

/**
 * MariaDB accepts no WITH within an arm, and 10.11 loses the ALL of a set operation there. Both go into a derived
 * table, whose columns need names of their own.
 */
function printArm(query: Query, to: Printing): string {
  if (query.kind === 'unionAll' || (query.kind === 'select' && query.with === undefined)) return PRINTER.query(query, to);
  const columns = itemsOf(query).map(({ alias }, i) => `iso_q.iso_c${i} AS ${quoteIdentifier(alias)}`);
  return `SELECT ${columns.join(', ')} FROM (${PRINTER.query(renamed(query), to)}) AS iso_q`;
}

function renamed<Q extends Query>(query: Q): Q {
  if (query.kind === 'select') return { ...query, items: query.items.map((item, i) => ({ ...item, alias: `iso_c${i}` })) };
  if (query.kind === 'setOperation') return { ...query, left: renamed(query.left) };
  return { ...query, arms: query.arms.map((arm) => renamed(arm)) };
}

function ordered(query: Query): Query {
  return query.kind === 'select' && query.orderBy?.length && query.limit === undefined ? { ...query, limit: NEVER_REACHED } : query;
}

/** One more constant column changes neither groups nor duplicates. */
function withEmpty(query: Query): Query {
  if (query.kind === 'select') return withItem(query);
  if (query.kind === 'unionAll') return { ...query, arms: query.arms.map(withItem) };
  return { ...query, left: withEmpty(query.left), right: withEmpty(query.right) };
}

function withItem(select: Select): Select {
  return { ...select, items: [...select.items, EMPTY] };
}
