/** Short ways to write statements of the IR by hand, for the model's own tests. */
import type {
  Assignment,
  Column,
  ColumnType,
  CompareOp,
  Expression,
  From,
  Query,
  Schema,
  Select,
  SelectItem,
  Statement,
  Table,
  TypeKind,
  Value,
} from '../../core/sql/index.ts';

export const INTEGER: ColumnType = { kind: 'integer' };
export const TEXT: ColumnType = { kind: 'text' };

export function lit(value: Value, type?: TypeKind): Expression {
  return {
    kind: 'literal',
    type: type ?? (typeof value === 'number' ? 'integer' : typeof value === 'boolean' ? 'boolean' : 'text'),
    value,
  };
}

export function col(table: string, column: string): Expression {
  return { kind: 'column', table, column };
}

export function compare(op: CompareOp, left: Expression, right: Expression): Expression {
  return { kind: 'compare', op, left, right };
}

export function plus(left: Expression, right: Expression): Expression {
  return { kind: 'arithmetic', op: '+', left, right };
}

export function item(expression: Expression, alias: string = 'x'): SelectItem {
  return { expression, alias };
}

export function from(table: string, alias: string = table): From {
  return { kind: 'table', table, alias };
}

export function select(items: readonly SelectItem[], source: From, more: Partial<Select> = {}): Select {
  return { kind: 'select', items, from: source, ...more };
}

export function update(table: string, set: readonly Assignment[], where?: Expression): Statement {
  return { kind: 'update', table, set, ...(where && { where }) };
}

export function remove(table: string, where?: Expression): Statement {
  return { kind: 'delete', table, ...(where && { where }) };
}

export function insert(table: string, columns: readonly string[], ...rows: readonly (readonly Value[])[]): Statement {
  return { kind: 'insert', table, columns, rows: rows.map((row) => row.map((value) => lit(value))) };
}

export function column(name: string, more: Partial<Column> = {}): Column {
  return { name, type: INTEGER, nullable: true, ...more };
}

export function table(name: string, columns: readonly Column[], rows: Table['rows'], more: Partial<Table> = {}): Table {
  return { name, columns, rows, primaryKey: [], uniques: [], checks: [], foreignKeys: [], indexes: [], ...more };
}

/** t(k primary key, v) with rows (1, 10), (2, 20). */
export const TWO_ROWS: Schema = {
  tables: [
    table(
      't',
      [column('k', { nullable: false }), column('v')],
      [
        [1, 10],
        [2, 20],
      ],
      { primaryKey: ['k'] },
    ),
  ],
};

export function readAll(name: string = 't', columns: readonly string[] = ['k', 'v']): Query {
  return select(
    columns.map((c) => item(col(name, c), c)),
    from(name),
    { orderBy: [{ expression: col(name, columns[0]!), descending: false }] },
  );
}

export function setV(k: number, v: Expression): Statement {
  return update('t', [{ column: 'v', value: v }], compare('=', col('t', 'k'), lit(k)));
}
