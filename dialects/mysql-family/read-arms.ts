/**
 * The reads beside a query (core's ReadBeside), as plain queries instead of one JSON expression of nested aggregating
 * subqueries. They are the arms of a UNION ALL, with one version a row. They show the same versions without nesting,
 * and without aggregation unless `once` is set. This is a third of the server's work (MariaDB 11.8, November 2026).
 *
 * If a subquery reads something for each row of the outer query, the arm is a join of the two. If it reads once, provided that the
 * outer query has some row, the arm has that row behind EXISTS. Reads without such a form stay an expression.
 */
import type { Expression, From, Select, With } from '../../core/sql/index.ts';
import { leavesOf } from '../../core/sql/index.ts';
import { besideArray, readsItem } from '../../core/history/index.ts';

export interface ReadArms {
  /** Queries with one item each: a JSON array that begins with false. */
  readonly arms: readonly Select[];
  readonly rest: readonly Expression[];
}

/** The combinations of rows for which something is read. */
interface Rows {
  readonly from?: From;
  readonly where: readonly Expression[];
  /** The rows are those of one query, not of nested ones: no version occurs twice. */
  readonly single: boolean;
}

type Versions = Extract<Expression, { kind: 'jsonArray' }>;

/** Undefined: the reads have no arms. */
type Arms = readonly Select[] | undefined;

const ONCE: Rows = { where: [], single: true };

/** `named`: the WITH queries that an arm may name. */
export function readArms(reads: Expression, named: With | undefined): ReadArms {
  const parts = reads.kind === 'jsonArray' ? reads.items : [reads];
  const arms: Select[] = [];
  const rest: Expression[] = [];
  for (const part of parts) {
    const of = armsOf(part, ONCE, undefined, named);
    if (of === undefined) rest.push(part);
    else arms.push(...of);
  }
  return { arms, rest };
}

/** `host`: the query whose rows an aggregate here is over. Undefined: the expression is evaluated for each of the rows. */
function armsOf(reads: Expression, rows: Rows, host: Select | undefined, named: With | undefined): Arms {
  const versions = versionsOf(reads);
  if (versions !== undefined) return host === undefined && rows.from !== undefined ? [arm(versions, rows.from, rows)] : undefined;
  if (reads.kind === 'jsonArray') return allOf(reads.items.map((each) => armsOf(each, rows, host, named)));
  if (reads.kind === 'jsonAgg' && host !== undefined && reads.over === undefined) {
    const aggregated = among(rows, host, reads.filter, reads.once === true);
    return aggregated && armsOf(reads.item, aggregated, undefined, named);
  }
  if (reads.kind === 'case' && reads.otherwise.kind === 'jsonArray' && reads.otherwise.items.length === 0) {
    const some = host && someRow(reads.when);
    if (host !== undefined && some === undefined) return undefined;
    const condition = host === undefined ? reads.when : exists(host, some!);
    return armsOf(reads.then, { ...rows, where: [...rows.where, condition] }, undefined, named);
  }
  return reads.kind === 'subquery' && reads.query.kind === 'select' && host === undefined ? ofHost(reads.query, rows, named) : undefined;
}

function ofHost(host: Select, rows: Rows, named: With | undefined): Arms {
  const plain =
    host.items.length === 1 &&
    host.groupBy === undefined &&
    host.having === undefined &&
    host.limit === undefined &&
    host.distinct !== true;
  if (!plain || (host.with !== undefined && host.with !== named)) return undefined;
  const reads = host.items[0]!.expression;
  // Reads that the query makes once, whatever its rows are, are subqueries of their own there.
  const parts = reads.kind === 'jsonArray' && versionsOf(reads) === undefined ? reads.items : [reads];
  return allOf(parts.map((part) => armsOf(part, rows, isSubqueries(part) ? undefined : host, named)));
}

function allOf(parts: readonly Arms[]): Arms {
  return parts.every((each) => each !== undefined) ? parts.flat() : undefined;
}

function isSubqueries(part: Expression): boolean {
  return part.kind === 'subquery' || (part.kind === 'jsonArray' && part.items.every((each) => each.kind === 'subquery'));
}

/** [table, row id, list], or an array of these. */
function versionsOf(reads: Expression): Versions | undefined {
  if (reads.kind !== 'jsonArray' || reads.items.length === 0) return undefined;
  const one = reads.items.length === 3 && reads.items[0]!.kind === 'literal' && reads.items.slice(1).every(({ kind }) => kind === 'column');
  return one || reads.items.every((each) => versionsOf(each) !== undefined) ? reads : undefined;
}

/** The rows of the host combined with the outer ones. Undefined: both use the same name. */
function among(rows: Rows, host: Select, filter: Expression | undefined, once: boolean): Rows | undefined {
  const own = [host.where, filter].filter((each) => each !== undefined);
  if (rows.from === undefined) return { from: host.from, where: [...rows.where, ...own], single: !once };
  // Both use the same name for a table, so the outer conditions would apply to the inner table.
  const aliases = new Set(leavesOf(rows.from).map((leaf) => leaf.alias));
  if (leavesOf(host.from).some((leaf) => aliases.has(leaf.alias))) return undefined;
  return { from: { kind: 'join', type: 'cross', left: rows.from, right: host.from }, where: [...rows.where, ...own], single: false };
}

function arm(versions: Versions, from: From, { where, single }: Rows): Select {
  const flat = versions.items[0]?.kind === 'literal' ? versions.items : [versions];
  const shown = single ? flat : [{ kind: 'jsonAgg' as const, item: versions, once: true as const }];
  return {
    kind: 'select',
    items: [readsItem(besideArray(shown))],
    from,
    ...(where.length > 0 && { where: where.length === 1 ? where[0]! : { kind: 'logic', op: 'and', operands: where } }),
  };
}

/** The condition on the rows of a count that must not be 0. */
function someRow(when: Expression): { readonly filter: Expression | undefined } | undefined {
  if (when.kind !== 'compare' || when.op !== '>' || when.left.kind !== 'aggregate') return undefined;
  const { left, right } = when;
  return left.name === 'count' && left.operand === undefined && right.kind === 'literal' && right.value === 0
    ? { filter: left.filter }
    : undefined;
}

function exists(host: Select, { filter }: { readonly filter: Expression | undefined }): Expression {
  const where = [host.where, filter].filter((each) => each !== undefined);
  const query: Select = {
    kind: 'select',
    items: [{ expression: { kind: 'literal', type: 'integer', value: 1 }, alias: 'n' }],
    from: host.from,
    ...(where.length > 0 && { where: { kind: 'logic', op: 'and', operands: where } }),
  };
  return { kind: 'exists', query, negated: false };
}
