/**
 * Snapshot outcome: each committed transaction was told what it is told alone on the state that some prefix of the commits
 * left, and of those that committed after its snapshot none changed a row that it changed; the rows that are left are the
 * changes of all, merged in the order of commits. Every order of commits and every choice of snapshots is tried, so what
 * no such execution explains is no snapshot isolation, however the server orders things. Of two transactions that is:
 * either order, or both on the first state with changes of different rows.
 *
 * What foreign keys do beside the statements may be taken from the newest rows: in the state before the commit the transaction,
 * alone, changes the same rows itself, and what it changes in other tables there is what its foreign keys did.
 *
 * A change that leaves a row as it was cannot be told from none, so such a conflict is let pass: a miss, no false alarm.
 * Of a table without a name for its rows only new rows can be followed.
 */
import type { ResultRow, Fixture, FixtureState } from '../../../core/index.ts';
import type { Alone, AloneResult } from '../alone.ts';
import { ImpossibleState } from '../arena.ts';
import { resultKey, stateKey } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { committedIn } from './serial.ts';
import { permutations } from '../../../core/index.ts';

interface Changes {
  /** The table and the row's name, as JSON -> the row, null where it is gone. */
  readonly rows: ReadonlyMap<string, ResultRow | null>;
  /** Table -> its new rows, where nothing names them. */
  readonly added: Readonly<Record<string, readonly ResultRow[]>>;
}

/** Fixture.rowNames. */
export type RowNames = Fixture['rowNames'];

/** By session, the tables that its statements name as those that they write to. */
export type WrittenThemselves = readonly ReadonlySet<string>[];

/** Undefined: rows of a table cannot be told apart, so nothing is said. With `written`, foreign keys act on the newest rows. */
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

/** `states`: after each commit so far, the first one before any; `done`: what each of them changed. */
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

/** Undefined: changes of several snapshots were put together, and a constraint forbids the rows that come of it. */
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

/** What its foreign keys do is what they do on the newest rows. Undefined: it would then change other rows itself too. */
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

/** Of tables whose rows nothing names. Undefined: some row of theirs is gone, nobody knows which of several that are alike. */
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

/** Of tables whose rows have names. Undefined: two rows of one name. */
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
