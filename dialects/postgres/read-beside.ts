/**
 * A statement with its reads beside it (core's ReadBeside): both are WITH queries of one statement, so they have one
 * snapshot, and what a write changes is not seen by the other. A full join that never matches puts the one row of reads
 * next to the statement's own rows, which keep their order: such a join can only be a merge without keys.
 */
import type { Expression, Statement } from '../../core/index.ts';
import { READS_COLUMN, isQuery, isWrite, itemsOf } from '../../core/index.ts';
import { PRINTER } from './expression.ts';
import { quoteIdentifier } from './quote.ts';
import type { Printing } from './quote.ts';

export function printReadBeside(statement: Statement, reads: Expression, own: string, to: Printing): string {
  const items = isQuery(statement) ? itemsOf(statement) : isWrite(statement) ? (statement.returning ?? []) : [];
  const carries = items.at(-1)?.alias === READS_COLUMN;
  const aliases = items.map((item) => item.alias).slice(0, carries ? -1 : undefined);
  const columns = aliases.map((_, i) => quoteIdentifier(`iso_c${i}`));
  const last = quoteIdentifier(READS_COLUMN);
  const names = carries ? [...columns, last] : columns;
  const beside = `json_build_array(FALSE, iso_r.${last})`;
  const shown = [
    ...aliases.map((alias, i) => `iso_q.${columns[i]} AS ${quoteIdentifier(alias)}`),
    `${carries ? `COALESCE(iso_q.${last}, ${beside})` : `CASE WHEN iso_r.${last} IS NULL THEN json_build_array() ELSE ${beside} END`} AS ${last}`,
  ];
  return `WITH iso_r (${last}) AS MATERIALIZED (SELECT ${PRINTER.expression(reads, to)}), iso_q${names.length > 0 ? ` (${names.join(', ')})` : ''} AS (${own}) SELECT ${shown.join(', ')} FROM iso_r FULL JOIN iso_q ON FALSE`;
}
