/**
 * A program of `explore`: two to four short transactions on a small fixture. The stage that makes a step also says what
 * the step touches. Partial order reduction depends on that.
 */
import type { IndexPlan, ResultRow } from '../dialect/index.ts';
import type { Schema, Query, Statement } from '../sql/index.ts';
import type { SessionPlan, TxnPlan } from './test-case.ts';

/** A schema with its first rows and what an exploration knows of it. A table follows those that its foreign keys point to. */
export interface Fixture extends Schema {
  readonly name: string;
  /**
   * Table -> positions of the columns that identify a row. An empty list: none does. Absent: the first column of each
   * table, whether it is a key or not.
   */
  readonly rowNames?: Readonly<Record<string, readonly number[]>>;
  /** Each query returns no row while its invariant holds. */
  readonly invariants?: readonly { readonly name: string; readonly query: Query }[];
  /** The first rows in the server's own words. Absent: a value's text is the server's (integers). */
  readonly first?: FixtureState;
  /** Its programs take numbers from the server. The comparison ignores which number a new row got. */
  readonly newNumbers?: true;
  /**
   * Its programs change the tables themselves (ChangeTable). The tables are made anew before each run and read as they
   * then are.
   */
  readonly changesSchema?: true;
  /** The names that programs give to tables. */
  readonly renamed?: readonly string[];
  /** The planner's setting. False: none. */
  readonly byIndex: IndexPlan | false;
}

export interface ShownNumber {
  readonly place: number;
  readonly table: string;
  readonly column: number;
}

export interface ProgramStep {
  readonly statement: Statement;
  /** The statement in its author's words. Absent: it has no author. */
  readonly written?: string;
  /** Every table that the step can read, lock or write. */
  readonly tables: readonly string[];
  /** Positions of its reply that show a number which the server generated, each with its column. */
  readonly numbers?: readonly ShownNumber[];
  /** The step writes nothing and asks for no lock. */
  readonly plainRead: boolean;
}

/** A session's only transaction. Absent `begin` and `send`: a plain BEGIN, and text. */
export interface ProgramTxn extends Pick<TxnPlan, 'name' | 'begin' | 'end'>, Pick<SessionPlan, 'send'> {
  /** Its only statement is sent without BEGIN and commits by itself. Its end is no step. */
  readonly autocommit?: true;
  /** It begins when that transaction has ended. The number is the position in the list, before its own. */
  readonly after?: number;
  /** How often it begins again after the server refuses it (a deadlock, a serialization failure). Absent: never. */
  readonly retries?: number;
  readonly steps: readonly ProgramStep[];
}

export interface Program {
  /** The program's number. The seed and the number alone determine it. */
  readonly number: number;
  /** The factors that it is made of: skeleton, fixture, and the forms of reads and writes. */
  readonly made: Readonly<Record<string, string>>;
  readonly fixture: Fixture;
  readonly transactions: readonly ProgramTxn[];
  /** The orders that show its phenomenon, as the sessions that step. A pair of the matrix has them. Absent: every order is run. */
  readonly telling?: readonly (readonly number[])[];
}

/** Table -> its rows in no order. Each value is the server's text. */
export type FixtureState = Readonly<Record<string, readonly ResultRow[]>>;

export function firstState(fixture: Fixture): FixtureState {
  if (fixture.first !== undefined) return fixture.first;
  return Object.fromEntries(
    fixture.tables.map(({ name, rows }) => [name, rows.map((row) => row.map((value) => (value === null ? null : String(value))))]),
  );
}
