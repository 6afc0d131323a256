/** Prints a reply in words. */
import type { Reply } from './arena.ts';

/** For an end, returns how the transaction ended. A statement that ends its transaction by itself has its own reply. */
export function replyText({ rows, affected, error, ended }: Reply): string {
  if (error !== undefined) return `${error.code} ${error.message}${ended === undefined ? '' : '; rolled back'}`;
  if (ended !== undefined && rows.length === 0 && affected === 0) return ended;
  return rows.length > 0 ? rows.map(rowText).toSorted().join(' ') : affected > 0 ? `${affected} affected` : 'nothing';
}

export function rowText(row: readonly (string | null)[]): string {
  return `(${row.map((value) => value ?? 'NULL').join(', ')})`;
}
