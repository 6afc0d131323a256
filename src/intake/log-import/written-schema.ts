/** Names the schema as the log and the file do, where the importer reads some of its names as others (SqlImporter.carriedName). */
import { mapExpression, type Exclusion, type Expression, type Schema, type SqlImporter, type Table } from '../../../core/index.ts';

export function writtenSchema({ tables }: Schema, names: Pick<SqlImporter, 'writtenName'>): Schema {
  const own = (name: string): string => names.writtenName(name);
  const named = (expression: Expression): Expression =>
    mapExpression(expression, {
      expression: (each) => (each.kind === 'column' ? { ...each, table: own(each.table), column: own(each.column) } : each),
    });
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
      checks: table.checks.map((check) => ({ ...check, expression: named(check.expression) })),
      ...(table.exclusions && { exclusions: table.exclusions.map((each) => exclusionOf(each, own, named)) }),
    })),
  };
}

function exclusionOf(
  { name, parts, where }: Exclusion,
  own: (name: string) => string,
  named: (expression: Expression) => Expression,
): Exclusion {
  return {
    name,
    parts: parts.map((part) =>
      part.meets === 'equal'
        ? { ...part, column: own(part.column) }
        : { ...part, range: { ...part.range, lower: named(part.range.lower), upper: named(part.range.upper) } },
    ),
    ...(where && { where: named(where) }),
  };
}
