/** The foreign keys of a schema as a history names them (RoundEvent.references), and which values may be equal as keys. */
import type { Reference } from './event.ts';
import type { Column, Schema } from '../sql/index.ts';

export function referencesOf({ tables }: Schema): readonly Reference[] {
  const places = (columns: readonly Column[], named: readonly string[]): number[] =>
    named.map((each) => columns.findIndex(({ name }) => name === each));
  return tables.flatMap(({ name, columns, foreignKeys }) =>
    foreignKeys.map((key): Reference => ({
      table: name,
      columns: places(columns, key.columns),
      parent: key.table,
      references: places(tables.find((table) => table.name === key.table)?.columns ?? [], key.references),
      onDelete: key.onDelete,
      onUpdate: key.onUpdate,
    })),
  );
}

/**
 * Returns one text for all values that some server may treat as equal. It ignores case, accents, trailing blanks, and
 * the spelling of numbers and booleans.
 */
export function loosely(value: boolean | number | string): string {
  const text = String(value).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimEnd();
  const folded = text === 't' ? 'true' : text === 'f' ? 'false' : text;
  return /^-?\d+\.\d*$/.test(folded) ? folded.replace(/\.?0+$/, '') : folded;
}
