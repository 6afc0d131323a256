/**
 * Generates a trigger that writes. Each row of one table that is inserted or changed adds one to a number of another
 * table, in one of its first rows or in all of them. The list of the row that fires it shows which statement it was.
 * That statement must have changed the row itself, so no foreign key's action may do so. The number may not be in a key
 * or under a check, so that the trigger never fails.
 */
import { columnsOf } from '../../../core/index.ts';
import type { Expression, Random, Table, Trigger } from '../../../core/index.ts';
import type { GenerateOptions } from '../options.ts';

export function withTrigger(random: Random, { triggerShare }: GenerateOptions, tables: readonly Table[]): readonly Table[] {
  if (triggerShare === 0 || !random.chance(triggerShare)) return tables;
  const pairs = tables
    .filter(({ foreignKeys }) => foreignKeys.length === 0)
    .flatMap((from) => tables.flatMap((to) => (to === from ? [] : counters(to).map((column) => ({ from, to, column })))));
  if (pairs.length === 0) return tables;
  const { from, to, column } = random.pick(pairs);
  const where = random.chance(0.75) ? oneRow(random, to) : undefined;
  const trigger: Trigger = { does: 'tallies', table: to.name, column, ...(where && { where }) };
  return tables.map((table) => (table === from ? { ...table, trigger } : table));
}

function counters({ columns, primaryKey, uniques, foreignKeys, checks }: Table): readonly string[] {
  const taken = new Set([
    ...primaryKey,
    ...uniques.flat(),
    ...foreignKeys.flatMap((key) => key.columns),
    ...checks.flatMap(({ expression }) => columnsOf(expression).map(({ column }) => column)),
  ]);
  const kinds: ReadonlySet<string> = new Set(['integer', 'bigint']);
  return columns
    .filter(
      ({ name, type, identity, generated }) => kinds.has(type.kind) && identity !== true && generated === undefined && !taken.has(name),
    )
    .map(({ name }) => name);
}

function oneRow(random: Random, { name, columns, primaryKey, rows }: Table): Expression | undefined {
  const [key] = primaryKey;
  const at = columns.findIndex((column) => column.name === key);
  if (key === undefined || primaryKey.length > 1 || columns[at]!.identity === true || rows.length === 0) return undefined;
  const value = rows[random.int(0, Math.min(1, rows.length - 1))]![at]!;
  return {
    kind: 'compare',
    op: '=',
    left: { kind: 'column', table: name, column: key },
    right: { kind: 'literal', type: columns[at]!.type.kind, value },
  };
}
