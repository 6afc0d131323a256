/**
 * What `explore` runs: a small world, and a program of two to four short transactions on it. The stage that makes a
 * step knows what it touches and says so; which orders of steps need not be tried rests on that.
 */
import type { Routine } from './routine.ts';
import type { BeginForm, IndexPlan, SendForm } from './dialect.ts';
import type { ResultRow } from './reply.ts';
import type { Table, View } from './schema.ts';
import type { Query, Statement } from './statement.ts';

export interface World {
  readonly name: string;
  /** With their first rows; each after those that its foreign keys point to. */
  readonly tables: readonly Table[];
  readonly views?: readonly View[];
  readonly routines?: readonly Routine[];
  /** Table -> the places of the columns that name a row; none: nothing does. Absent: the first column of each table, whether it is a key or not. */
  readonly rowNames?: Readonly<Record<string, readonly number[]>>;
  /** Each returns no row while it holds. */
  readonly invariants?: readonly { readonly name: string; readonly query: Query }[];
  /** The first rows in the server's own words; absent: a value's text is the server's (integers). */
  readonly first?: WorldState;
  /** Programs on it take numbers from the server: what number a new row was given is not compared. */
  readonly newNumbers?: true;
  /** Programs on it change the tables themselves (ChangeTable): so they are made anew before each run, and read as they then are. */
  readonly remade?: true;
  /** Names that they give to tables. */
  readonly renamed?: readonly string[];
  /** What the planner is told; false: nothing. */
  readonly byIndex: IndexPlan | false;
}

export interface ShownNumber {
  readonly place: number;
  readonly table: string;
  readonly column: number;
}

export interface ProgramStep {
  readonly statement: Statement;
  /** In its author's words; absent: it has none. */
  readonly written?: string;
  /** Every table that it can read, lock or write. */
  readonly tables: readonly string[];
  /** Places of its reply that show a number which the server gave, and of which column. */
  readonly numbers?: readonly ShownNumber[];
  /** It writes nothing and asks for no lock. */
  readonly plainRead: boolean;
}

export interface ProgramTxn {
  /** As its author calls it. */
  readonly name?: string;
  /** Its one statement is sent without BEGIN and commits by itself; its end is no step. */
  readonly autocommit?: true;
  /** It begins when that transaction is over, by its place in the list: one before it. */
  readonly after?: number;
  /** Absent: plainly. */
  readonly begin?: BeginForm;
  /** Of its queries and writes; absent: as they are. */
  readonly send?: SendForm;
  /** It is begun again so often where the server refuses it (a deadlock, a serialization failure); absent: never. */
  readonly retries?: number;
  readonly steps: readonly ProgramStep[];
  readonly end: 'commit' | 'rollback';
}

export interface Program {
  /** From the seed and the number alone: what gives this program again. */
  readonly number: number;
  /** What it is made of, factor by factor: skeleton, world, the forms of reads and writes. */
  readonly made: Readonly<Record<string, string>>;
  readonly world: World;
  readonly transactions: readonly ProgramTxn[];
}

/** Table -> its rows in no order, each value the server's text. */
export type WorldState = Readonly<Record<string, readonly ResultRow[]>>;

export function firstState(world: World): WorldState {
  if (world.first !== undefined) return world.first;
  return Object.fromEntries(
    world.tables.map(({ name, rows }) => [name, rows.map((row) => row.map((value) => (value === null ? null : String(value))))]),
  );
}
