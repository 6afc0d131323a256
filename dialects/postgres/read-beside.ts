/**
 * A statement with its reads beside it (core's ReadBeside). Both are WITH queries of one statement, so they share a
 * snapshot, and the reads do not see what a write changes. A full join that never matches puts the one row of reads
 * next to the statement's own rows. PostgreSQL runs this join only as a merge join without keys, so the rows keep their
 * order.
 */
import type { Expression, Statement } from '../../core/sql/index.ts';
import { isQuery, isWrite, itemsOf } from '../../core/sql/index.ts';
import { READS_COLUMN } from '../../core/history/index.ts';
import { PRINTER } from './expression.ts';
import { quoteIdentifier } from './quote.ts';
import type { Printing } from './quote.ts';

export function printReadBeside(statement: Statement, reads: Expression, own: string, to: Printing): string {
  const { carries, aliases, columns, names, last } = shapeOf(statement);
  const beside = `json_build_array(FALSE, iso_r.${last})`;
  const shown = [
    ...aliases.map((alias, i) => `iso_q.${columns[i]} AS ${quoteIdentifier(alias)}`),
    `${carries ? `COALESCE(iso_q.${last}, ${beside})` : `CASE WHEN iso_r.${last} IS NULL THEN json_build_array() ELSE ${beside} END`} AS ${last}`,
  ];
  return `WITH iso_r (${last}) AS MATERIALIZED (SELECT ${PRINTER.expression(reads, to)}), iso_q${names} AS (${own}) SELECT ${shown.join(', ')} FROM iso_r FULL JOIN iso_q ON FALSE`;
}

/**
 * Prints the last part of a WITH whose other parts write. The row of reads follows the statement's own rows, so that
 * the parts have finished their work before the reads use the returned rows.
 */
export function printReadBehind(statement: Statement, reads: Expression, own: string, to: Printing): string {
  const { carries, aliases, columns, names, last } = shapeOf(statement);
  const shown = [
    ...aliases.map((alias, i) => `iso_q.${columns[i]} AS ${quoteIdentifier(alias)}`),
    `${carries ? `iso_q.${last}` : 'json_build_array()'} AS ${last}`,
  ];
  const behind = [...aliases.map(() => 'NULL'), `json_build_array(FALSE, ${PRINTER.expression(reads, to)})`];
  return `, iso_q${names} AS (${own}) SELECT ${shown.join(', ')} FROM iso_q UNION ALL SELECT ${behind.join(', ')}`;
}

/** The columns of the statement under names of ours, and whether the last one shows versions. */
function shapeOf(statement: Statement): {
  readonly carries: boolean;
  readonly aliases: readonly string[];
  readonly columns: readonly string[];
  /** The names in parentheses, as a WITH query lists them. */
  readonly names: string;
  readonly last: string;
} {
  const items = isQuery(statement) ? itemsOf(statement) : isWrite(statement) ? (statement.returning ?? []) : [];
  const carries = items.at(-1)?.alias === READS_COLUMN;
  const aliases = items.map((item) => item.alias).slice(0, carries ? -1 : undefined);
  const columns = aliases.map((_, i) => quoteIdentifier(`iso_c${i}`));
  const last = quoteIdentifier(READS_COLUMN);
  const names = carries ? [...columns, last] : columns;
  return { carries, aliases, columns, names: names.length > 0 ? ` (${names.join(', ')})` : '', last };
}
