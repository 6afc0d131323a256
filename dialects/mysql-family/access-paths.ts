/**
 * Each table by a scan and by each of its secondary indexes; the primary key is the table. An index hint with no index in it
 * leaves the scan alone; a secondary index has its own columns and those of the primary key in it, so it answers by itself.
 */
import type { AccessPaths, Connection, TablePaths } from '../../core/index.ts';
import { indexColumns } from '../access-paths.ts';
import { quoteIdentifier, quoteName, quoteText } from './quote.ts';

export const INNODB_ACCESS_PATHS: AccessPaths = { settings: [], of: tablePaths };

const PRIMARY = 'PRIMARY';

const INDEXES = (namespace: string): string =>
  `SELECT TABLE_NAME, INDEX_NAME, IF(SUB_PART IS NULL AND INDEX_TYPE = 'BTREE', COLUMN_NAME, NULL) FROM information_schema.STATISTICS ` +
  `WHERE TABLE_SCHEMA = ${quoteText(namespace)} ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`;

async function tablePaths(connection: Connection, namespace: string): Promise<readonly TablePaths[]> {
  const { rows } = await connection.query(INDEXES(namespace));
  return [...indexColumns(rows)].flatMap(([table, indexes]) => {
    const key = indexes.get(PRIMARY) ?? [];
    const secondary = [...indexes].filter(([name]) => name !== PRIMARY);
    if (secondary.length === 0) return [];
    const columns = [...new Set([...key, ...secondary.flatMap(([, own]) => own)])];
    const select = (names: readonly string[]): string =>
      `SELECT ${names.map(quoteIdentifier).join(', ')} FROM ${quoteName(table, { namespace })}`;
    return [
      {
        table,
        columns,
        scan: `${select(columns)} USE INDEX ()`,
        indexes: secondary.map(([name, own]) => {
          const held = [...new Set([...own, ...key])];
          return { name, columns: held, read: `${select(held)} FORCE INDEX (${quoteIdentifier(name)})` };
        }),
      },
    ];
  });
}
