/**
 * Makes initial rows for a schema, because transactions without rows never meet. Each table gets a few, with keys 1, 2,
 * 3. References have the same number, and other columns are within the domains that the log shows. No row is one of the
 * database's own.
 */
import { uuidOf, type Column, type ColumnType, type Expression, type Schema, type Table } from '../../../core/index.ts';
import { ROWS } from './rule.ts';
import { quoted, wordOf } from './texts.ts';
import type { Values } from './values.ts';

export interface Drawn {
  /** INSERTs without semicolons. */
  readonly inserts: readonly string[];
  /** Tables for which no row could be made. */
  readonly empty: readonly string[];
}

/** `seen`: returns the values of a column that the log shows, if any. */
export function rowsOf(
  schema: Schema,
  seen: (table: string, column: string) => Values | undefined,
  quote: (name: string) => string,
): Drawn {
  const inserts: string[] = [];
  for (const table of schema.tables) {
    const columns = table.columns.filter((column) => isGiven(table, column, seen));
    if (columns.length === 0) continue;
    const rows = Array.from({ length: ROWS }, (_, i) => columns.map((column) => valueOf(table, column, i + 1, schema, seen)).join(', '));
    inserts.push(
      `INSERT INTO ${quote(table.name)} (${columns.map(({ name }) => quote(name)).join(', ')}) VALUES\n${rows.map((row) => `  (${row})`).join(',\n')}`,
    );
  }
  const filled = schema.tables.filter((table) => inserts.some((sql) => sql.startsWith(`INSERT INTO ${quote(table.name)} (`)));
  return { inserts, empty: schema.tables.filter((table) => !filled.includes(table)).map(({ name }) => name) };
}

type Seen = (table: string, column: string) => Values | undefined;

function isGiven(table: Table, column: Column, seen: Seen): boolean {
  if (column.identity === true || column.generated !== undefined || column.drawn !== undefined) return false;
  const tied = isTied(table, column);
  const selfReference = table.foreignKeys.some((key) => key.table === table.name && key.columns.includes(column.name));
  if (selfReference && column.nullable) return false;
  if (tied || (!column.nullable && column.default === undefined)) return true;
  // A time that may be missing mostly says that something was done: deleted_at, paid_at.
  const mayBeLater = column.nullable && (column.type.kind === 'date' || column.type.kind === 'timestamp');
  return seen(table.name, column.name) !== undefined && !mayBeLater;
}

function isTied(table: Table, { name, nullable }: Column): boolean {
  return (
    table.primaryKey.includes(name) ||
    table.uniques.some((columns) => columns.includes(name)) ||
    (!nullable && table.foreignKeys.some(({ columns }) => columns.includes(name)))
  );
}

function valueOf(table: Table, column: Column, row: number, schema: Schema, seen: Seen): string {
  const key = table.foreignKeys.find(({ columns }) => columns.includes(column.name));
  const parent = schema.tables.find(({ name }) => name === key?.table);
  const referred = parent?.columns.find(({ name }) => name === key?.references[key.columns.indexOf(column.name)]);
  if (parent !== undefined && referred !== undefined && parent !== table) return valueOf(parent, referred, row, schema, seen);
  if (column.identity === true) return String(row);
  const values = seen(table.name, column.name);
  const listed = listedIn(table, column);
  if (listed !== undefined && !isTied(table, column)) return listed;
  const apart = isTied(table, column);
  return LITERALS[column.type.kind](column, row, apart ? undefined : values, values !== undefined && values.uuids > 0);
}

type Literal = (column: Column, row: number, values: Values | undefined, isUuid: boolean) => string;

const LITERALS: Readonly<Record<ColumnType['kind'], Literal>> = {
  integer: whole,
  bigint: whole,
  decimal: (column, row, values) => within(row, values).toFixed(column.type.kind === 'decimal' ? column.type.scale : 0),
  boolean: (_, row) => (row % 2 === 0 ? 'TRUE' : 'FALSE'),
  date: (_, row) => quoted(`2026-01-0${row}`),
  timestamp: (_, row) => quoted(`2026-01-0${row} 00:00:00`),
  text: (column, row, _, isUuid) => quoted(isUuid ? uuidOf(row) : wordOf(column.name, row)),
  varchar: (column, row, _, isUuid) =>
    quoted(
      isUuid || looksLikeUuid(column)
        ? uuidOf(row)
        : wordOf(column.name, row, column.type.kind === 'varchar' ? column.type.length : undefined),
    ),
};

/** The tool's uuids have this length. */
function looksLikeUuid({ type }: Column): boolean {
  return type.kind === 'varchar' && type.length === 36;
}

function whole(_: Column, row: number, values: Values | undefined): string {
  return String(Math.trunc(within(row, values)));
}

/** Returns a value in the upper half of what was seen, so that a counter can be decremented. */
function within(row: number, values: Values | undefined): number {
  if (values === undefined || values.numbers === 0 || !Number.isSafeInteger(Math.trunc(values.max))) return row;
  return values.max - Math.min(row - 1, Math.trunc((values.max - values.min) / 2));
}

/** Returns the first of the values that a CHECK lists. */
function listedIn(table: Table, column: Column): string | undefined {
  for (const { expression } of table.checks) {
    const listed = firstListed(expression, column.name);
    if (listed !== undefined) return listed;
  }
  return undefined;
}

function firstListed(expression: Expression, column: string): string | undefined {
  if (expression.kind !== 'in' || expression.operand.kind !== 'column' || expression.operand.column !== column) return undefined;
  const [first] = expression.list;
  return first?.kind === 'literal' && typeof first.value === 'string' ? quoted(first.value) : undefined;
}
