/**
 * Reads each table by a scan and by each of its secondary indexes. The primary key is the table itself. An index hint
 * without an index leaves only the scan. A secondary index holds its own columns and those of the primary key, so it
 * can answer alone. MariaDB reads no rows by a UNIQUE key over a hash, but CHECK TABLE counts its entries.
 */
import type { AccessPaths, Connection, ResultRow, TableCheck, TablePaths } from '../../core/dialect/index.ts';
import { indexColumns } from '../access-paths.ts';
import { quoteIdentifier, quoteName, quoteText } from './quote.ts';

export const INNODB_ACCESS_PATHS: AccessPaths = { settings: [], of: tablePaths };

const PRIMARY = 'PRIMARY';

/** MariaDB 11.8 also reports HASH for a plain key with USING HASH, although it made a B-tree of it. */
const IS_HASH = `INDEX_TYPE = 'HASH' AND NON_UNIQUE = 0 AND INDEX_NAME <> '${PRIMARY}'`;

const INDEXES = (namespace: string): string =>
  `SELECT TABLE_NAME, INDEX_NAME, IF(SUB_PART IS NULL AND INDEX_TYPE IN ('BTREE', 'HASH') AND NOT (${IS_HASH}), COLUMN_NAME, NULL), ${IS_HASH} FROM information_schema.STATISTICS ` +
  `WHERE TABLE_SCHEMA = ${quoteText(namespace)} ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`;

async function tablePaths(connection: Connection, namespace: string): Promise<readonly TablePaths[]> {
  const { rows } = await connection.query(INDEXES(namespace));
  const hashed = new Set(rows.filter((row) => row[3] === '1').map(([table]) => table));
  return [...indexColumns(rows)].flatMap(([table, indexes]): readonly TablePaths[] => {
    const key = indexes.get(PRIMARY) ?? [];
    const secondary = [...indexes].filter(([name]) => name !== PRIMARY);
    const check = hashed.has(table) ? { check: checkOf(table, namespace) } : {};
    if (secondary.length === 0 && !hashed.has(table)) return [];
    const columns = [...new Set([...key, ...secondary.flatMap(([, own]) => own)])];
    const select = (names: readonly string[]): string =>
      `SELECT ${names.map(quoteIdentifier).join(', ') || '1'} FROM ${quoteName(table, { namespace })}`;
    return [
      {
        table,
        columns,
        scan: `${select(columns)} USE INDEX ()`,
        indexes: secondary.map(([name, own]) => {
          const held = [...new Set([...own, ...key])];
          return { name, columns: held, read: `${select(held)} FORCE INDEX (${quoteIdentifier(name)})` };
        }),
        ...check,
      },
    ];
  });
}

function checkOf(table: string, namespace: string): TableCheck {
  return { sql: `CHECK TABLE ${quoteName(table, { namespace })}`, corruption };
}

/** Rows are `table, operation, kind, words`. A sound table has only one, with `status` and `OK`. */
function corruption(rows: readonly ResultRow[]): readonly string[] {
  return rows
    .filter(([, , kind, words]) => kind !== 'status' || words !== 'OK')
    .map(([, , kind, words]) => `CHECK TABLE says ${kind}: ${words}`);
}
