/**
 * Collects the item reads of a query as one JSON expression, which is evaluated beside the query on the same snapshot.
 * It serves queries whose result rows cannot carry them, because the rows that were read are not in the result.
 *
 * Each SELECT becomes a scalar subquery that aggregates over the same FROM and the part of its WHERE without
 * subqueries. The resulting rows are the candidates. A candidate that satisfies the whole WHERE shows its rows. The
 * subqueries of the WHERE are read for every candidate, those among the items for the rows that satisfied the WHERE.
 * HAVING, DISTINCT and the rows that INTERSECT and EXCEPT drop do not matter, since those rows satisfied FROM and
 * WHERE. Derived tables, views and WITH queries are collected once and whole. A recursive WITH is collected arm by arm
 * over its finished result, in which each row has been the working table exactly once.
 */
import {
  conjunction,
  conjunctsOf,
  contentsOf,
  contentsOfExpressions,
  hasAggregate,
  hasSubquery,
  isCorrelated,
  isGrouped,
  joinConditions,
  leavesOf,
  readsItem,
  versionItems,
} from '../../core/index.ts';
import type { Cte, Expression, Insert, PlainWrite, Query, Select, With } from '../../core/index.ts';
import type { Views } from '../schema/carried-view.ts';
import { subquerySites } from './subquery-sites.ts';
import type { SubquerySite } from './subquery-sites.ts';

export interface Collected {
  readonly json: readonly Expression[];
  /** The reasons why some reads are left out, or cannot be determined. */
  readonly reasons: readonly string[];
}

interface Context {
  readonly views: Views;
  readonly reasons: string[];
}

export function collectReads(query: Query, views: Views): Collected {
  return collected(views, (context) => ofQuery(query, context, undefined));
}

/** Collects the reads of the subqueries in the expressions, in the place of the expressions. */
export function collectSites(expressions: readonly Expression[], views: Views): Collected {
  return collected(views, (context) =>
    expressions.flatMap((each) => subquerySites(each)).map((site) => guarded(site.guards, array(ofQuery(site.query, context, undefined)))),
  );
}

/**
 * Collects the reads of a write beside the rows that it writes: the other tables of its joins, its subqueries, its
 * source.
 */
export function collectWriteReads(write: PlainWrite, views: Views): Collected {
  return collected(views, (context) => {
    if (write.kind === 'insert') return ofInsert(write, context);
    const from = write.kind === 'update' ? write.from : write.using;
    const alias = (write.kind === 'update' && write.through) || write.table;
    const target =
      alias === write.table ? ({ kind: 'table', table: write.table, alias } as const) : ({ kind: 'view', view: alias, alias } as const);
    const select: Select = {
      kind: 'select',
      items: (write.kind === 'update' ? write.set : []).map(({ column, value }) => ({ expression: value, alias: column })),
      from: from === undefined ? target : { kind: 'join', type: 'cross', left: target, right: from },
      ...(write.where !== undefined && { where: write.where }),
    };
    return ofSelect(select, context, undefined, alias);
  });
}

function collected(views: Views, collect: (context: Context) => readonly Expression[]): Collected {
  const context: Context = { views, reasons: [] };
  const json = collect(context);
  return { json, reasons: context.reasons };
}

function ofInsert(insert: Insert, context: Context): readonly Expression[] {
  const { conflict, query } = insert;
  if (
    conflict?.action === 'update' &&
    [...conflict.set.map(({ value }) => value), ...(conflict.where ? [conflict.where] : [])].some(hasSubquery)
  ) {
    context.reasons.push('a subquery in ON CONFLICT is read only for the rows that conflict');
  }
  const inRows = insert.rows
    .flat()
    .flatMap((value) => subquerySites(value))
    .map((site) => guarded(site.guards, array(ofQuery(site.query, context, undefined))));
  return query === undefined ? inRows : ofQuery(query, context, undefined);
}

/** `scope` holds the outer WITH queries that it may name. */
function ofQuery(query: Query, context: Context, scope: With | undefined): readonly Expression[] {
  if (query.kind === 'unionAll') return query.arms.flatMap((arm) => ofQuery(arm, context, scope));
  const inner = joined(scope, query.with);
  const own =
    query.kind === 'select'
      ? ofSelect(query, context, inner)
      : [...ofQuery(query.left, context, inner), ...ofQuery(query.right, context, inner)];
  return [...own, ...named(query).flatMap((cte) => ofQuery(cte.query, context, inner))];
}

/** `written` is the alias whose rows a write changes. They are named elsewhere. */
function ofSelect(select: Select, context: Context, scope: With | undefined, written?: string): readonly Expression[] {
  // A read that waited for a lock saw the newest row. A second evaluation takes no lock and sees the snapshot.
  if (select.lock !== undefined) context.reasons.push('a locking subquery may have read newer rows than a second evaluation sees');
  // It is not known which further rows an engine reads when it has enough for its LIMIT.
  if (select.limit !== undefined) context.reasons.push('LIMIT may leave rows unread that satisfied the WHERE');
  const conjuncts = conjunctsOf(select.where);
  const candidate = conjunction(conjuncts.filter((each) => !hasSubquery(each)));
  const rest = conjuncts.filter(hasSubquery);
  const leaves = leavesOf(select.from);
  const perRow: PerRow[] = [];
  const once: Expression[] = [];
  const rows = leaves.flatMap((leaf) =>
    leaf.kind === 'table' && leaf.alias !== written ? [array(versionItems(leaf.table, leaf.alias))] : [],
  );
  // If each row of a join were shown by itself, the conditions with subqueries would be evaluated once more for each.
  if (rest.length === 0 || rows.length === 1) perRow.push(...rows.map((reads) => ({ guards: rest, reads, repeats: leaves.length > 1 })));
  else if (rows.length > 1) perRow.push({ guards: rest, reads: array(rows), repeats: false });

  const place = ({ query, guards }: SubquerySite): void => {
    const reads = array(ofQuery(query, context, scope));
    if (isCorrelated(query)) perRow.push({ guards, reads, repeats: true });
    else once.push(guarded([someRow(guards)], reads));
  };
  // Conjuncts with subqueries have no order among each other, so each is read for every candidate.
  for (const conjunct of rest) subquerySites(conjunct).forEach(place);
  for (const site of itemSites(select, context)) {
    if (isGrouped(select) && !select.groupBy?.length) once.push(array(ofQuery(site.query, context, scope)));
    else place({ query: site.query, guards: [...rest, ...site.guards] });
  }
  for (const leaf of leaves) {
    if (leaf.alias === written) continue;
    if (leaf.kind === 'derived') once.push(...ofQuery(leaf.query, context, scope));
    if (leaf.kind === 'derived' && leaf.lateral) context.reasons.push('a lateral derived table cannot be collected beside the query');
    if (leaf.kind === 'view') once.push(...ofQuery(context.views.get(leaf.view)!.view.query, context, undefined));
  }
  if (joinConditions(select.from).some(hasSubquery))
    context.reasons.push('a subquery in a join condition cannot be collected beside the query');

  if (perRow.length === 0 && once.every((each) => each.kind === 'subquery')) return once;
  const all = [...aggregated(perRow, new Set(leaves.map((leaf) => leaf.alias))), ...once];
  const host: Select = {
    kind: 'select',
    items: [readsItem(array(all))],
    from: select.from,
    ...(candidate !== undefined && { where: candidate }),
  };
  const needsScope = contentsOf(host).leaves.some((leaf) => leaf.kind === 'cte');
  return [{ kind: 'subquery', query: scope !== undefined && needsScope ? { ...host, with: scope } : host }];
}

/** The reads of each candidate that satisfies the guards. */
interface PerRow {
  readonly guards: readonly Expression[];
  readonly reads: Expression;
  /** Several candidates may show the same reads. */
  readonly repeats: boolean;
}

/**
 * Aggregates each part, each value once. The candidates are combinations, so a row of one table occurs among them again
 * and again. So do the reads of a subquery for one value that it is correlated by. An aggregate belongs to the query
 * whose columns it names. Parts that name none of these stay beside one that does.
 */
function aggregated(perRow: readonly PerRow[], own: ReadonlySet<string>): readonly Expression[] {
  const here = (part: PerRow): boolean => namesAny([...part.guards, part.reads], own);
  if (perRow.length === 0) return [];
  if (!perRow.every(here)) return [{ kind: 'jsonAgg', item: array(perRow.map(({ guards, reads }) => guarded(guards, reads))) }];
  return perRow.map(({ guards, reads, repeats }): Expression => {
    const filter = conjunction(guards);
    return { kind: 'jsonAgg', item: reads, ...(repeats && { once: true }), ...(filter !== undefined && { filter }) };
  });
}

function namesAny(expressions: readonly Expression[], tables: ReadonlySet<string>): boolean {
  const { expressions: all, leaves } = contentsOfExpressions(expressions);
  const inner = new Set(leaves.map((leaf) => leaf.alias));
  return all.some((each) => each.kind === 'column' && tables.has(each.table) && !inner.has(each.table));
}

/**
 * Returns the subqueries that are read for rows that satisfied the WHERE: among the items, in GROUP BY, HAVING and
 * ORDER BY.
 */
function itemSites(select: Select, context: Context): readonly SubquerySite[] {
  const shown = [...select.items, ...(select.orderBy ?? [])].map((item) => item.expression);
  const groups = [...(select.groupBy ?? []), ...(select.having ? [select.having] : [])];
  const sites = [...shown, ...groups].flatMap((expression) => subquerySites(expression));
  if (sites.length === 0) return sites;
  const grouped = isGrouped(select);
  if (shown.some(hasSubquery) && select.having !== undefined)
    context.reasons.push('a subquery among the items is read only for the groups that HAVING keeps');
  if (grouped && select.rollup) context.reasons.push('a subquery is read for the rows that ROLLUP adds');
  if (grouped && sites.some((site) => site.guards.length > 0 || hasOuterAggregate(site.query)))
    context.reasons.push('a subquery depends on an aggregate of the outer query');
  return sites;
}

function hasOuterAggregate(query: Query): boolean {
  const { expressions, leaves } = contentsOf(query);
  const own = new Set(leaves.map((leaf) => leaf.alias));
  const names = (expression: Expression): readonly string[] =>
    contentsOfExpressions([expression]).expressions.flatMap((each) => (each.kind === 'column' ? [each.table] : []));
  return expressions.some((each) => each.kind === 'aggregate' && hasAggregate(each) && names(each).some((table) => !own.has(table)));
}

/**
 * Returns the WITH queries that the query's body names, directly or through one another. A WITH query without a
 * reference is never run.
 */
function named(query: Exclude<Query, { kind: 'unionAll' }>): readonly Cte[] {
  if (query.with === undefined) return [];
  const { with: clause, ...body } = query;
  const reached = new Set<string>();
  const follow = (part: Query): void => {
    for (const leaf of contentsOf(part).leaves) {
      if (leaf.kind !== 'cte' || reached.has(leaf.name)) continue;
      reached.add(leaf.name);
      const cte = clause.ctes.find(({ name }) => name === leaf.name);
      if (cte !== undefined) follow(cte.query);
    }
  };
  follow(body);
  return clause.ctes.filter((cte) => reached.has(cte.name));
}

function joined(outer: With | undefined, inner: With | undefined): With | undefined {
  if (outer === undefined || inner === undefined) return inner ?? outer;
  return { recursive: outer.recursive || inner.recursive, ctes: [...outer.ctes, ...inner.ctes] };
}

function array(items: readonly Expression[]): Expression {
  return { kind: 'jsonArray', items };
}

function guarded(guards: readonly Expression[], reads: Expression): Expression {
  const when = conjunction(guards);
  // oxlint-disable-next-line unicorn/no-thenable -- the IR's CASE
  return when === undefined ? reads : { kind: 'case', when, then: reads, otherwise: array([]) };
}

/** Tells whether there is a candidate for which the guards hold. */
function someRow(guards: readonly Expression[]): Expression {
  const filter = conjunction(guards);
  const count: Expression = { kind: 'aggregate', name: 'count', ...(filter !== undefined && { filter }) };
  return { kind: 'compare', op: '>', left: count, right: { kind: 'literal', type: 'integer', value: 0 } };
}
