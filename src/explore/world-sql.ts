/** The statements that bring a world into a state and read it, and what the answer says. */
import type { Expression, Insert, Query, ResultRow, Select, Statement, Table, World, WorldState } from '../../core/index.ts';

const TAG = 'of';
const number = (value: string | null): Expression => ({ kind: 'literal', type: 'integer', value: value === null ? null : Number(value) });

export function fillStatements(world: World, state: WorldState): readonly Statement[] {
  const emptied = world.tables.toReversed().map(({ name }): Statement => ({ kind: 'delete', table: name }));
  const filled = world.tables.flatMap((table) => {
    const rows = state[table.name] ?? [];
    return rows.length === 0 ? [] : [insert(table, rows)];
  });
  return [...emptied, ...filled];
}

function insert({ name, columns }: Table, rows: readonly ResultRow[]): Insert {
  return { kind: 'insert', table: name, columns: columns.map((column) => column.name), rows: rows.map((row) => row.map(number)) };
}

/** Every row of every table: the table's number, then its columns, those that it lacks as NULL. */
export function readStatement({ tables }: World): Query {
  const width = Math.max(...tables.map(({ columns }) => columns.length));
  const arms = tables.map(({ name, columns }, t): Select => ({
    kind: 'select',
    items: [
      { expression: number(String(t)), alias: TAG },
      ...Array.from({ length: width }, (_, c) => {
        const column = columns[c];
        return {
          expression: column === undefined ? number(null) : ({ kind: 'column', table: name, column: column.name } as const),
          alias: `c${c}`,
        };
      }),
    ],
    from: { kind: 'table', table: name, alias: name },
  }));
  return arms.length === 1 ? arms[0]! : { kind: 'unionAll', arms };
}

export function stateOf({ tables }: World, rows: readonly ResultRow[]): WorldState {
  return Object.fromEntries(
    tables.map(({ name, columns }, t) => [name, rows.filter(([tag]) => tag === String(t)).map((row) => row.slice(1, columns.length + 1))]),
  );
}
