/** Reads: plain selects, joins of two or three tables, derived tables, UNION ALL, locking selects, whole tables. */
import type { Expression, From, Lock, Query, Random, Select, SelectItem, UnionAll } from '../core/index.ts';
import type { Family } from './domain.ts';
import { generateValue } from './expression.ts';
import { column, literal } from './operand.ts';
import type { GenerateOptions } from './options.ts';
import { generatePredicate } from './predicate.ts';
import { scopeOf, type ScopeColumn, type TableInfo } from './table-info.ts';
import { generateWhere, pickTable, type Focus } from './target.ts';

/** What every statement generator is handed. */
export interface Place {
  readonly options: GenerateOptions;
  readonly tables: readonly TableInfo[];
  readonly focus: Focus;
}

interface Source {
  readonly from: From;
  readonly scope: readonly ScopeColumn[];
  readonly where: Expression | undefined;
}

export function generateSelect(random: Random, place: Place): Select {
  const { options } = place;
  const kind = random.weighted(options.sources);
  const source = SOURCES[kind](random, place);
  const items = itemsOf(random, options, source.scope);
  const ordered = random.chance(options.orderShare);
  const limited = random.chance(options.limitShare);
  const lock = lockable(source.from) ? generateLock(random, options) : undefined;
  return {
    ...assemble(items, source),
    ...(ordered ? { orderBy: random.shuffle(source.scope).slice(0, random.int(1, 2)).map((from) => ({ expression: column(from), descending: random.chance(0.4) })) } : {}),
    ...(limited ? { limit: random.int(1, 4) } : {}),
    ...(lock ? { lock } : {}),
  };
}

export function generateUnion(random: Random, place: Place): UnionAll {
  const first = armSource(random, place);
  const arms = [assemble(columnItems(random, first.scope), first)];
  const shape = arms[0]!.items.map((item) => first.scope.find((from) => item.expression.kind === 'column' && from.info.name === item.expression.column)!);
  const count = random.chance(0.75) ? 2 : 3;
  while (arms.length < count) {
    const source = armSource(random, place);
    const items = shape.map((like, i): SelectItem => ({ expression: sameFamily(random, place.options, source.scope, like), alias: `r${i}` }));
    arms.push(assemble(items, source));
  }
  return { kind: 'unionAll', arms };
}

/** All columns and rows of one table. */
export function generateWhole(info: TableInfo): Select {
  const items = scopeOf(info, 'a0').map((from, i) => ({ expression: column(from), alias: `r${i}` }));
  return { kind: 'select', items, from: { kind: 'table', table: info.table.name, alias: 'a0' } };
}

const SOURCES: Readonly<Record<keyof GenerateOptions['sources'], (random: Random, place: Place) => Source>> = {
  table: (random, place) => tableSource(random, place, 'a0'),
  join: joinSource,
  derived: derivedSource,
};

function assemble(items: readonly SelectItem[], source: Source): Select {
  return { kind: 'select', items, from: source.from, ...(source.where ? { where: source.where } : {}) };
}

function tableSource(random: Random, { options, tables, focus }: Place, alias: string): Source {
  const info = pickTable(random, options, focus, tables);
  const where = generateWhere(random, options, info, alias, focus, random.weighted(options.targets));
  return { from: { kind: 'table', table: info.table.name, alias }, scope: scopeOf(info, alias), where };
}

function armSource(random: Random, place: Place): Source {
  return tableSource(random, place, 'a0');
}

function joinSource(random: Random, place: Place): Source {
  const { options, tables, focus } = place;
  const count = random.chance(options.threeTableShare) ? 3 : 2;
  const start = pickTable(random, options, focus, tables);
  let from: From = { kind: 'table', table: start.table.name, alias: 'a0' };
  let scope: ScopeColumn[] = scopeOf(start, 'a0');
  let crossed = false;
  for (let i = 1; i < count; i++) {
    const info = random.pick(tables);
    const alias = `a${i}`;
    const own = scopeOf(info, alias);
    const type = random.weighted(options.joins);
    const on = joinCondition(random, scope, own, info);
    // Two cross joins of tables that have grown would be most of a run's work.
    if (type === 'cross' && !crossed) {
      crossed = true;
      from = { kind: 'join', type, left: from, right: { kind: 'table', table: info.table.name, alias } };
    } else {
      const condition = on ?? generatePredicate(random, options, own);
      from = { kind: 'join', type: type === 'left' ? 'left' : 'inner', left: from, right: { kind: 'table', table: info.table.name, alias }, on: condition };
    }
    scope = [...scope, ...own];
  }
  const where = random.chance(0.7) ? generatePredicate(random, options, scope) : undefined;
  return { from, scope, where };
}

/** Equality along a foreign key where there is one, else of two columns of one family. */
function joinCondition(random: Random, left: readonly ScopeColumn[], right: readonly ScopeColumn[], info: TableInfo): Expression | undefined {
  const pairs = left.flatMap((a) => right.filter((b) => b.info.family === a.info.family && a.info.family !== 'boolean').map((b) => [a, b] as const));
  if (pairs.length === 0) return undefined;
  const along = pairs.filter(([a, b]) => a.info.foreignKey?.table === info.table.name || b.info.foreignKey !== undefined);
  const [a, b] = random.pick(along.length > 0 && random.chance(0.6) ? along : pairs);
  return { kind: 'compare', op: random.chance(0.85) ? '=' : '<=', left: column(a), right: column(b) };
}

function derivedSource(random: Random, place: Place): Source {
  const { options } = place;
  const inner = random.chance(0.2) ? unionOf(random, place) : selectOf(random, place);
  const derived: From = { kind: 'derived', query: inner.query, alias: 'd0' };
  if (random.chance(0.7)) {
    return { from: derived, scope: inner.scope, where: random.chance(0.6) ? generatePredicate(random, options, inner.scope) : undefined };
  }
  const info = pickTable(random, options, place.focus, place.tables);
  const own = scopeOf(info, 'a0');
  const on = joinCondition(random, own, inner.scope, info) ?? generatePredicate(random, options, inner.scope);
  const from: From = { kind: 'join', type: random.chance(0.6) ? 'inner' : 'left', left: { kind: 'table', table: info.table.name, alias: 'a0' }, right: derived, on };
  const scope = [...own, ...inner.scope];
  return { from, scope, where: random.chance(0.4) ? generatePredicate(random, options, scope) : undefined };
}

interface Inner {
  readonly query: Query;
  readonly scope: readonly ScopeColumn[];
}

/** The columns of a query inside FROM, as the outer query sees them. */
function outward(random: Random, query: Query, scope: readonly ScopeColumn[], items: readonly SelectItem[]): Inner {
  const columns = items.map((item): ScopeColumn => {
    const expression = item.expression as Extract<Expression, { kind: 'column' }>;
    const from = scope.find((candidate) => candidate.alias === expression.table && candidate.info.name === expression.column)!;
    return { alias: 'd0', info: { ...from.info, name: item.alias } };
  });
  return { query, scope: columns };
}

function selectOf(random: Random, place: Place): Inner {
  const source = tableSource(random, place, 'b0');
  const items = columnItems(random, source.scope);
  return outward(random, assemble(items, source), source.scope, items);
}

function unionOf(random: Random, place: Place): Inner {
  const union = generateUnion(random, place);
  const first = union.arms[0]!;
  const info = place.tables.find((candidate) => first.from.kind === 'table' && candidate.table.name === first.from.table)!;
  return outward(random, union, scopeOf(info, 'a0'), first.items);
}

/** Some of the columns (often all of them), in any order. */
function columnItems(random: Random, scope: readonly ScopeColumn[]): SelectItem[] {
  const chosen = random.chance(0.5) ? scope : random.shuffle(scope).slice(0, random.int(1, scope.length));
  return chosen.map((from, i) => ({ expression: column(from), alias: `r${i}` }));
}

function itemsOf(random: Random, options: GenerateOptions, scope: readonly ScopeColumn[]): SelectItem[] {
  const items = columnItems(random, scope);
  if (!random.chance(0.25)) return items;
  const like = random.pick(scope);
  const request = { family: like.info.family, columns: scope, scope, literals: like.info, stored: false };
  return [...items, { expression: generateValue(random, options, request), alias: `r${items.length}` }];
}

function sameFamily(random: Random, options: GenerateOptions, scope: readonly ScopeColumn[], like: ScopeColumn): Expression {
  const family: Family = like.info.family;
  const candidates = scope.filter((from) => from.info.family === family);
  return candidates.length > 0 ? column(random.pick(candidates)) : literal(random, options, like.info);
}

/** PostgreSQL locks neither a union nor the nullable side of an outer join. */
function lockable(from: From): boolean {
  if (from.kind === 'table') return true;
  return from.kind === 'join' && from.type !== 'left' && lockable(from.left) && lockable(from.right);
}

function generateLock(random: Random, options: GenerateOptions): Lock | undefined {
  const strength = random.weighted(options.locks);
  if (strength === 'none') return undefined;
  const wait = random.weighted(options.lockWaits);
  return wait === 'wait' ? { strength } : { strength, wait };
}
