/**
 * Generates random schemas with their initial rows (IsoRel, section 3.1). Tables are made one after the other, each
 * with its rows, so that a foreign key can take its values from rows that exist. The initial inserts therefore never
 * fail. Columns of type text have no defaults. They are in keys only if that is asked for, and in indexes only over
 * their first characters, because not every DBMS allows more. In a key the DBMSs' printers give them a limit where one
 * is required.
 */
import { contentsOfExpressions } from '../../../core/index.ts';
import type { Column, ColumnType, ForeignKey, Partitions, Random, Schema, Table, TypeKind, Value } from '../../../core/index.ts';
import { checksOf } from './check-constraint.ts';
import { familyOf, type Domains } from './domain.ts';
import { computedDomain, withGenerated } from './generated.ts';
import { indexesOf } from './indexes.ts';
import type { GenerateOptions } from '../options.ts';
import { generateRows } from './rows.ts';
import type { ColumnInfo, TableInfo, ViewInfo } from '../table-info.ts';
import { withTrigger } from './triggers.ts';
import { generateViews } from './views.ts';

export interface GeneratedSchema {
  readonly schema: Schema;
  readonly tables: readonly TableInfo[];
  readonly views: readonly ViewInfo[];
}

interface Draft {
  readonly name: string;
  readonly columns: Column[];
  primaryKey: readonly string[];
  foreignKey: ForeignKey | undefined;
  uniques: readonly (readonly string[])[];
}

export function generateSchema(random: Random, options: GenerateOptions, domains: Domains): GeneratedSchema {
  const tables: Table[] = [];
  const count = upper(random, options.maxTable);
  for (let i = 0; i < count; i++) tables.push(generateTable(random.fork(`table ${i}`), options, domains, `t${i}`, tables));
  const triggered = withTrigger(random.fork('trigger'), options, tables);
  const infos = triggered.map((table) => infoOf(table, triggered, domains));
  const views = generateViews(random.fork('views'), options, infos);
  return {
    schema: views.length > 0 ? { tables: triggered, views: views.map(({ view }) => view) } : { tables: triggered },
    tables: infos,
    views,
  };
}

/** Draws from 1..max, more often near max. */
function upper(random: Random, max: number): number {
  return Math.max(random.int(1, max), random.int(1, max));
}

function generateTable(random: Random, options: GenerateOptions, domains: Domains, name: string, earlier: readonly Table[]): Table {
  const draft: Draft = { name, columns: [], primaryKey: [], foreignKey: undefined, uniques: [] };
  const width = upper(random, options.maxColumn);
  const keyKind = random.weighted(options.keys);
  const keyWidth = keyKind === 'none' ? 0 : keyKind === 'composite' && width >= 2 ? 2 : 1;

  for (let i = 0; i < width; i++) {
    const keyed = i < keyWidth;
    const type = generateType(random, options, keyed);
    draft.columns.push({ name: `c${i}`, type, nullable: !keyed && random.chance(options.nullableShare) });
  }
  draft.primaryKey = draft.columns.slice(0, keyWidth).map((column) => column.name);
  if (keyWidth === 1 && width >= 2 && random.chance(options.identityShare)) {
    draft.columns[0] = { name: 'c0', type: { kind: 'integer' }, nullable: false, identity: true };
  }
  if (random.chance(options.foreignKeyShare)) refer(random, options, draft, keyWidth, earlier);
  if (random.chance(options.uniqueShare)) draft.uniques = uniqueOf(random, options, draft, keyWidth);
  addDefaults(random, options, domains, draft);

  const checks = random.chance(options.checkShare) ? checksOf(random, name, freeColumns(draft), domains) : [];
  const table: Omit<Table, 'rows'> = {
    name,
    columns: draft.columns,
    primaryKey: draft.primaryKey,
    uniques: draft.uniques,
    checks,
    foreignKeys: draft.foreignKey ? [draft.foreignKey] : [],
    indexes: indexesOf(random, options, domains, draft),
  };
  const partitions = partitionsOf(random.fork('partitions'), options, domains, table);
  const rows = generateRows(random, options, domains, table, earlier);
  return withGenerated(random.fork('generated'), options, { ...table, ...(partitions && { partitions }), rows });
}

/**
 * Makes two partitions of the key's small domain. A row moves from one to the other by a change of its key alone. Not
 * every DBMS allows a foreign key from such a table or to it.
 */
function partitionsOf(
  random: Random,
  options: GenerateOptions,
  domains: Domains,
  { columns, primaryKey, uniques, foreignKeys }: Omit<Table, 'rows'>,
): Partitions | undefined {
  const parted = columns.filter(({ name, type, identity }) => type.kind === 'integer' && !identity && primaryKey.includes(name));
  if (parted.length === 0 || uniques.length + foreignKeys.length > 0 || !random.chance(options.partitionShare)) return undefined;
  const { name, type } = random.pick(parted);
  const domain = domains.of(type);
  return { column: name, below: Number(domain[Math.floor(domain.length / 2)]) };
}

function generateType(random: Random, options: GenerateOptions, keyed: boolean): ColumnType {
  const kind: TypeKind = random.weighted(options.types);
  // A key must be indexable everywhere and have more than two values.
  if (keyed && (kind === 'boolean' || (kind === 'text' && !isTextKey(random, options)))) return { kind: 'integer' };
  if (kind === 'decimal') return { kind, precision: random.int(10, 12), scale: random.int(1, 3) };
  if (kind === 'varchar') return { kind, length: random.int(8, 16) };
  return { kind };
}

function isTextKey(random: Random, { textKeyShare }: GenerateOptions): boolean {
  return textKeyShare > 0 && random.fork('text key').chance(textKeyShare);
}

/** Makes the last columns of the draft refer to a key of an earlier table, or of its own. */
function refer(random: Random, options: GenerateOptions, draft: Draft, keyWidth: number, earlier: readonly Table[]): void {
  const free = draft.columns.length - keyWidth;
  const self: Pick<Table, 'name' | 'columns' | 'primaryKey' | 'uniques'> = draft;
  const targets = [...earlier.filter(({ partitions }) => partitions === undefined), self].flatMap((table) =>
    [table.primaryKey, ...table.uniques]
      .map((names) => ({ table: table.name, columns: names.map((name) => table.columns.find((column) => column.name === name)!) }))
      .filter(({ columns }) => columns.length > 0 && columns.length <= free && !columns.some((column) => column.identity)),
  );
  if (targets.length === 0) return;
  const target = random.pick(targets);
  const first = draft.columns.length - target.columns.length;
  target.columns.forEach((column, i) => {
    const own = draft.columns[first + i]!;
    // A table's first row has no row of its own to refer to.
    draft.columns[first + i] = { name: own.name, type: column.type, nullable: own.nullable || target.table === draft.name };
  });
  const nullable = draft.columns.slice(first).every((column) => column.nullable);
  const action = (): ForeignKey['onDelete'] => {
    const drawn = random.weighted(options.actions);
    return drawn === 'set null' && !nullable ? 'no action' : drawn;
  };
  const onDelete = action();
  const fromNullable = target.columns.some((column, i) => column.nullable && !draft.columns[first + i]!.nullable);
  const drawn = action();
  const onUpdate = drawn === 'cascade' && fromNullable && options.nullableCascadeShare === 0 ? 'no action' : drawn;
  if (onDelete === 'set default' || onUpdate === 'set default') defaultToParent(random, draft, first, target, earlier);
  draft.foreignKey = {
    name: `f_${draft.name}_0`,
    columns: draft.columns.slice(first).map((column) => column.name),
    table: target.table,
    references: target.columns.map((column) => column.name),
    onDelete,
    onUpdate,
  };
}

/**
 * SET DEFAULT needs a row to refer to, which the referenced table holds at the start. Without one the default is NULL.
 */
function defaultToParent(
  random: Random,
  draft: Draft,
  first: number,
  target: { readonly table: string; readonly columns: readonly Column[] },
  earlier: readonly Table[],
): void {
  const parent = earlier.find((table) => table.name === target.table);
  const places = target.columns.map((column) => parent?.columns.findIndex((other) => other.name === column.name) ?? -1);
  const rows = (parent?.rows ?? []).filter((row) => places.every((place) => row[place] !== null));
  if (rows.length === 0) return;
  const row = random.pick(rows);
  places.forEach((place, i) => {
    draft.columns[first + i] = { ...draft.columns[first + i]!, default: row[place]! };
  });
}

/** Returns the columns without a key, an identity or a reference. */
function freeColumns(draft: Draft): readonly Column[] {
  const taken = new Set([...draft.primaryKey, ...(draft.foreignKey?.columns ?? []), ...draft.uniques.flat()]);
  return draft.columns.filter((column) => !taken.has(column.name));
}

function uniqueOf(random: Random, options: GenerateOptions, draft: Draft, keyWidth: number): readonly (readonly string[])[] {
  const keyable = ({ type }: Column): boolean => type.kind !== 'text' || isTextKey(random, options);
  const single = freeColumns(draft).filter((column) => keyable(column) && column.type.kind !== 'boolean');
  if (single.length === 0) return [];
  const column = random.pick(single);
  const partners = draft.columns.slice(keyWidth).filter((other) => other.name !== column.name && keyable(other));
  return partners.length > 0 && random.chance(0.4) ? [[column.name, random.pick(partners).name]] : [[column.name]];
}

function addDefaults(random: Random, options: GenerateOptions, domains: Domains, draft: Draft): void {
  for (const column of freeColumns(draft)) {
    if (column.type.kind === 'text' || !random.chance(options.defaultShare)) continue;
    draft.columns[draft.columns.indexOf(column)] = { ...column, default: random.pick(domains.of(column.type)) };
  }
}

function infoOf(table: Table, tables: readonly Table[], domains: Domains): TableInfo {
  const keys = [table.primaryKey, ...table.uniques];
  const referring = new Map<string, ForeignKey>(table.foreignKeys.flatMap((key) => key.columns.map((column) => [column, key] as const)));
  const identity = new Set(table.columns.filter((column) => column.identity).map((column) => column.name));
  const fresh = new Set(
    keys.map((key) => key.find((name) => !referring.has(name) && !identity.has(name) && typeOf(table, name).kind !== 'boolean')),
  );
  const checked = new Set(
    table.checks.flatMap((check) =>
      contentsOfExpressions([check.expression]).expressions.flatMap((each) => (each.kind === 'column' ? [each.column] : [])),
    ),
  );
  const parents = new Map<ForeignKey, readonly (readonly Value[])[]>();
  for (const key of table.foreignKeys) parents.set(key, referencedRows(key, tables));
  const columns = table.columns.map((column, i): ColumnInfo => {
    const foreignKey = referring.get(column.name);
    return {
      name: column.name,
      type: column.type,
      family: familyOf(column.type),
      nullable: column.nullable,
      hasDefault: column.default !== undefined,
      identity: identity.has(column.name),
      generated: column.generated !== undefined,
      unique: keys.some((key) => key.includes(column.name)),
      checked: checked.has(column.name),
      foreignKey,
      fresh: fresh.has(column.name),
      newFrom: column.identity ? table.rows.length + 1 : fresh.has(column.name) ? domains.fresh(column.type, 0) : undefined,
      domain:
        column.generated === undefined
          ? domains.of(column.type)
          : computedDomain(column.generated.expression, table.columns, (type) => domains.of(type)),
      seen: foreignKey
        ? parents.get(foreignKey)!.map((row) => row[foreignKey.columns.indexOf(column.name)]!)
        : table.rows.map((row) => row[i]!).filter((value) => value !== null),
    };
  });
  const pinned = tables.some((other) => other.foreignKeys.some((key) => key.table === table.name && key.onDelete === 'no action'));
  return { table, columns, parents, pinned };
}

function typeOf(table: Table, name: string): ColumnType {
  return table.columns.find((column) => column.name === name)!.type;
}

function referencedRows(key: ForeignKey, tables: readonly Table[]): readonly (readonly Value[])[] {
  const parent = tables.find((table) => table.name === key.table)!;
  const places = key.references.map((name) => parent.columns.findIndex((column) => column.name === name));
  return parent.rows.map((row) => places.map((place) => row[place]!)).filter((row) => row.every((value) => value !== null));
}
