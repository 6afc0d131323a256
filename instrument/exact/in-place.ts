/**
 * Gives a query one extra last column `iso_reads` that names the row versions which went into each result row. Rows,
 * order and locks stay the same, and there is one evaluation.
 *
 * A plain row shows a JSON array of table, row id, list for each base table of its FROM. The missing side of a left
 * join gives null ids, which the decoder skips. A derived table or a view carries an `iso_reads` of its own, nested in
 * the outer array. A group shows the array of its rows. DISTINCT becomes GROUP BY over all columns, UNION a grouped
 * UNION ALL, so that merged rows are still shown. A subquery among the items is collected beside its value.
 *
 * `hidden` says why some row versions that the query read may not be shown. The item reads of a query are the versions
 * that satisfied its FROM and WHERE, derived tables, views and subqueries included.
 */
import {
  READS_COLUMN,
  hasSubquery,
  hasWindow,
  isGrouped,
  itemsOf,
  joinConditions,
  leavesOf,
  readsItem,
  versionItems,
} from '../../core/index.ts';
import type { Expression, From, Leaf, Query, Select, SelectItem, SetOperation } from '../../core/index.ts';
import type { Views } from '../schema/carried-view.ts';
import { collectSites } from './collect-reads.ts';
import { column } from '../expressions.ts';

export type InPlace =
  { readonly query: Query; readonly hidden: string | undefined } | { readonly query: undefined; readonly hidden: string };

export function inPlace(query: Query, views: Views): InPlace {
  if (query.kind === 'select') return selectInPlace(query, views);
  if (query.kind === 'setOperation') return setOperationInPlace(query, views);
  const arms = query.arms.map((arm) => selectInPlace(arm, views));
  const queries = arms.map((arm) => arm.query);
  if (!queries.every((arm) => arm?.kind === 'select'))
    return none(arms.find((arm) => arm.query === undefined)?.hidden ?? 'an arm of UNION ALL changes its form');
  return { query: { ...query, arms: queries }, hidden: first(arms.map((arm) => arm.hidden)) };
}

function selectInPlace(select: Select, views: Views): InPlace {
  if (select.with !== undefined) return none('the rows that a WITH query read are not carried through');
  const from = fromInPlace(select.from, views, select.where === undefined);
  if (from.from === undefined) return none(from.hidden);
  const grouped = isGrouped(select);
  const within = collectSites(
    select.items.map((item) => item.expression),
    views,
  );
  const rows: Expression = { kind: 'jsonArray', items: leafReads(select.from, views) };
  const hidden = first([
    hiddenHere(select),
    ...(select.lock && within.json.length > 0
      ? ['what a subquery read in a locking query may be older than what the query locked']
      : within.reasons),
    from.hidden,
  ]);
  if (select.distinct) {
    const plain = !grouped && !select.items.some((item) => hasWindow(item.expression) || hasSubquery(item.expression));
    const groupBy = select.items.map((item) => item.expression).filter((expression) => expression.kind !== 'literal');
    if (!plain || groupBy.length === 0) return none('DISTINCT merges rows that it does not show');
    const { distinct: _, ...rest } = select;
    return { query: { ...rest, from: from.from, groupBy, items: withReads(select.items, groupReads(select.from, views)) }, hidden };
  }
  const beside = select.lock || within.reasons.length > 0 ? [] : within.json;
  const reads: Expression =
    grouped || beside.length > 0 ? { kind: 'jsonArray', items: [grouped ? groupReads(select.from, views) : rows, ...beside] } : rows;
  return { query: { ...select, from: from.from, items: withReads(select.items, reads) }, hidden };
}

/** Returns why the select itself hides reads, whatever its FROM is. */
function hiddenHere(select: Select): string | undefined {
  if (select.limit !== undefined) return 'LIMIT may leave rows unread that satisfied the WHERE';
  if (select.lock?.wait === 'skip locked') return 'SKIP LOCKED leaves out rows that satisfied the WHERE';
  if (select.having !== undefined) return 'the groups that HAVING drops are not shown';
  const unseen = [
    ...joinConditions(select.from),
    ...(select.where ? [select.where] : []),
    ...(select.groupBy ?? []),
    ...(select.orderBy ?? []).map((item) => item.expression),
  ];
  if (unseen.some(hasSubquery)) return 'what a subquery in the WHERE read for rows that are not in the result is not shown';
  return undefined;
}

function setOperationInPlace(query: SetOperation, views: Views): InPlace {
  if (query.with !== undefined) return none('the rows that a WITH query read are not carried through');
  if (query.op !== 'union') return none(`rows that ${query.op.toUpperCase()} drops are not shown`);
  if (query.all) return bag(query, views);
  const names = itemsOf(query).map((item) => item.alias);
  if (new Set(names).size < names.length) return none('UNION over columns of one name');
  const { query: all, hidden } = bag(query, views);
  if (all === undefined) return none(hidden);
  const items = names.map((alias): SelectItem => ({ expression: column(UNION, alias), alias }));
  return {
    query: {
      kind: 'select',
      items: withReads(items, { kind: 'jsonAgg', item: column(UNION, READS_COLUMN) }),
      from: { kind: 'derived', query: all, alias: UNION },
      groupBy: items.map((item) => item.expression),
    },
    hidden,
  };
}

const UNION = 'iso_u';

/** Unions below a union that removes duplicates need not do so themselves. */
function bag(query: Query, views: Views): InPlace {
  if (query.kind !== 'setOperation' || query.op !== 'union' || query.with !== undefined) return inPlace(query, views);
  const [left, right] = [query.left, query.right].map((arm) => (query.all ? inPlace : bag)(arm, views)) as [InPlace, InPlace];
  if (left.query === undefined) return left;
  if (right.query === undefined) return right;
  return { query: { ...query, all: true, left: left.query, right: right.query }, hidden: first([left.hidden, right.hidden]) };
}

type FromInPlace = { readonly from: From; readonly hidden: string | undefined } | { readonly from: undefined; readonly hidden: string };

/** `kept` says that all reads of a derived table stay in the result. */
function fromInPlace(from: From, views: Views, kept: boolean): FromInPlace {
  if (from.kind === 'join') {
    const left = fromInPlace(from.left, views, kept && from.type === 'left');
    if (left.from === undefined) return left;
    const right = fromInPlace(from.right, views, false);
    if (right.from === undefined) return right;
    return { from: { ...from, left: left.from, right: right.from }, hidden: first([left.hidden, right.hidden]) };
  }
  if (from.kind === 'table') return { from, hidden: undefined };
  if (from.kind === 'cte') return { from, hidden: `the rows that ${from.name} read are not carried through` };
  const dropped = kept
    ? undefined
    : `rows that ${from.kind === 'view' ? 'view' : 'derived table'} ${from.alias} read can be dropped outside it`;
  if (from.kind === 'view') return { from, hidden: first([dropped, views.get(from.view)?.hidden]) };
  const { query, hidden } = inPlace(from.query, views);
  if (query === undefined) return { from: undefined, hidden };
  return {
    from: { ...from, query },
    hidden: first([dropped, hidden, from.lateral ? 'the reads of a lateral derived table cannot be shown in place' : undefined]),
  };
}

/** Returns the rows of a group. If they are combinations, each table's rows occur once. */
function groupReads(from: From, views: Views): Expression {
  const leaves = leavesOf(from).map((leaf) => shown(leaf, views));
  if (leaves.length < 2) return { kind: 'jsonAgg', item: { kind: 'jsonArray', items: leaves.flat() } };
  const parts = leaves
    .filter((items) => items.length > 0)
    .map((items): Expression => ({ kind: 'jsonAgg', item: { kind: 'jsonArray', items }, ...(items.length === 3 && { once: true }) }));
  return { kind: 'jsonArray', items: parts };
}

function leafReads(from: From, views: Views): readonly Expression[] {
  if (from.kind === 'join') return [...leafReads(from.left, views), ...leafReads(from.right, views)];
  return shown(from, views);
}

function shown(leaf: Leaf, views: Views): readonly Expression[] {
  if (leaf.kind === 'table') return versionItems(leaf.table, leaf.alias);
  if (leaf.kind === 'derived') return [column(leaf.alias, READS_COLUMN)];
  const carried = leaf.kind === 'view' ? views.get(leaf.view) : undefined;
  if (carried?.carries === 'row') return versionItems(carried.table, leaf.alias);
  return carried?.carries === READS_COLUMN ? [column(leaf.alias, READS_COLUMN)] : [];
}

function withReads(items: readonly SelectItem[], reads: Expression): readonly SelectItem[] {
  return [...items, readsItem(reads)];
}

function none(hidden: string): InPlace & { readonly query: undefined; readonly hidden: string } {
  return { query: undefined, hidden };
}

function first(reasons: readonly (string | undefined)[]): string | undefined {
  return reasons.find((reason) => reason !== undefined);
}
