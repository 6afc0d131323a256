/**
 * Resolves FROM: the columns of each alias, the columns that a bare name can mean, and aliases that are unique in the
 * statement.
 */
import type { From } from '../../core/sql/index.ts';
import { refuse, refuseReserved, refuseTable } from './refuse.ts';
import { resolveCondition, type Context } from './resolve-expression.ts';
import { NOTHING, typed, type CommonTable, type Field, type Relation, type Scope, type Visible } from './scope.ts';

type Join = Extract<From, { kind: 'join' }>;
type Leaf = Exclude<From, Join>;

export interface ResolvedFrom {
  readonly from: From;
  readonly relations: readonly Relation[];
  readonly visible: readonly Visible[];
}

/** `outer`: the outer queries. */
export function resolveFrom(from: From, commonTables: readonly CommonTable[], outer: Scope | undefined, context: Context): ResolvedFrom {
  const around: Around = { commonTables, outer, context };
  const resolved = resolvePart(from, [], around);
  resolved.relations.forEach(({ written }, i) => {
    if (resolved.relations.findIndex((other) => context.same(other.written, written)) !== i)
      refuse(`the name ${written} appears twice in one FROM: give each its own alias`);
  });
  return resolved;
}

interface Around {
  readonly commonTables: readonly CommonTable[];
  readonly outer: Scope | undefined;
  readonly context: Context;
}

function resolvePart(from: From, left: readonly Relation[], around: Around): ResolvedFrom {
  return from.kind === 'join' ? resolveJoin(from, left, around) : resolveLeaf(from, left, around);
}

function resolveJoin(join: Join, before: readonly Relation[], around: Around): ResolvedFrom {
  const { context } = around;
  const left = resolvePart(join.left, before, around);
  const right = resolvePart(join.right, [...before, ...left.relations], around);
  const relations = [...left.relations, ...right.relations];
  const using = join.natural ? commonNames(left.visible, right.visible, context) : join.using;
  const sides = { kind: 'join', type: join.type, left: left.from, right: right.from } as const;
  if (using === undefined) {
    const visible = [...left.visible, ...right.visible];
    const on = resolveCondition(join.on, scopeOf(relations, visible, around), context);
    return { from: { ...sides, ...(on && { on }) }, relations, visible };
  }
  // A natural join of tables without a common column is a cross join.
  if (using.length === 0) {
    const visible = [...left.visible, ...right.visible];
    const always = { on: { kind: 'literal', type: 'boolean', value: true } } as const;
    return { from: join.type === 'left' ? { ...sides, ...always } : { ...sides, type: 'cross' }, relations, visible };
  }
  const named = (side: readonly Visible[], name: string): Visible => {
    const [only, another] = side.filter(({ field }) => field.written !== undefined && context.same(field.written, name));
    if (only === undefined || another !== undefined)
      refuse(
        `the column ${name} of a join ${join.natural ? 'NATURAL' : 'USING'} ${only === undefined ? 'is missing on' : 'appears several times on'} one side: write the condition with ON`,
      );
    return only;
  };
  const lefts = using.map((name) => named(left.visible, name));
  const rights = new Set(using.map((name) => named(right.visible, name)));
  const columns = lefts.map(({ field }) => field.column);
  if (columns.some((column, i) => [...rights][i]!.field.column !== column))
    refuse('a join USING over columns that a subquery in FROM gives under a name of the tool: write the condition with ON');
  return {
    from: { ...sides, using: columns, ...(join.natural && { natural: true }) },
    relations,
    visible: [...lefts, ...left.visible.filter((each) => !lefts.includes(each)), ...right.visible.filter((each) => !rights.has(each))],
  };
}

function commonNames(left: readonly Visible[], right: readonly Visible[], { same }: Context): readonly string[] {
  const names = left.flatMap(({ field }) => (field.written === undefined ? [] : [field.written]));
  return names.filter((name) => right.some(({ field }) => field.written !== undefined && same(field.written, name)));
}

function resolveLeaf(leaf: Leaf, left: readonly Relation[], around: Around): ResolvedFrom {
  const { context, commonTables, outer } = around;
  refuseReserved(leaf.alias, 'alias');
  if (leaf.kind === 'derived') {
    const visible = left.flatMap(visibleOf);
    const scope = leaf.lateral ? scopeOf(left, visible, around) : scopeOf([], [], around);
    const { query, fields } = context.query(leaf.query, scope, context);
    const alias = claim(leaf.alias, context);
    return one({ kind: 'derived', query, alias, ...(leaf.lateral && { lateral: true }) }, { written: leaf.alias, alias, fields });
  }
  const name = leaf.kind === 'table' ? leaf.table : leaf.kind === 'view' ? leaf.view : leaf.name;
  const common = findCommonTable(name, commonTables, outer, context);
  if (common !== undefined) {
    const alias = claim(leaf.alias, context);
    return one({ kind: 'cte', name: common.name, alias }, { written: leaf.alias, alias, fields: common.fields });
  }
  const { kind, name: real, fields } = findTable(name, context);
  const alias = claim(context.same(leaf.alias, name) ? real : leaf.alias, context);
  return one(kind === 'table' ? { kind, table: real, alias } : { kind, view: real, alias }, { written: leaf.alias, alias, fields });
}

function findCommonTable(
  name: string,
  here: readonly CommonTable[],
  outer: Scope | undefined,
  { same }: Pick<Context, 'same'>,
): CommonTable | undefined {
  const own = here.findLast(({ written }) => same(written, name));
  return own ?? (outer === undefined ? undefined : findCommonTable(name, outer.commonTables, outer.outer, { same }));
}

export interface FoundTable {
  readonly kind: 'table' | 'view';
  /** The name as the schema spells it. */
  readonly name: string;
  readonly fields: readonly Field[];
}

export function findTable(name: string, context: Context): FoundTable {
  const { schema, same } = context;
  const table = schema.tables.find((each) => same(each.name, name));
  if (table !== undefined)
    return {
      kind: 'table',
      name: table.name,
      fields: table.columns.map((column) => ({ written: column.name, column: column.name, type: column.type.kind })),
    };
  const view = schema.views?.find((each) => same(each.name, name));
  if (view === undefined)
    refuseTable(
      name,
      ` in the schema: it has ${[...schema.tables, ...(schema.views ?? [])].map((each) => each.name).join(', ') || 'none'}`,
    );
  const fields = context.query(view.query, NOTHING, { ...context, taken: new Set() }).fields;
  return {
    kind: 'view',
    name: view.name,
    fields: fields.map((field) => ({ written: field.column, column: field.column, ...typed(field.type) })),
  };
}

/** Returns the alias itself, or the alias with a number if the statement uses it already. */
export function claim(alias: string, { taken }: Pick<Context, 'taken'>): string {
  let claimed = alias;
  for (let n = 2; taken.has(claimed.toLowerCase()); n++) claimed = `${alias}_${n}`;
  taken.add(claimed.toLowerCase());
  return claimed;
}

export function visibleOf(relation: Relation): readonly Visible[] {
  return relation.fields.map((field) => ({ relation, field }));
}

function one(from: Leaf, relation: Relation): ResolvedFrom {
  return { from, relations: [relation], visible: visibleOf(relation) };
}

function scopeOf(relations: readonly Relation[], visible: readonly Visible[], { commonTables, outer }: Around): Scope {
  return { relations, visible, commonTables, ...(outer && { outer }) };
}
