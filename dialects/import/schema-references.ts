/**
 * Foreign keys of a schema while it is read. Dumps create tables in alphabetical order. So a table may refer to a later
 * one, and its rows to later rows. Both are looked up at the end. The tables are then ordered so that each follows
 * those that it refers to.
 */
import type { ForeignKey } from '../../core/sql/index.ts';
import { inOrderOfReference } from '../schema-order.ts';
import { refuseOrphans } from './initial-rows.ts';
import { refuse } from './refuse.ts';
import { columnsOf, named, type Awaited, type Draft, type State } from './schema-draft.ts';
import { keyOf } from './schema-indexes.ts';

/** If the parent table does not exist yet, the key is kept for later. */
export function addForeignKey(key: Awaited['key'], table: Draft, state: State): void {
  const target = state.same(table.name, key.table) ? table : state.named.table(key.table);
  if (target === undefined) state.awaited.push({ table, key, faults: state.faults });
  else connect(key, table, target, state);
}

function connect(key: Awaited['key'], table: Draft, target: Draft, state: State): void {
  table.foreignKeys.push(foreignKeyOf(key, table, target, state));
  state.links.add(table, target);
}

function foreignKeyOf(key: Awaited['key'], table: Draft, target: Draft, state: State): ForeignKey {
  if (target !== table && state.links.lead(target, table))
    refuse(
      `the foreign key closes a cycle: ${target.name} refers to ${table.name} as well, so that neither table can be created first; leave one of the two foreign keys out`,
    );
  const columns = keyOf(key.columns, table, state);
  const references = key.references.length > 0 ? columnsOf(key.references, target, state) : target.primaryKey;
  if (references.length !== columns.length)
    refuse(
      `the foreign key of ${table.name} has ${columns.length} columns and refers to ${references.length || 'no primary key'} of ${target.name}`,
    );
  const sorted = (names: readonly string[]): string => [...names].sort().join('\0');
  if (![target.primaryKey, ...target.uniques].some((names) => sorted(names) === sorted(references)))
    refuse(`the foreign key of ${table.name} refers to ${target.name} (${references.join(', ')}), which is no primary key or UNIQUE`);
  const name = named(key.name, `${table.name}_fk_${table.foreignKeys.length + 1}`, 'constraint');
  if (key.deferred && !state.grammar.deferredKeys) refuse('DEFERRABLE constraints are not supported: leave it out');
  const { onDelete, onUpdate, deferred } = key;
  const made = { name, columns, table: target.name, references, onDelete, onUpdate, ...(deferred && { deferred }) };
  // Earlier rows are checked at the end.
  if (table.rows.length > 0) state.orphans.push({ key: made, table, rows: [...table.rows], faults: state.faults });
  return made;
}

/** Connects the foreign keys that waited for this table. Errors go to the faults of each key's own statement. */
export function meetAwaited(target: Draft, state: State): void {
  const { awaited, same } = state;
  for (const each of awaited.filter(({ key }) => same(key.table, target.name))) {
    awaited.splice(awaited.indexOf(each), 1);
    each.faults.collect(() => connect(each.key, each.table, target, { ...state, faults: each.faults }), each.key.place);
  }
}

/** Refuses foreign keys and rows whose parents never came. */
export function refuseAwaited(state: Omit<State, 'faults'>): void {
  const { awaited, orphans } = state;
  for (const { key, faults } of awaited)
    faults.collect(
      () =>
        refuse(
          `the foreign key refers to the table ${key.table}, which the file does not create: create it, or leave the foreign key out`,
          { code: 'no-table', name: key.table },
        ),
      key.place,
    );
  for (const orphan of orphans) orphan.faults.collect(() => refuseOrphans(orphan, { ...state, faults: orphan.faults }));
}

/** Keeps the order of the file if it is possible. */
export function inReferenceOrder(tables: readonly Draft[]): readonly Draft[] {
  const references = tables.flatMap(({ name, foreignKeys }) => foreignKeys.map((key) => [name, key.table] as const));
  const place = new Map(tables.map(({ name }, at) => [name, at]));
  if (references.every(([from, to]) => place.get(to)! <= place.get(from)!)) return tables;
  return inOrderOfReference([...place.keys()], references).map((name) => tables[place.get(name)!]!);
}
