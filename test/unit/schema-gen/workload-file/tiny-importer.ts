/** An importer of just enough SQL for the format's tests: one table of two columns, reads and writes of one row by its key. */
import type { Expression, Schema, Statement, Table, TypeKind, Value } from '../../../../core/sql/index.ts';
import type { SqlImporter, SqlText } from '../../../../core/dialect/index.ts';

const NAME = '(\\w+)';
const VALUE = "(:?\\w+|'[^']*')";

export const TINY_IMPORTER: SqlImporter = {
  schema: (texts) => {
    const refused = [];
    const tables: Table[] = [];
    for (const { sql, line } of texts) {
      const made = new RegExp(`^CREATE TABLE ${NAME} \\((\\w+) int primary key, (\\w+) (int|text|date)\\)$`).exec(sql);
      const row = new RegExp(`^INSERT INTO ${NAME} VALUES \\(${VALUE}, ${VALUE}\\)$`).exec(sql);
      const into = tables.findIndex(({ name }) => name === row?.[1]);
      if (made !== null) tables.push(tableOf(made[1]!, made[2]!, made[3]!, made[4]!));
      else if (row !== null && into >= 0)
        tables[into] = { ...tables[into]!, rows: [...tables[into]!.rows, [literal(row[2]!), literal(row[3]!)]] };
      else refused.push({ line, reason: `not understood: ${sql}` });
    }
    return { schema: { tables }, approximated: [], refused };
  },
  statement: (text, schema, parameters) =>
    statementOf(text, schema, parameters) ?? { line: text.line, reason: `not understood: ${text.sql}` },
  columnTypes: (text, schema, parameters) => {
    const statement = statementOf(text, schema, parameters);
    const columns = schema.tables.flatMap((table) => table.columns);
    if (statement?.kind !== 'select') return [];
    return statement.items.map(({ alias }) => columns.find(({ name }) => name === alias)?.type.kind);
  },
  carriedName: (name) => name,
  writtenName: (name) => name,
};

function tableOf(name: string, key: string, column: string, type: string): Table {
  const kind = type === 'int' ? 'integer' : (type as 'text' | 'date');
  return {
    name,
    columns: [
      { name: key, type: { kind: 'integer' }, nullable: false },
      { name: column, type: { kind }, nullable: true },
    ],
    primaryKey: [key],
    uniques: [],
    checks: [],
    foreignKeys: [],
    indexes: [],
    rows: [],
  };
}

function statementOf({ sql }: SqlText, { tables }: Schema, parameters: ReadonlyMap<string, TypeKind>): Statement | undefined {
  const select = new RegExp(`^SELECT ${NAME} FROM ${NAME} WHERE ${NAME} = ${VALUE}$`).exec(sql);
  const update = new RegExp(`^UPDATE ${NAME} SET ${NAME} = ${VALUE} WHERE ${NAME} = ${VALUE}$`).exec(sql);
  const table = select?.[2] ?? update?.[1];
  if (table === undefined || !tables.some(({ name }) => name === table)) return undefined;
  const value = (word: string): Expression => {
    const name = word.startsWith(':') ? word.slice(1) : undefined;
    return name === undefined
      ? { kind: 'literal', type: 'integer', value: literal(word) }
      : { kind: 'parameter', name, type: parameters.get(name)! };
  };
  const where = (column: string, word: string): Expression => ({
    kind: 'compare',
    op: '=',
    left: { kind: 'column', table, column },
    right: value(word),
  });
  if (select !== null) {
    return {
      kind: 'select',
      items: [{ expression: { kind: 'column', table, column: select[1]! }, alias: select[1]! }],
      from: { kind: 'table', table, alias: table },
      where: where(select[3]!, select[4]!),
    };
  }
  return { kind: 'update', table, set: [{ column: update![2]!, value: value(update![3]!) }], where: where(update![4]!, update![5]!) };
}

function literal(word: string): Value {
  return word.startsWith("'") ? word.slice(1, -1) : Number(word);
}
