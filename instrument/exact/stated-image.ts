/**
 * Returns the user columns of the rows that an INSERT ... VALUES makes, if the statement itself states them: literals
 * of the columns' own types, and defaults. They are texts exactly as the server would return them, since another image
 * of the same version may come from it. If that is not plain for one row, no image is made for any row of the
 * statement.
 */
import { userColumnsOf } from '../../core/index.ts';
import type { Column, Expression, Insert, ResultRow, Table, TypeKind, Value } from '../../core/index.ts';

export function statedImages({ columns, rows, query }: Insert, table: Table): readonly ResultRow[] | undefined {
  if (query !== undefined) return undefined;
  const own = userColumnsOf(table);
  const places = own.map(({ name }) => columns.indexOf(name));
  const images = rows.map((row) => own.map((column, i) => textOf(column, places[i] === -1 ? undefined : row[places[i]!])));
  return images.every((image): image is (string | null)[] => image.every((each) => each !== undefined)) ? images : undefined;
}

/** `given` is undefined if the statement does not name the column. */
function textOf(column: Column, given: Expression | undefined): string | null | undefined {
  if (column.identity === true) return undefined;
  if (given === undefined || given.kind === 'default') return column.default === undefined ? null : textOfValue(column, column.default);
  if (given.kind !== 'literal') return undefined;
  if (given.value === null) return null;
  return sameType(column, given.type) ? textOfValue(column, given.value) : undefined;
}

function sameType({ type: { kind } }: Column, given: TypeKind): boolean {
  const isText = (each: TypeKind): boolean => each === 'text' || each === 'varchar';
  return kind === given || (isText(kind) && isText(given));
}

function textOfValue({ type }: Column, value: Value): string | null | undefined {
  if (value === null) return null;
  if (type.kind === 'boolean') return typeof value === 'boolean' ? String(Number(value)) : undefined;
  if (type.kind === 'integer')
    return typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (type.kind === 'decimal') return decimalText(value, type.scale);
  return PLAIN[type.kind].test(value) ? value : undefined;
}

/** Texts that come back as they are. */
const PLAIN = {
  bigint: /^(0|-?[1-9]\d*)$/,
  text: /^[\x20-\x7e]*$/,
  varchar: /^[\x20-\x7e]*$/,
  date: /^\d{4}-\d\d-\d\d$/,
  timestamp: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
} as const;

/** Writes the number with as many digits behind the point as the column has. */
function decimalText(value: string, scale: number): string | undefined {
  const [, sign = '', whole, fraction = ''] = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/.exec(value) ?? [];
  if (whole === undefined || fraction.length > scale || (sign === '-' && /^0*$/.test(whole + fraction))) return undefined;
  return `${sign}${whole}${scale === 0 ? '' : `.${fraction.padEnd(scale, '0')}`}`;
}
