/** The schema as the log and the file name it, where the importer reads some of its names as others (SqlImporter.carriedName). */
import { mapExpression, type Schema, type SqlImporter, type Table } from '../../core/index.ts';

export function writtenSchema({ tables }: Schema, names: Pick<SqlImporter, 'writtenName'>): Schema {
  const own = (name: string): string => names.writtenName(name);
  return {
    tables: tables.map((table): Table => ({
      ...table,
      name: own(table.name),
      columns: table.columns.map((column) => ({ ...column, name: own(column.name) })),
      primaryKey: table.primaryKey.map(own),
      uniques: table.uniques.map((columns) => columns.map(own)),
      foreignKeys: table.foreignKeys.map((key) => ({
        ...key,
        columns: key.columns.map(own),
        table: own(key.table),
        references: key.references.map(own),
      })),
      checks: table.checks.map((check) => ({
        ...check,
        expression: mapExpression(check.expression, {
          expression: (each) => (each.kind === 'column' ? { ...each, table: own(each.table), column: own(each.column) } : each),
        }),
      })),
    })),
  };
}
