/**
 * Generates MERGE. Its source may be one row that always exists, so that the table alone decides whether a key matches.
 * It may also be another table's rows, each of which may match one row by its key. No row of the table matches two,
 * which would be an error.
 */
import type { Assignment, Expression, From, MergeBranch, Random, Statement } from '../../../core/index.ts';
import { column, constant } from '../expression/operand.ts';
import { generatePredicate } from '../expression/predicate.ts';
import { generateWhere, pickTable } from '../focus.ts';
import type { GenerateOptions } from '../options.ts';
import { scopeOf, type ColumnInfo, type ScopeColumn, type TableInfo } from '../table-info.ts';
import { keysOf } from './upsert.ts';
import { fitting, freeColumns, generateSet, generateUpdate, insertColumns, insertRow, type WritePlace } from './write.ts';

const SOURCE = 'a0';
const WITHIN = 'b0';

interface Meeting {
  readonly source: From;
  readonly on: Expression;
  /** The columns of the source that a branch may name. */
  readonly scope: readonly ScopeColumn[];
  /** The key under which an unmatched row is inserted. It is undefined if the row would conflict by another key. */
  readonly key: ReadonlyMap<string, Expression> | undefined;
}

/** The weights of changing, deleting or leaving rows that match, or that nothing matches. */
const CHANGES = { update: 5, delete: 2, nothing: 1 };

export function generateMerge(random: Random, place: WritePlace): Statement {
  const { options, tables, focus } = place;
  const first = pickTable(random, options, focus, tables);
  const info = [first, ...tables].find((each) => keysOf(each).length > 0);
  if (info === undefined) return generateUpdate(random, place);
  const partner = random.chance(0.4) ? partnerMeeting(random, place, info) : undefined;
  const { source, on, scope, key } = partner ?? keyMeeting(random, place, info);
  const branches: MergeBranch[] = [];
  if (random.chance(0.85)) branches.push(...changes(random, place, info, 'matched', scope));
  if (key !== undefined && random.chance(0.8)) branches.push(insertion(random, place, info, scope, key));
  // Unmatched rows of both sides are found by a full join, which PostgreSQL has only if columns are compared.
  const full = partner !== undefined || !branches.some(({ action }) => action === 'insert');
  if (full && random.chance(options.mergeBySourceShare)) branches.push(...changes(random, place, info, 'not matched by source', []));
  if (branches.length === 0) branches.push(...changes(random, place, info, 'matched', scope));
  return { kind: 'merge', table: info.table.name, source, on, branches };
}

/** One source row, a count of another table or of this one, matches the row of one key, if it exists. */
function keyMeeting(random: Random, { options, tables, focus }: WritePlace, info: TableInfo): Meeting {
  const other = random.pick(tables);
  const where = generateWhere(random, options, other, WITHIN, focus, random.weighted(options.targets));
  const source: From = {
    kind: 'derived',
    query: {
      kind: 'select',
      items: [{ expression: { kind: 'aggregate', name: 'count' }, alias: 'n' }],
      from: { kind: 'table', table: other.table.name, alias: WITHIN },
      ...(where && { where }),
    },
    alias: SOURCE,
  };
  const key = keyOf(random, options, info, random.pick(keysOf(info)));
  const operands = scopeOf(info, info.table.name).flatMap((from): Expression[] => {
    const right = key.get(from.info.name);
    return right === undefined ? [] : [{ kind: 'compare', op: '=', left: column(from), right }];
  });
  return { source, on: operands.length > 1 ? { kind: 'logic', op: 'and', operands } : operands[0]!, scope: [], key };
}

/** Returns the key of an initial row, or one that no row may have. */
function keyOf(random: Random, { absentShare }: GenerateOptions, info: TableInfo, key: readonly string[]): ReadonlyMap<string, Expression> {
  const row = info.table.rows.length === 0 || random.chance(Math.max(absentShare, 0.25)) ? undefined : random.pick(info.table.rows);
  return new Map(
    info.columns.flatMap((from, i) => {
      if (!key.includes(from.name)) return [];
      return [[from.name, constant(from.type.kind, row?.[i] ?? random.pick(from.domain))] as const];
    }),
  );
}

/**
 * Takes rows of a table, or some of them, each with a key that matches one row at most. Returns undefined if no two
 * keys have one type.
 */
function partnerMeeting(random: Random, { options, tables, focus }: WritePlace, info: TableInfo): Meeting | undefined {
  const own = keysOf(info).flatMap((key) =>
    key.length === 1 ? scopeOf(info, info.table.name).filter((from) => from.info.name === key[0]) : [],
  );
  const pairs = tables.flatMap((other) =>
    scopeOf(other, SOURCE)
      .filter(({ info: { name } }) => other.table.primaryKey.length === 1 && other.table.primaryKey[0] === name)
      .flatMap((by) => own.filter((to) => to.info.family === by.info.family).map((to) => ({ other, by, to }))),
  );
  if (pairs.length === 0) return undefined;
  const { other, by, to } = random.pick(pairs);
  const table: From = { kind: 'table', table: other.table.name, alias: SOURCE };
  const where = random.chance(0.5) ? generateWhere(random, options, other, WITHIN, focus, random.weighted(options.targets)) : undefined;
  const source: From = where === undefined ? table : { kind: 'derived', query: rowsOf(other, where), alias: SOURCE };
  // One branch inserts several rows, so each needs a key of its own, and no other key.
  const alone = info.columns.every((each) => !each.unique || each.identity || each === to.info);
  const alike = JSON.stringify(to.info.type) === JSON.stringify(by.info.type) && to.info.foreignKey === undefined;
  return {
    source,
    on: { kind: 'compare', op: '=', left: column(to), right: column(by) },
    scope: scopeOf(other, SOURCE),
    key: alone && alike ? new Map([[to.info.name, column(by)]]) : undefined,
  };
}

function rowsOf({ table: { name }, columns }: TableInfo, where: Expression): Extract<From, { kind: 'derived' }>['query'] {
  return {
    kind: 'select',
    items: columns.map((info) => ({ expression: column({ alias: WITHIN, info }), alias: info.name })),
    from: { kind: 'table', table: name, alias: WITHIN },
    where,
  };
}

/** Makes one branch, often for some of the rows alone, and perhaps another one for the rest. */
function changes(
  random: Random,
  place: WritePlace,
  info: TableInfo,
  when: MergeBranch['when'],
  source: readonly ScopeColumn[],
): readonly MergeBranch[] {
  const scope = [...scopeOf(info, info.table.name), ...source];
  const some = when === 'not matched by source' || random.chance(0.35);
  const first = change(random, place, info, when, scope);
  if (!some) return [first];
  const and = generatePredicate(random, place.options, scope);
  return [{ ...first, and }, ...(when === 'matched' && random.chance(0.4) ? [change(random, place, info, when, scope)] : [])];
}

function change(random: Random, place: WritePlace, info: TableInfo, when: MergeBranch['when'], scope: readonly ScopeColumn[]): MergeBranch {
  const free = freeColumns(info.columns);
  const drawn = random.weighted(CHANGES);
  // A row that others refer to can often not be deleted.
  const action = drawn === 'delete' && info.pinned && random.chance(0.8) ? 'update' : drawn;
  if (action !== 'update') return { when, action };
  return free.length === 0 ? { when, action: 'nothing' } : { when, action, set: setOf(random, place, free, scope) };
}

/** The reads of a branch's subquery are not shown, so a branch gets no subquery. */
function setOf(
  random: Random,
  { options, ...place }: WritePlace,
  free: readonly ColumnInfo[],
  scope: readonly ScopeColumn[],
): readonly Assignment[] {
  return generateSet(random, { ...place, options: { ...options, subqueryValueShare: 0 } }, free, scope);
}

function insertion(
  random: Random,
  place: WritePlace,
  info: TableInfo,
  source: readonly ScopeColumn[],
  key: ReadonlyMap<string, Expression>,
): MergeBranch {
  const when = 'not matched';
  const and = source.length > 0 && random.chance(0.2) ? { and: generatePredicate(random, place.options, source) } : {};
  if (random.chance(0.1)) return { when, action: 'nothing', ...and };
  const given = insertColumns(random, info);
  const row = insertRow(random, place, info, given, false);
  const filled = given.flatMap((to, i): (readonly [string, Expression])[] => {
    const value = key.get(to.name) ?? copied(random, source, to) ?? row[i]!;
    return value.kind === 'default' ? [] : [[to.name, value]];
  });
  return { when, action: 'insert', ...and, columns: filled.map(([name]) => name), values: filled.map(([, value]) => value) };
}

function copied(random: Random, source: readonly ScopeColumn[], to: ColumnInfo): Expression | undefined {
  if (to.foreignKey !== undefined) return undefined;
  const from = source.filter(({ info }) => info.family === to.family && (to.nullable || !info.nullable));
  return from.length > 0 && random.chance(0.5) ? fitting(column(random.pick(from)), to) : undefined;
}
