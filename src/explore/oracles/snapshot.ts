/**
 * The snapshot oracle. Each committed transaction must have the replies that it gets alone on the state after some prefix
 * of the commits. No transaction that committed after its snapshot may have changed a row that it changed. The final rows
 * must be the changes of all, merged in the order of commits. Every order of commits and every choice of snapshots is
 * tried. So an outcome without an explanation is no snapshot isolation, however the server orders transactions. For two
 * transactions the choices are: either order, or both on the first state with changes of different rows.
 *
 * Actions of foreign keys may work on the newest rows. Then the transaction, alone in the state before its commit, must
 * change the same rows itself. Its changes in other tables there are the actions of its foreign keys.
 *
 * A change that leaves a row as it was looks like none, so a conflict on it is accepted: a miss, not a false alarm. In a
 * table without a name for its rows, only new rows can be followed.
 */
import type { ResultRow, Fixture, FixtureState } from '../../../core/index.ts';
import type { Alone, AloneResult } from '../alone.ts';
import { ImpossibleState } from '../arena.ts';
import { resultKey, stateKey } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { committedIn } from './serial.ts';
import { permutations } from '../../../core/index.ts';

interface Changes {
  /** Rows by table and row name, as JSON; null if the row is gone. */
  readonly rows: ReadonlyMap<string, ResultRow | null>;
  /** New rows by table, for tables without row names. */
  readonly added: Readonly<Record<string, readonly ResultRow[]>>;
}

/** The type of Fixture.rowNames. */
export type RowNames = Fixture['rowNames'];

/** The tables that each session's statements write themselves. */
export type WrittenThemselves = readonly ReadonlySet<string>[];

/** Undefined: rows of a table cannot be told apart, so there is no answer. With `written`, foreign keys act on the newest rows. */
export async function isSnapshotOutcome(
  outcome: Outcome,
  from: FixtureState,
  alone: Alone,
  names?: RowNames,
  written?: WrittenThemselves,
): Promise<boolean | undefined> {
  if (rowsOf(from, names) === undefined || rowsOf(outcome.state, names) === undefined) return undefined;
  const merging = { outcome, alone, names, written };
  for (const order of permutations(committedIn(outcome))) {
    const explained = await commitNext(merging, order, [from], []);
    if (explained !== false) return explained;
  }
  return false;
}

interface Merging {
  readonly outcome: Outcome;
  readonly alone: Alone;
  readonly names: RowNames;
  readonly written: WrittenThemselves | undefined;
}

/** `states`: the states after each commit so far, with the first state before them. `done`: the changes of each commit. */
async function commitNext(
  merging: Merging,
  order: readonly number[],
  states: readonly FixtureState[],
  done: readonly Changes[],
): Promise<boolean | undefined> {
  const { outcome, alone, names } = merging;
  const session = order[done.length];
  if (session === undefined) return stateKey(states.at(-1)!) === stateKey(outcome.state);
  const wanted = resultKey(outcome.transactions[session]!);
  for (const [snapshot, state] of states.entries()) {
    const ran = await unlessImpossible(alone(session, state));
    if (ran === undefined || resultKey(ran.result) !== wanted) continue;
    const { state: after } = ran;
    const all = changesOf(state, after, names);
    if (all === undefined) return undefined;
    const own = partOf(all, (table) => isWritten(merging, session, table));
    if (done.slice(snapshot).some(({ rows }) => [...rows.keys()].some((row) => own.rows.has(row)))) continue;
    const changes = await withActions(merging, session, own, states.at(-1)!);
    if (changes === undefined) continue;
    const explained = await commitNext(merging, order, [...states, applied(states.at(-1)!, changes, names)], [...done, changes]);
    if (explained !== false) return explained;
  }
  return false;
}

/** Undefined: changes of several snapshots were combined, and a constraint forbids the resulting rows. */
async function unlessImpossible(ran: Promise<AloneResult>): Promise<AloneResult | undefined> {
  try {
    return await ran;
  } catch (error) {
    if (error instanceof ImpossibleState) return undefined;
    throw error;
  }
}

function isWritten({ written }: Merging, session: number, table: string): boolean {
  return written?.[session]?.has(table) !== false;
}

/** Adds the actions of its foreign keys on the newest rows. Undefined: it would then change other rows itself too. */
async function withActions(merging: Merging, session: number, own: Changes, newest: FixtureState): Promise<Changes | undefined> {
  const { alone, names, written } = merging;
  if (written === undefined) return own;
  const ran = await unlessImpossible(alone(session, newest));
  const all = ran && changesOf(newest, ran.state, names);
  return all !== undefined && keyOf(partOf(all, (table) => isWritten(merging, session, table))) === keyOf(own) ? all : undefined;
}

function partOf({ rows, added }: Changes, wanted: (table: string) => boolean): Changes {
  return {
    rows: new Map([...rows].filter(([key]) => wanted((JSON.parse(key) as readonly string[])[0]!))),
    added: Object.fromEntries(Object.entries(added).filter(([table]) => wanted(table))),
  };
}

function keyOf({ rows, added }: Changes): string {
  return JSON.stringify([[...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)), added]);
}

function changesOf(before: FixtureState, after: FixtureState, names: RowNames): Changes | undefined {
  const old = rowsOf(before, names);
  const now = rowsOf(after, names);
  const added = addedTo(before, after, names);
  if (old === undefined || now === undefined || added === undefined) return undefined;
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
    (key) => JSON.stringify(old.get(key)) !== JSON.stringify(now.get(key)),
  );
  return { rows: new Map(changed.map((key) => [key, now.get(key) ?? null])), added };
}

/** Returns new rows of tables without row names. Undefined: a row of theirs is gone, and it is unknown which of several equal ones. */
function addedTo(before: FixtureState, after: FixtureState, names: RowNames): Changes['added'] | undefined {
  const added: Record<string, readonly ResultRow[]> = {};
  for (const table of Object.keys(after).filter((each) => !isNamed(each, names))) {
    const now = [...after[table]!];
    for (const row of before[table] ?? []) {
      const at = now.findIndex((each) => JSON.stringify(each) === JSON.stringify(row));
      if (at < 0) return undefined;
      now.splice(at, 1);
    }
    added[table] = now;
  }
  return added;
}

function applied(state: FixtureState, { rows: changed, added }: Changes, names: RowNames): FixtureState {
  return Object.fromEntries(
    Object.entries(state).map(([table, rows]) => [
      table,
      [
        ...rows.filter((row) => !isNamed(table, names) || !changed.has(rowKey(table, row, names))),
        ...[...changed].flatMap(([key, row]) => (row !== null && isNamed(table, names) && key === rowKey(table, row, names) ? [row] : [])),
        ...(added[table] ?? []),
      ],
    ]),
  );
}

function isNamed(table: string, names: RowNames): boolean {
  return names?.[table]?.length !== 0;
}

/** Returns rows of tables with row names. Undefined: two rows have one name. */
function rowsOf(state: FixtureState, names: RowNames): ReadonlyMap<string, ResultRow> | undefined {
  const all = Object.entries(state).flatMap(([table, rows]) =>
    isNamed(table, names) ? rows.map((row) => [rowKey(table, row, names), row] as const) : [],
  );
  const byKey = new Map(all);
  return byKey.size === all.length ? byKey : undefined;
}

function rowKey(table: string, row: ResultRow, names: RowNames): string {
  return JSON.stringify([table, ...(names?.[table] ?? [0]).map((place) => row[place])]);
}
