/**
 * The possible columns of a row version that a foreign key's action may have changed without an entry in the list. They
 * are the columns as its own write left them, and every state that the actions of touched rows lead to from there
 * (untracked-actions.ts). There are few: NULL, the default, and the other keys of the parent row. A condition with the
 * same answer for all of them is certain, whichever state the statement met.
 */
import { loosely, userColumnsOf } from '../../core/index.ts';
import type { Column, ForeignKey, Schema, Table, Value } from '../../core/index.ts';
import { valueOfText } from './images.ts';
import type { VersionImage } from './images.ts';
import { isUntracked } from './untracked-actions.ts';
import type { Touched } from './untracked-actions.ts';

/** Largest number of states of one version. With more, nothing is concluded. */
const MOST_STATES = 8;

/** Returns the states of a version, the one as written first; undefined if it may have had other states too. */
export type StatesOf = (table: string, version: VersionImage) => readonly (readonly Value[])[] | undefined;

export function untrackedStates(schema: Schema, touched: Touched): StatesOf {
  const byName = new Map(schema.tables.map((table) => [table.name, table]));
  return (name, { txn, seq, values, altered, later, unwritten }) => {
    const table = byName.get(name)!;
    const since = touched.writtenAt(txn, seq);
    if (unwritten === true) return table.foreignKeys.some((key) => mayHavePut(table, key, values, touched)) ? undefined : [values];
    if (altered === true && later === undefined) return undefined;
    const states = [values];
    const known = new Set([JSON.stringify(values)]);
    for (const state of states) {
      const after = statesAfter(byName, table, state, touched, since);
      if (after === undefined) return undefined;
      for (const each of after) {
        if (known.has(JSON.stringify(each))) continue;
        known.add(JSON.stringify(each));
        states.push(each);
      }
      if (states.length > MOST_STATES) return undefined;
    }
    return later === undefined || known.has(JSON.stringify(later)) ? states : undefined;
  };
}

/** Tells whether the key's action may have put the version's values. */
function mayHavePut(table: Table, key: ForeignKey, values: readonly Value[], touched: Touched): boolean {
  if (!isUntracked(key)) return false;
  const users = userColumnsOf(table);
  const actions = new Set([key.onDelete, key.onUpdate]);
  const held = key.columns.map((name) => {
    const c = users.findIndex((column) => column.name === name);
    return { value: values[c] ?? null, byDefault: users[c]!.default ?? null };
  });
  return (
    (actions.has('set null') && held.every(({ value }) => value === null)) ||
    (actions.has('set default') && held.every(({ value, byDefault }) => value === null || loosely(value) === loosely(byDefault ?? ''))) ||
    (key.onUpdate === 'cascade' && held.every(({ value }) => value !== null) && touched.renamedTo(table, key, values))
  );
}

/** Returns the states after one action; undefined if the values that it put are unknown. */
function statesAfter(
  byName: ReadonlyMap<string, Table>,
  table: Table,
  state: readonly Value[],
  touched: Touched,
  since: number,
): readonly (readonly Value[])[] | undefined {
  const users = userColumnsOf(table);
  const after: (readonly Value[])[] = [];
  for (const key of table.foreignKeys) {
    const { deleted, renamed } = touched.parentKeyChange(table, key, state, since);
    const columns = key.columns.map((column) => users.findIndex(({ name }) => name === column));
    if (columns.some((c) => state[c] === null)) continue; // The row refers to nothing.
    const put = (given: (column: Column, i: number) => Value): void => {
      after.push(state.map((value, c) => (columns.includes(c) ? given(users[c]!, columns.indexOf(c)) : value)));
    };
    const actions = new Set([...(deleted ? [key.onDelete] : []), ...(renamed ? [key.onUpdate] : [])]);
    if (actions.has('set null')) put(() => null);
    if (actions.has('set default')) put((column) => column.default ?? null);
    if (!renamed || key.onUpdate !== 'cascade') continue;
    const keys = isSameType(byName.get(key.table), key, users) ? touched.keysOf(table, key, state) : undefined;
    if (keys === undefined) return undefined;
    for (const each of keys) put((column, i) => valueOfText(column.type, each[i] ?? null));
  }
  return after;
}

/** True if the two columns have one type, so that CASCADE copies a value unchanged. */
function isSameType(parent: Table | undefined, { columns, references }: ForeignKey, users: readonly Column[]): boolean {
  const typeOf = (of: readonly Column[], column: string): string => JSON.stringify(of.find(({ name }) => name === column)?.type);
  return parent !== undefined && columns.every((column, i) => typeOf(users, column) === typeOf(parent.columns, references[i]!));
}
