/**
 * A fixture whose programs change the tables themselves: every table is dropped and made again before a run, and behind it each is
 * read as it then is, whatever its columns are and whatever it is called.
 */
import type { Connection, Dialect, Fixture, FixtureState } from '../../core/index.ts';
import { DatabaseError } from '../../core/index.ts';

/** Every name that one of its tables has or is given. */
export function namesIn({ tables, renamed = [] }: Fixture): readonly string[] {
  return [...tables.map(({ name }) => name), ...renamed];
}

/** The tables as they are at first, without a row. */
export function remakeStatements(fixture: Fixture, dialect: Dialect, namespace: string): readonly string[] {
  const made = (tables: Fixture['tables']): readonly string[] => dialect.createNamespace(namespace, { tables });
  // What makes the namespace itself comes first.
  const ofTables = made(fixture.tables.map((table) => ({ ...table, rows: [] }))).slice(made([]).length);
  return [dialect.tableChanges!.drop(namesIn(fixture), namespace), ...ofTables];
}

/** Beside the rows, the columns of a table that are not those which it had. A table that is not there has no entry. */
export async function readChangedSchema(
  fixture: Fixture,
  { dialect, namespace }: { readonly dialect: Dialect; readonly namespace: string },
  control: Connection,
): Promise<FixtureState> {
  const state: Record<string, FixtureState[string]> = {};
  for (const name of namesIn(fixture)) {
    const read = await readTable(dialect.tableChanges!.readWhole(name, namespace), dialect, control);
    if (read === undefined) continue;
    const before = fixture.tables.find((table) => table.name === name)?.columns.map((column) => column.name);
    state[name] = read.rows;
    if (before?.join() !== read.columns.join()) state[columnsOf(name)] = [read.columns];
  }
  return state;
}

const columnsOf = (table: string): string => `columns of ${table}`;

/** Its columns are those of the fixture's table of this name, if it is there. */
export function hasItsColumns(state: FixtureState, table: string): boolean {
  return state[table] !== undefined && state[columnsOf(table)] === undefined;
}

async function readTable(
  sql: string,
  dialect: Dialect,
  control: Connection,
): Promise<Awaited<ReturnType<Connection['query']>> | undefined> {
  try {
    return await control.query(sql);
  } catch (error) {
    const { class: errorClass, message } = dialect.classifyError(error);
    // There is no such table.
    if (errorClass === 'syntax') return undefined;
    throw new DatabaseError(`a table could not be read: ${message}`, { cause: error });
  }
}
