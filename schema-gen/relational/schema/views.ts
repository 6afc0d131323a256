/**
 * Generates views. A simple one shows some columns of one table, its key among them, under their own names, perhaps
 * filtered, and can be updated. The others group a table or join two.
 */
import type { Expression, Random, SelectItem, View } from '../../../core/index.ts';
import { column } from '../expression/operand.ts';
import type { GenerateOptions } from '../options.ts';
import { generatePredicate } from '../expression/predicate.ts';
import { scopeOf, type ColumnInfo, type ScopeColumn, type TableInfo, type ViewInfo } from '../table-info.ts';
import { joinCondition } from '../query/table-source.ts';

export function generateViews(random: Random, options: GenerateOptions, tables: readonly TableInfo[]): ViewInfo[] {
  if (options.viewShare === 0) return [];
  const views: ViewInfo[] = [];
  for (const info of tables) {
    if (random.chance(options.viewShare)) views.push(simple(random, options, `v${views.length}`, info));
    if (random.chance(options.viewShare))
      views.push(
        random.chance(0.5) ? grouped(random, `v${views.length}`, info) : joined(random, options, `v${views.length}`, info, tables),
      );
  }
  // Without a view that can be updated no case would have an UPDATE through a view.
  return views.some(({ base }) => base) ? views : [...views, simple(random, options, `v${views.length}`, random.pick(tables))];
}

function simple(random: Random, options: GenerateOptions, name: string, info: TableInfo): ViewInfo {
  const scope = scopeOf(info, 'a0');
  const { primaryKey } = info.table;
  const columns = scope.filter((from, i) => i === 0 || primaryKey.includes(from.info.name) || random.chance(0.8));
  const view: View = {
    name,
    query: {
      kind: 'select',
      items: columns.map((from) => ({ expression: column(from), alias: from.info.name })),
      from: { kind: 'table', table: info.table.name, alias: 'a0' },
      ...(random.chance(0.35) ? { where: generatePredicate(random, options, scope) } : {}),
    },
    updates: info.table.name,
  };
  return { name, view, columns: columns.map((from) => from.info), base: info };
}

function grouped(random: Random, name: string, info: TableInfo): ViewInfo {
  const scope = scopeOf(info, 'a0');
  const key = random.pick(scope);
  const ordered = scope.filter((from) => from !== key && from.info.family !== 'boolean');
  const greatest = ordered.length > 0 ? random.pick(ordered) : undefined;
  const items: SelectItem[] = [
    { expression: column(key), alias: 'r0' },
    { expression: { kind: 'aggregate', name: 'count' }, alias: 'r1' },
    ...(greatest ? [{ expression: { kind: 'aggregate', name: 'max', operand: column(greatest) } satisfies Expression, alias: 'r2' }] : []),
  ];
  const columns = [shown(key.info, 'r0'), COUNT, ...(greatest ? [shown(greatest.info, 'r2')] : [])];
  const view: View = {
    name,
    query: { kind: 'select', items, from: { kind: 'table', table: info.table.name, alias: 'a0' }, groupBy: [column(key)] },
  };
  return { name, view, columns, base: undefined };
}

function joined(random: Random, options: GenerateOptions, name: string, info: TableInfo, tables: readonly TableInfo[]): ViewInfo {
  const other = random.pick(tables);
  const [left, right] = [scopeOf(info, 'a0'), scopeOf(other, 'a1')];
  const on = joinCondition(random, left, right, other) ?? generatePredicate(random, options, right);
  const chosen: readonly ScopeColumn[] = [...random.shuffle(left).slice(0, 2), random.pick(right)];
  const view: View = {
    name,
    query: {
      kind: 'select',
      items: chosen.map((from, i) => ({ expression: column(from), alias: `r${i}` })),
      from: {
        kind: 'join',
        type: 'inner',
        left: { kind: 'table', table: info.table.name, alias: 'a0' },
        right: { kind: 'table', table: other.table.name, alias: 'a1' },
        on,
      },
    },
  };
  return { name, view, columns: chosen.map((from, i) => shown(from.info, `r${i}`)), base: undefined };
}

function shown(info: ColumnInfo, name: string): ColumnInfo {
  return { ...info, name, unique: false, fresh: false, newFrom: undefined };
}

const COUNT: ColumnInfo = {
  name: 'r1',
  type: { kind: 'bigint' },
  family: 'bigint',
  nullable: false,
  hasDefault: false,
  identity: false,
  generated: false,
  unique: false,
  checked: false,
  foreignKey: undefined,
  fresh: false,
  newFrom: undefined,
  domain: ['0', '1', '2', '3'],
  seen: ['1', '2'],
};
