/** Decides from the rows that a change alters, and from the locks that a look holds, whether something was noted down for the change. */
import type { NotedLock } from '../../../core/dialect/index.ts';
import type { FixtureState } from '../../../core/program/index.ts';
import type { LookDependency } from '../../../reports/index.ts';

export type AlteredTable = LookDependency['tables'][number];

/** The rows that went from a table and that came to it, as text and sorted. */
export interface TableDelta {
  readonly table: string;
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

/** Compares two states as multisets of rows. Tables without a difference are left out. */
export function deltaOf(before: FixtureState, after: FixtureState): readonly TableDelta[] {
  return Object.keys(after).flatMap((table) => {
    const come = rowsIn(after, table);
    const gone = rowsIn(before, table).filter((row) => {
      const at = come.indexOf(row);
      if (at !== -1) come.splice(at, 1);
      return at === -1;
    });
    return gone.length + come.length === 0 ? [] : [{ table, gone, come }];
  });
}

function rowsIn(state: FixtureState, table: string): string[] {
  return (state[table] ?? []).map((row) => JSON.stringify(row)).toSorted();
}

export function alteredTables(delta: readonly TableDelta[]): readonly AlteredTable[] {
  return delta.map(({ table, gone, come }) => ({ table, rows: come.length === 0 ? 'gone' : gone.length === 0 ? 'new' : 'other' }));
}

/** The kinds of locks that another session's change may conflict with. A row may leave one gap and enter another. */
const COVERING: Readonly<Record<AlteredTable['rows'], ReadonlySet<NotedLock['kind']>>> = {
  gone: new Set(['table', 'page', 'row', 'row and gap']),
  new: new Set(['table', 'page', 'gap', 'row and gap']),
  other: new Set(['table', 'page', 'row', 'gap', 'row and gap']),
};

/**
 * True if some table that the change alters has a lock of a kind that may conflict with it. This is generous: which row,
 * gap or index entry is locked is not compared. So a look without such a lock surely noted down too little.
 */
export function isCovered(tables: readonly AlteredTable[], locks: readonly NotedLock[]): boolean {
  return tables.some(({ table, rows }) => locks.some((lock) => lock.table === table && COVERING[rows].has(lock.kind)));
}
