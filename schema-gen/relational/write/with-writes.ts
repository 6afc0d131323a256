/**
 * Generates a WITH whose part writes and returns its rows, before another statement. This statement asks for these
 * rows, reads a table as it was before, or writes another table. The two never write the same row, since only one of
 * the writes would count.
 */
import type { Expression, From, Query, Random, Statement, WithWrites } from '../../../core/index.ts';
import { column, literal } from '../expression/operand.ts';
import { generatePredicate } from '../expression/predicate.ts';
import { assemble, columnItems, tableSource } from '../query/table-source.ts';
import { scopeOf, type ScopeColumn, type TableInfo } from '../table-info.ts';
import { generateDelete, generateInsert, generateUpdate, insertColumns, insertRow, type WritePlace } from './write.ts';

const PART = 'w0';
const PARTS = { update: 5, delete: 3, insert: 2 };
const GENERATED = { update: generateUpdate, delete: generateDelete, insert: generateInsert } as const;
/**
 * The weights of what the statement does: the rows of the part, their number, rows of a table, one more row, another
 * write.
 */
const LASTS = { part: 3, count: 2, table: 3, insert: 2, write: 3 };

export function generateWithWrites(random: Random, place: WritePlace): Statement {
  const write = GENERATED[random.weighted(PARTS)](random, place);
  const info = place.tables.find(({ table }) => table.name === write.table)!;
  const returned = scopeOf(info, write.table).filter(({ info: { identity } }) => !identity);
  const items = returned.map((from, i) => ({ expression: column(from), alias: `r${i}` }));
  if (items.length === 0) return write;
  const scope = returned.map((from, i): ScopeColumn => ({ alias: PART, info: { ...from.info, name: `r${i}` } }));
  const others = place.tables.filter((each) => each !== info);
  const last = lastOf(random, place, scope, others);
  return { kind: 'withWrites', writes: [{ name: PART, write: { ...write, returning: items } }], last };
}

function lastOf(random: Random, place: WritePlace, scope: readonly ScopeColumn[], others: readonly TableInfo[]): WithWrites['last'] {
  const kind = random.weighted(others.length > 0 ? LASTS : { ...LASTS, insert: 0, write: 0 });
  if (kind === 'part') return partOf(random, place, scope);
  if (kind === 'count') return counted(random, scope);
  if (kind === 'table') return tableOf(random, place);
  const other = random.pick(others);
  const there: WritePlace = { ...place, tables: others, focus: { ...place.focus, table: other } };
  if (kind === 'insert') return insertion(random, there, other);
  const write = (random.chance(0.7) ? generateUpdate : generateDelete)(random, there);
  if (random.chance(0.5)) return write;
  return { ...write, where: write.where === undefined ? SOME : { kind: 'logic', op: 'and', operands: [write.where, SOME] } };
}

function partOf(random: Random, { options }: WritePlace, scope: readonly ScopeColumn[]): Query {
  const where = random.chance(0.3) ? generatePredicate(random, options, scope) : undefined;
  return assemble(columnItems(random, scope), { from: ROWS, scope, where });
}

function counted(random: Random, scope: readonly ScopeColumn[]): Query {
  const operand = column(random.pick(scope));
  return {
    kind: 'select',
    items: [
      { expression: COUNT, alias: 'n' },
      { expression: { kind: 'aggregate', name: 'count', operand }, alias: 'm' },
    ],
    from: ROWS,
  };
}

function tableOf(random: Random, place: WritePlace): Query {
  const source = tableSource(random, place, 't0');
  return assemble(columnItems(random, source.scope), source);
}

/** Inserts one row if the part wrote any. */
function insertion(random: Random, place: WritePlace, info: TableInfo): WithWrites['last'] {
  const given = insertColumns(random, info);
  const row = insertRow(random, place, info, given, false);
  const values = given.map((to, i) => (row[i]!.kind === 'default' ? literal(random, place.options, to) : row[i]!));
  return {
    kind: 'insert',
    table: info.table.name,
    columns: given.map(({ name }) => name),
    rows: [],
    query: {
      kind: 'select',
      items: values.map((expression, i) => ({ expression, alias: `r${i}` })),
      from: { kind: 'derived', query: { kind: 'select', items: [{ expression: COUNT, alias: 'n' }], from: ROWS }, alias: 'a0' },
      where: { kind: 'compare', op: '>', left: { kind: 'column', table: 'a0', column: 'n' }, right: NONE },
    },
  };
}

const ROWS: From = { kind: 'cte', name: PART, alias: PART };
const COUNT: Expression = { kind: 'aggregate', name: 'count' };
const NONE: Expression = { kind: 'literal', type: 'bigint', value: '0' };
const SOME: Expression = {
  kind: 'compare',
  op: '>',
  left: { kind: 'subquery', query: { kind: 'select', items: [{ expression: COUNT, alias: 'n' }], from: ROWS } },
  right: NONE,
};
