/**
 * Resolves queries. Stars become columns, every item gets an alias, and positions and aliases in GROUP BY and ORDER BY
 * become their expressions. The names of a query's columns stay as written, for the outer queries.
 */
import { itemsOf } from '../../core/sql/index.ts';
import type { Expression, OrderItem, Query, Select, SelectItem, SetOperation, With } from '../../core/sql/index.ts';
import { fit, isOpen } from './fit-literal.ts';
import { refuse, refuseReserved } from './refuse.ts';
import { resolveCondition, resolveExpression, type Context, type ResolvedQuery } from './resolve-expression.ts';
import { claim, resolveFrom } from './resolve-from.ts';
import { typed, type CommonTable, type Field, type Item, type Scope } from './scope.ts';

export function resolveQuery(query: Query, outer: Scope, context: Context): ResolvedQuery {
  if (query.kind === 'select') return resolveSelect(query, outer, context);
  if (query.kind === 'setOperation') return resolveSetOperation(query, outer, context);
  const arms = alike(
    apart(query.arms, context, (arm, own) => resolveSelect(arm, outer, own)),
    context,
  );
  return { query: { kind: 'unionAll', arms: arms.map((arm) => arm.query) }, fields: arms[0]!.fields };
}

function resolveSelect(select: Select, outer: Scope, context: Context): ResolvedQuery & { readonly query: Select } {
  const { clause, commonTables } = resolveWith(select.with, outer, context);
  const from = resolveFrom(select.from, commonTables, { ...outer, commonTables: [...outer.commonTables, ...commonTables] }, context);
  const scope: Scope = { relations: from.relations, visible: from.visible, commonTables, outer };
  const items = resolveItems(select.items, scope, context);
  const fields = fieldsOf(items);
  const within: Scope = context.grammar.aliasesAnywhere ? { ...scope, items } : scope;
  const where = resolveCondition(select.where, scope, context);
  const groupBy = select.groupBy?.map((key) => placed(key, 'GROUP BY', items, scope, within, context));
  const having = resolveCondition(select.having, within, context);
  const orderBy = select.orderBy?.map((item): OrderItem => ({
    expression: placed(item.expression, 'ORDER BY', items, scope, within, context),
    descending: item.descending,
  }));
  return {
    query: {
      kind: 'select',
      ...(clause && { with: clause }),
      ...(select.distinct && { distinct: true }),
      items: items.map((item, i) => ({ expression: item.expression, alias: fields[i]!.column })),
      from: from.from,
      ...(where && { where }),
      ...(groupBy && { groupBy }),
      ...(select.rollup && { rollup: true }),
      ...(having && { having }),
      ...(orderBy && { orderBy }),
      ...(select.limit !== undefined && { limit: select.limit }),
      ...(select.lock && { lock: select.lock }),
    },
    fields,
  };
}

/**
 * Resolves an expression of GROUP BY or ORDER BY. A whole number is a position. A bare name may be an item's alias:
 * ORDER BY prefers it to a column of FROM, and GROUP BY prefers the column.
 */
function placed(
  expression: Expression,
  clause: 'GROUP BY' | 'ORDER BY',
  items: readonly Item[],
  scope: Scope,
  within: Scope,
  context: Context,
): Expression {
  if (expression.kind === 'literal' && typeof expression.value === 'number') {
    const item = items[expression.value - 1];
    if (item === undefined) refuse(`${clause} ${expression.value}: the query has ${items.length} columns`);
    return item.expression;
  }
  if (expression.kind === 'column' && expression.table === '') {
    const named = ({ written }: { readonly written?: string }): boolean =>
      written !== undefined && context.same(written, expression.column);
    const column = scope.visible.some(({ field }) => named(field));
    const own = items.filter(named);
    if (own.length > 0 && (clause === 'ORDER BY' || !column)) {
      if (own.some((item) => JSON.stringify(item.expression) !== JSON.stringify(own[0]!.expression)))
        refuse(`${clause} ${expression.column}: several columns of the query have this name`);
      return own[0]!.expression;
    }
    return resolveExpression(expression, scope, context).expression;
  }
  return resolveExpression(expression, within, context).expression;
}

export function resolveItems(items: readonly SelectItem[], scope: Scope, context: Context): readonly Item[] {
  return items.flatMap(({ expression, alias }): readonly Item[] => {
    if (expression.kind === 'column' && expression.column === '*') return expandStar(expression.table, scope, context);
    if (alias !== '') refuseReserved(alias, 'alias');
    const { expression: resolved, type } = resolveExpression(expression, scope, context);
    return [{ ...(alias !== '' && { written: alias }), expression: resolved, ...typed(type) }];
  });
}

function expandStar(table: string, { relations, visible }: Scope, { same }: Context): readonly Item[] {
  const relation = relations.find(({ written }) => same(written, table));
  if (table !== '' && relation === undefined) refuse(`${table}.*: no table or alias ${table} is in scope there`);
  const shown = table === '' ? visible : relation!.fields.map((field) => ({ relation: relation!, field }));
  return shown.map(({ relation: { alias }, field }) => ({
    ...(field.written !== undefined && { written: field.written }),
    expression: { kind: 'column', table: alias, column: field.column },
    ...typed(field.type),
  }));
}

/** Gives each item a unique name: its written one, with a number if an earlier item has it, or c1, c2, ... without one. */
export function fieldsOf(items: readonly Item[]): readonly Field[] {
  const written = new Set(items.flatMap((item) => item.written?.toLowerCase() ?? []));
  const taken = new Set<string>();
  return items.map((item, i) => {
    const base = item.written ?? `c${i + 1}`;
    const free = (name: string): boolean => !taken.has(name.toLowerCase()) && (name === item.written || !written.has(name.toLowerCase()));
    let column = base;
    for (let n = 2; !free(column); n++) column = `${base}_${n}`;
    taken.add(column.toLowerCase());
    return { ...(item.written !== undefined && { written: item.written }), column, ...typed(item.type) };
  });
}

function resolveWith(
  clause: With | undefined,
  outer: Scope,
  context: Context,
): { readonly clause?: With; readonly commonTables: readonly CommonTable[] } {
  if (clause === undefined) return { commonTables: [] };
  const commonTables: CommonTable[] = [];
  const ctes = clause.ctes.map(({ name: written, query }) => {
    refuseReserved(written, 'WITH');
    if (commonTables.some((each) => context.same(each.written, written))) refuse(`WITH names ${written} twice`);
    const name = claimApart(written, context);
    if (clause.recursive && isTable(written, context))
      refuse(`WITH RECURSIVE ${written} has the name of a table, which its own query could not name: give it another`);
    const within: Scope = { relations: [], visible: [], commonTables: [...commonTables], outer };
    const itself = clause.recursive && query.kind === 'setOperation' && query.op === 'union';
    // The CTE sees nothing of its outer query, so both may use the same aliases.
    const own: Context = { ...context, taken: new Set(context.taken) };
    const resolved = itself ? resolveRecursive(query, { written, name }, within, own) : resolveQuery(query, within, own);
    commonTables.push({ written, name, fields: resolved.fields });
    return { name, query: resolved.query };
  });
  return { clause: { recursive: clause.recursive, ctes }, commonTables };
}

/** Claims a name that no table, view or other WITH has, so that no rewrite can confuse them. */
export function claimApart(written: string, context: Context): string {
  const { tables, views = [] } = context.schema;
  const name = claim(written, {
    taken: new Set([...context.commonNames, ...[...tables, ...views].map((each) => each.name.toLowerCase())]),
  });
  context.commonNames.add(name.toLowerCase());
  return name;
}

function isTable(name: string, { schema: { tables, views = [] }, same }: Context): boolean {
  return [...tables, ...views].some((each) => same(each.name, name));
}

/** The right side may name the CTE itself. */
function resolveRecursive(
  query: SetOperation,
  { written, name }: Pick<CommonTable, 'written' | 'name'>,
  scope: Scope,
  context: Context,
): ResolvedQuery {
  if (query.with !== undefined)
    refuse(`WITH RECURSIVE ${written}: a WITH inside the recursion is not supported; define its query in the outer WITH`);
  const itself = (fields: readonly Field[]): CommonTable => ({ written, name, fields });
  let first: readonly Field[] = [];
  const sides = apart([query.left, query.right], context, (side, own, i) => {
    const resolved = resolveQuery(side, i === 0 ? scope : { ...scope, commonTables: [...scope.commonTables, itself(first)] }, own);
    if (i === 0) first = resolved.fields;
    return resolved;
  });
  return combined(query, sides, context);
}

function resolveSetOperation(query: SetOperation, outer: Scope, context: Context): ResolvedQuery {
  const { clause, commonTables } = resolveWith(query.with, outer, context);
  const scope: Scope = { relations: [], visible: [], commonTables, outer };
  const resolved = combined(
    query,
    apart([query.left, query.right], context, (side, own) => resolveQuery(side, scope, own)),
    context,
  );
  return clause === undefined ? resolved : { ...resolved, query: { ...(resolved.query as SetOperation), with: clause } };
}

/** Resolves the sides of a set operation apart. They do not see one another, so they may use the same aliases. */
function apart<T, R>(sides: readonly T[], context: Context, resolve: (side: T, context: Context, i: number) => R): readonly R[] {
  const before = [...context.taken];
  return sides.map((side, i) => {
    const taken = new Set(before);
    const resolved = resolve(side, { ...context, taken }, i);
    for (const alias of taken) context.taken.add(alias);
    return resolved;
  });
}

function combined({ op, all }: SetOperation, sides: readonly ResolvedQuery[], context: Context): ResolvedQuery {
  const [left, right] = alike(sides, context) as [ResolvedQuery, ResolvedQuery];
  return { query: { kind: 'setOperation', op, all, left: left.query, right: right.query }, fields: left.fields };
}

/** Checks that the sides have the same width. An untyped literal takes the type of the other side's column. */
function alike<T extends ResolvedQuery>(sides: readonly T[], context: Context): readonly T[] {
  const widths = [...new Set(sides.map((side) => side.fields.length))];
  if (widths.length > 1) refuse(`the sides of a set operation have ${widths.join(' and ')} columns: they must be of one width`);
  const types = sides[0]!.fields.map((field, i) => sides.find((side) => !openAt(side.query, i))?.fields[i]!.type ?? field.type);
  return sides.map((side) => ({
    ...side,
    query: fitItems(side.query, types, context),
    fields: side.fields.map((field, i) => ({ ...field, ...typed(types[i]) })),
  }));
}

function openAt(query: Query, i: number): boolean {
  return isOpen(itemsOf(query)[i]!.expression);
}

/** Gives untyped literals among the items the wanted types. */
export function fitItems(query: Query, types: readonly (Field['type'] | undefined)[], context: Context): Query {
  if (query.kind === 'unionAll') return { ...query, arms: query.arms.map((arm) => fitItems(arm, types, context) as Select) };
  if (query.kind === 'setOperation')
    return { ...query, left: fitItems(query.left, types, context), right: fitItems(query.right, types, context) };
  const items = query.items.map((item, i) => {
    const type = types[i];
    return type === undefined || !isOpen(item.expression) ? item : { ...item, expression: fit(item.expression, type, context.grammar) };
  });
  return { ...query, items };
}
