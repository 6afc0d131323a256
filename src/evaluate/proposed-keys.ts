/**
 * The keys by which an INSERT with a conflict clause has met an existing row, for each proposed row, if it inserted none
 * at all. They are known if the statement states their values and nothing else can have kept the row out. INSERT IGNORE,
 * unlike ON CONFLICT, also drops rows that break a foreign key or a CHECK, and it replaces NULL by other values.
 */
import { userColumnsOf } from '../../core/index.ts';
import type { ColumnType, Expression, Insert, Table, TypeKind, Value } from '../../core/index.ts';

/** A unique key and its values. */
export interface ProposedKey {
  readonly columns: readonly string[];
  readonly tuple: readonly Value[];
}

/** Returns for each proposed row the keys of which it met one; undefined if that is not certain. `ignores`: DO NOTHING is INSERT IGNORE. */
export function proposedKeys(insert: Insert, table: Table, ignores: boolean): readonly (readonly ProposedKey[])[] | undefined {
  const { conflict, query } = insert;
  if (conflict === undefined || conflict.action === 'replace' || query !== undefined) return undefined;
  if (ignores && (conflict.action === 'update' || table.foreignKeys.length > 0 || table.checks.length > 0)) return undefined;
  const keys = conflict.columns.length > 0 && !ignores ? [conflict.columns] : [table.primaryKey, ...table.uniques];
  const rows = insert.rows.map((row) => keysOfRow(insert, row, table, keys));
  return rows.every((row) => row !== undefined && row.length > 0) ? (rows as readonly (readonly ProposedKey[])[]) : undefined;
}

function keysOfRow(
  { columns }: Insert,
  row: readonly Expression[],
  table: Table,
  keys: readonly (readonly string[])[],
): readonly ProposedKey[] | undefined {
  const proposed: ProposedKey[] = [];
  for (const key of keys.filter(({ length }) => length > 0)) {
    const tuple = key.map((column) => statedValue(table, column, row[columns.indexOf(column)]));
    const own = tuple.every((value): value is Value => value !== undefined) ? tuple : undefined;
    if (own === undefined) return undefined;
    if (!own.includes(null)) proposed.push({ columns: key, tuple: own });
    // A NULL meets no row. In a column that allows no NULL, the statement cannot have behaved as this function assumes.
    else if (key.some((column, i) => own[i] === null && !isNullable(table, column))) return undefined;
  }
  return proposed;
}

function isNullable(table: Table, name: string): boolean {
  return !table.primaryKey.includes(name) && table.columns.find((column) => column.name === name)?.nullable === true;
}

/** `given`: undefined if the statement does not name the column. The result is undefined if the statement does not state the value. */
function statedValue(table: Table, name: string, given: Expression | undefined): Value | undefined {
  const column = userColumnsOf(table).find((each) => each.name === name);
  if (column === undefined || column.identity === true) return undefined;
  if (given !== undefined && given.kind !== 'default' && given.kind !== 'literal') return undefined;
  const value = given?.kind === 'literal' ? given.value : (column.default ?? null);
  const type = given?.kind === 'literal' ? given.type : column.type.kind;
  return isSameKind(column.type.kind, type) && (value === null || fits(column.type, value)) ? value : undefined;
}

/** True if values of the two kinds are equal exactly when their texts are, apart from collations. Numbers may have any number of digits. */
export function isSameKind(a: TypeKind, b: TypeKind): boolean {
  const isText = (each: TypeKind): boolean => each === 'text' || each === 'varchar';
  return (a === b && a !== 'boolean' && a !== 'timestamp') || (isText(a) && isText(b));
}

/** True if a column of the kind stores the text unchanged and shows it with the same spelling. */
const FITS: { readonly [K in TypeKind]: (type: ColumnType & { readonly kind: K }, text: string) => boolean } = {
  integer: (_, text) => /^(0|-?[1-9]\d{0,8})$/.test(text),
  bigint: (_, text) => /^(0|-?[1-9]\d{0,17})$/.test(text),
  decimal: ({ precision, scale }, text) => {
    const [, whole, fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
    return whole !== undefined && whole.length <= precision - scale && fraction.length <= scale;
  },
  date: (_, text) => /^\d{4}-\d\d-\d\d$/.test(text),
  varchar: ({ length }, text) => text.length <= length,
  text: () => true,
  boolean: () => false,
  timestamp: () => false,
};

function fits<K extends TypeKind>(type: ColumnType & { readonly kind: K }, value: boolean | number | string): boolean {
  return FITS[type.kind](type, String(value));
}
