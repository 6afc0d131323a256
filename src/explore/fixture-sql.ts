/** The statements that bring a fixture into a state and read it, and the decoding of the answer. */
import type {
  Column,
  Expression,
  Insert,
  Query,
  ResultRow,
  Select,
  Statement,
  Table,
  TypeKind,
  Value,
  Fixture,
  FixtureState,
} from '../../core/index.ts';
import { NEW_NUMBER } from './new-numbers.ts';

const TAG = 'of';
const literal = (type: TypeKind, text: string | null): Expression => ({ kind: 'literal', type, value: valueOf(type, text) });

/** Decodes a value that the server has shown as text. */
export function valueOf(type: TypeKind, text: string | null): Value {
  return text === null ? null : (VALUES[type]?.(text) ?? text);
}

const VALUES: { readonly [K in TypeKind]?: (text: string) => Value } = {
  integer: Number,
  boolean: (text) => text === 'true' || text === 't' || text === '1',
};

export function fillStatements(fixture: Fixture, state: FixtureState): readonly Statement[] {
  const emptied = fixture.tables.toReversed().map(({ name }): Statement => ({ kind: 'delete', table: name }));
  const filled = fixture.tables.flatMap((table) => {
    const rows = state[table.name] ?? [];
    // Removes the notes that triggers have made while the tables were filled.
    const noted = fixture.tables.some(({ trigger }) => trigger?.does === 'notes' && trigger.table === table.name);
    const isNew = (row: ResultRow): boolean => table.columns.some(({ identity }, c) => identity === true && row[c] === NEW_NUMBER);
    return [
      ...(noted ? [{ kind: 'delete', table: table.name } as const] : []),
      ...inserted(
        table,
        rows.filter((row) => !isNew(row)),
        isGiven,
      ),
      ...inserted(table, rows.filter(isNew), (column) => isGiven(column) && column.identity !== true),
    ];
  });
  return [...emptied, ...filled];
}

const isGiven = ({ generated }: Column): boolean => generated === undefined;

/** The server numbers or computes a column that is omitted. */
function inserted({ name, columns }: Table, rows: readonly ResultRow[], given: (column: Column) => boolean): readonly Insert[] {
  if (rows.length === 0) return [];
  const insert: Insert = {
    kind: 'insert',
    table: name,
    columns: columns.filter(given).map((column) => column.name),
    rows: rows.map((row) => columns.flatMap((column, c) => (given(column) ? [literal(column.type.kind, row[c] ?? null)] : []))),
  };
  return [insert];
}

/** Reads every row of every table: the table's number, then its columns, with NULL for columns that it lacks. */
export function readStatement({ tables }: Fixture): Query {
  const width = Math.max(...tables.map(({ columns }) => columns.length));
  // The columns of all tables are united. They are read as texts if they do not all have one type.
  const type: TypeKind = tables.every(({ columns }) => columns.every((column) => column.type.kind === 'integer')) ? 'integer' : 'text';
  const shown = (column: Expression): Expression => (type === 'text' ? { kind: 'cast', operand: column, type } : column);
  const arms = tables.map(({ name, columns }, t): Select => ({
    kind: 'select',
    items: [
      { expression: literal('integer', String(t)), alias: TAG },
      ...Array.from({ length: width }, (_, c) => {
        const column = columns[c];
        return {
          expression: column === undefined ? literal(type, null) : shown({ kind: 'column', table: name, column: column.name }),
          alias: `c${c}`,
        };
      }),
    ],
    from: { kind: 'table', table: name, alias: name },
  }));
  return arms.length === 1 ? arms[0]! : { kind: 'unionAll', arms };
}

export function stateOf({ tables }: Fixture, rows: readonly ResultRow[]): FixtureState {
  return Object.fromEntries(
    tables.map(({ name, columns }, t) => [name, rows.filter(([tag]) => tag === String(t)).map((row) => row.slice(1, columns.length + 1))]),
  );
}
