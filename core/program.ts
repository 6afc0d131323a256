/**
 * What `explore` runs: a small world, and a program of two to four short transactions on it. The stage that makes a
 * step knows what it touches and says so; which orders of steps need not be tried rests on that.
 */
import type { ResultRow } from './reply.ts';
import type { Table } from './schema.ts';
import type { Statement } from './statement.ts';

export interface World {
  readonly name: string;
  /** With their first rows. The first column of each names a row; whether it is a key is the table's affair. All columns are integers. */
  readonly tables: readonly Table[];
  /** The planner is told to take an index wherever there is one: a scan of the whole table locks more and hides what an index scan misses. */
  readonly byIndex: boolean;
}

export interface ProgramStep {
  readonly statement: Statement;
  /** Every table that it can read, lock or write. */
  readonly tables: readonly string[];
  /** It writes nothing and asks for no lock. */
  readonly plainRead: boolean;
}

export interface ProgramTxn {
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
  return Object.fromEntries(
    world.tables.map(({ name, rows }) => [name, rows.map((row) => row.map((value) => (value === null ? null : String(value))))]),
  );
}
