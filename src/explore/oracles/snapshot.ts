/**
 * Snapshot outcome: each committed transaction was told what it is told alone on the state that some prefix of the commits
 * left, and of those that committed after its snapshot none changed a row that it changed; the rows that are left are the
 * changes of all, merged in the order of commits. Every order of commits and every choice of snapshots is tried, so what
 * no such execution explains is no snapshot isolation, however the server orders things. Of two transactions that is:
 * either order, or both on the first state with changes of different rows.
 *
 * A change that leaves a row as it was cannot be told from none, so such a conflict is let pass: a miss, no false alarm.
 */
import type { ResultRow, WorldState } from '../../../core/index.ts';
import type { Alone } from '../alone.ts';
import { resultKey, stateKey } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { committedIn, permutations } from './serial.ts';

/** `table key` -> the row, null where it is gone. */
type Changes = ReadonlyMap<string, ResultRow | null>;

/** Undefined: rows of a table cannot be told apart by their first column, so nothing is said. */
export async function isSnapshotOutcome(outcome: Outcome, from: WorldState, alone: Alone): Promise<boolean | undefined> {
  if (rowsOf(from) === undefined || rowsOf(outcome.state) === undefined) return undefined;
  for (const order of permutations(committedIn(outcome))) {
    const explained = await commitNext(outcome, order, [from], [], alone);
    if (explained !== false) return explained;
  }
  return false;
}

/** `states`: after each commit so far, the first one before any; `done`: what each of them changed. */
async function commitNext(
  outcome: Outcome,
  order: readonly number[],
  states: readonly WorldState[],
  done: readonly Changes[],
  alone: Alone,
): Promise<boolean | undefined> {
  const session = order[done.length];
  if (session === undefined) return stateKey(states.at(-1)!) === stateKey(outcome.state);
  const wanted = resultKey(outcome.transactions[session]!);
  for (const [snapshot, state] of states.entries()) {
    const { result, state: after } = await alone(session, state);
    if (resultKey(result) !== wanted) continue;
    const changes = changesOf(state, after);
    if (changes === undefined) return undefined;
    if (done.slice(snapshot).some((other) => [...other.keys()].some((row) => changes.has(row)))) continue;
    const explained = await commitNext(outcome, order, [...states, applied(states.at(-1)!, changes)], [...done, changes], alone);
    if (explained !== false) return explained;
  }
  return false;
}

function changesOf(before: WorldState, after: WorldState): Changes | undefined {
  const old = rowsOf(before);
  const now = rowsOf(after);
  if (old === undefined || now === undefined) return undefined;
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter(
    (key) => JSON.stringify(old.get(key)) !== JSON.stringify(now.get(key)),
  );
  return new Map(changed.map((key) => [key, now.get(key) ?? null]));
}

function applied(state: WorldState, changes: Changes): WorldState {
  return Object.fromEntries(
    Object.entries(state).map(([table, rows]) => [
      table,
      [
        ...rows.filter((row) => !changes.has(rowKey(table, row))),
        ...[...changes].flatMap(([key, row]) => (row !== null && key === rowKey(table, row) ? [row] : [])),
      ],
    ]),
  );
}

/** Undefined: two rows of one name. */
function rowsOf(state: WorldState): ReadonlyMap<string, ResultRow> | undefined {
  const all = Object.entries(state).flatMap(([table, rows]) => rows.map((row) => [rowKey(table, row), row] as const));
  const byKey = new Map(all);
  return byKey.size === all.length ? byKey : undefined;
}

function rowKey(table: string, row: ResultRow): string {
  return `${table} ${row[0]}`;
}
