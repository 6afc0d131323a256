/**
 * A fixture whose programs change the tables themselves. Every table is dropped and made again before a run. After it
 * each table is read as it is then, whatever its columns and name.
 */
import type { Connection, Dialect, Fixture, FixtureState } from '../../core/index.ts';
import { DatabaseError } from '../../core/index.ts';

/** Returns every name that one of its tables has or gets. */
export function namesIn({ tables, renamed = [] }: Fixture): readonly string[] {
  return [...tables.map(({ name }) => name), ...renamed];
}

/** Returns the statements that make the initial tables, without rows. */
export function remakeStatements(fixture: Fixture, dialect: Dialect, namespace: string): readonly string[] {
  const made = (tables: Fixture['tables']): readonly string[] => dialect.createNamespace(namespace, { tables });
  // The statements that make the namespace itself come first and are omitted.
  const ofTables = made(fixture.tables.map((table) => ({ ...table, rows: [] }))).slice(made([]).length);
  return [dialect.tableChanges!.drop(namesIn(fixture), namespace), ...ofTables];
}

/** Reads the rows, and the columns of a table that differ from its original ones. A table that does not exist has no entry. */
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

/** True if the table exists and has the columns of the fixture's table of this name. */
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
    // The table does not exist.
    if (errorClass === 'syntax') return undefined;
    throw new DatabaseError(`a table could not be read: ${message}`, { cause: error });
  }
}
