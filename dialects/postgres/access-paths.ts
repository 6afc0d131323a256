/**
 * Reads each table by a scan and by each of its indexes. Only B-tree indexes over plain columns of all rows can be
 * forced to return every row. They do so in their order, with sorts and scans disabled. A partitioned table has no
 * index of its own. No index holds a row's physical address, so a query for it scans the table. A query of an index
 * asks only for its columns, so that the index alone answers.
 */
import type { AccessPaths, Connection, TablePaths } from '../../core/dialect/index.ts';
import { indexColumns } from '../access-paths.ts';
import { quoteIdentifier, quoteName, quoteText } from './quote.ts';
import { WITHOUT_JIT } from './without-jit.ts';

export const ACCESS_PATHS: AccessPaths = {
  settings: ['SET enable_seqscan TO off', 'SET enable_bitmapscan TO off', 'SET enable_sort TO off', WITHOUT_JIT],
  of: tablePaths,
};

const INDEXES = (namespace: string): string => `SELECT t.relname, i.relname, a.attname
FROM pg_catalog.pg_index x
JOIN pg_catalog.pg_class t ON t.oid = x.indrelid
JOIN pg_catalog.pg_namespace s ON s.oid = t.relnamespace
JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
JOIN pg_catalog.pg_am m ON m.oid = i.relam
CROSS JOIN LATERAL unnest(x.indkey::int2[]) WITH ORDINALITY AS k(attnum, n)
LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum AND k.attnum <> 0
WHERE s.nspname = ${quoteText(namespace)} AND t.relkind = 'r' AND m.amname = 'btree' AND x.indpred IS NULL AND x.indisvalid AND k.n <= x.indnkeyatts
ORDER BY t.relname, i.relname, k.n`;

async function tablePaths(connection: Connection, namespace: string): Promise<readonly TablePaths[]> {
  const { rows } = await connection.query(INDEXES(namespace));
  return [...indexColumns(rows)].map(([table, indexes]) => {
    const columns = [...new Set([...indexes.values()].flat())];
    const from = quoteName(table, { namespace });
    const list = (names: readonly string[]): string => names.map(quoteIdentifier).join(', ');
    return {
      table,
      columns,
      scan: `SELECT ${list(columns)}, ctid FROM ${from}`,
      indexes: [...indexes].map(([name, own]) => ({ name, columns: own, read: `SELECT ${list(own)} FROM ${from} ORDER BY ${list(own)}` })),
    };
  });
}
