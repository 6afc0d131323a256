/** Reads all rows of all tables of a namespace after a run, whoever made them. */
import type { Connection, Dialect, ResultRow, Select, FixtureState } from '../../../core/index.ts';

const COLUMNS = (namespace: string): string =>
  `SELECT c.table_name, c.column_name FROM information_schema.columns c JOIN information_schema.tables t ` +
  `ON t.table_schema = c.table_schema AND t.table_name = c.table_name ` +
  `WHERE t.table_schema = '${namespace}' AND t.table_type = 'BASE TABLE' ORDER BY c.table_name, c.ordinal_position`;

export async function readTables(dialect: Dialect, connection: Connection, namespace: string): Promise<FixtureState> {
  const columns = new Map<string, string[]>();
  for (const [table, column] of (await connection.query(COLUMNS(namespace))).rows) {
    const list = columns.get(table!) ?? [];
    columns.set(table!, [...list, column!]);
  }
  const tables: Record<string, readonly ResultRow[]> = {};
  for (const [table, names] of columns) tables[table] = (await connection.query(dialect.print(selectAll(table, names), namespace))).rows;
  return tables;
}

function selectAll(table: string, columns: readonly string[]): Select {
  return {
    kind: 'select',
    items: columns.map((column) => ({ expression: { kind: 'column', table, column }, alias: column })),
    from: { kind: 'table', table, alias: table },
  };
}
