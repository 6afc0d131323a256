/**
 * Checks constraints that a run added to a table. After their statement has committed, the final rows must satisfy them,
 * whatever was written concurrently. Values are compared as the server's texts. Added constraints are over whole numbers.
 */
import type { Program, ResultRow, TableChange, TableChangeKind, FixtureState } from '../../../core/index.ts';
import type { Played } from '../play.ts';
import { hasItsColumns } from '../schema-changing-fixture.ts';
import { committedChanges } from '../table-changes.ts';

interface Within {
  readonly table: string;
  readonly rowsOf: (table: string, columns: readonly string[]) => readonly ResultRow[];
}

type Broken<K extends TableChangeKind> = (change: Extract<TableChange, { readonly does: K }>, within: Within) => readonly string[];

/** A change that is not listed here promises nothing about rows. */
const BROKEN: { readonly [K in TableChangeKind]?: Broken<K> } = {
  'create index': ({ unique, columns }, within) => (unique ? duplicates(columns, within) : []),
  'add unique': ({ columns }, within) => duplicates(columns, within),
  'add check': ({ column, below }, { table, rowsOf }) =>
    rowsOf(table, [column])
      .filter(([value]) => value !== null && Number(value) >= below)
      .map(([value]) => `table ${table}: a row whose ${column} is ${value}, against CHECK (${column} < ${below}), which was added`),
  'add foreign key': ({ column, to, references }, { table, rowsOf }) => {
    const there = new Set(rowsOf(to, [references]).map(([value]) => value));
    return rowsOf(table, [column])
      .filter(([value]) => value !== null && !there.has(value))
      .map(([value]) => `table ${table}: a row whose ${column} ${value} has no row in ${to}, against the foreign key that was added`);
  },
};

function duplicates(columns: readonly string[], { table, rowsOf }: Within): readonly string[] {
  const values = rowsOf(table, columns).flatMap((row) => (row.includes(null) ? [] : [JSON.stringify(row)]));
  const twice = new Set(values.filter((value, i) => values.indexOf(value) !== i));
  return [...twice].map((value) => `table ${table}: two rows of (${columns.join(', ')}) ${value}, which was made unique`);
}

/** Returns a line for each row that a constraint forbids. */
export function brokenAdditions(program: Program, played: Played, state: FixtureState): readonly string[] {
  const rowsOf: Within['rowsOf'] = (table, columns) => {
    const own = program.fixture.tables.find(({ name }) => name === table);
    if (own === undefined || !hasItsColumns(state, table)) return [];
    const places = columns.map((column) => own.columns.findIndex(({ name }) => name === column));
    return state[table]!.map((row) => places.map((place) => row[place] ?? null));
  };
  return committedChanges(program, played).flatMap(({ statement: { table, change } }) => {
    const broken = BROKEN[change.does] as Broken<TableChangeKind> | undefined;
    // The parent was dropped or renamed.
    const whole = change.does !== 'add foreign key' || hasItsColumns(state, change.to);
    return whole ? (broken?.(change, { table, rowsOf }) ?? []) : [];
  });
}
