/**
 * The effects of a user's triggers and functions beside the statement that calls them, as far as the table names in
 * their bodies show.
 */
import type { Routine } from './routine.ts';
import type { ReferentialAction, Schema } from './schema.ts';
import { writtenTables } from './statement-nature.ts';
import type { Statement } from './statement.ts';
import { contentsOf } from './walk-statement.ts';

/**
 * The tables that a write or a function call may touch beside those that its statement names, including all that it
 * triggers in turn.
 */
export interface Effects {
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
  /** Tables of `writes` that may get new rows. */
  readonly inserts: ReadonlySet<string>;
  /** Tables of `writes`, the tables that the statement itself writes, and those that foreign keys' actions reach. */
  readonly changes: ReadonlySet<string>;
}

/**
 * The effects of writing these tables and calling these functions: the tables' own triggers, and those of tables whose
 * foreign keys act on the change. Which rows change is not known, so every trigger of a table counts.
 */
export function effectsOf(
  schema: Pick<Schema, 'tables' | 'routines'>,
  written: readonly string[],
  called: readonly string[] = [],
): Effects {
  const { routines = [], tables } = schema;
  const [changed, met] = [new Set<string>(), new Set<Routine>()];
  const effects = { reads: new Set<string>(), writes: new Set<string>(), inserts: new Set<string>(), changes: changed };
  if (routines.length === 0) return effects;
  const run = (routine: Routine): void => {
    if (met.has(routine)) return;
    met.add(routine);
    for (const table of routine.reads) effects.reads.add(table);
    for (const table of routine.inserts) effects.inserts.add(table);
    for (const table of routine.writes) {
      effects.writes.add(table);
      change(table);
    }
    for (const name of routine.calls) call(name);
  };
  const call = (name: string): void => routines.filter((each) => each.kind === 'function' && each.name === name).forEach(run);
  const change = (name: string): void => {
    if (changed.has(name)) return;
    changed.add(name);
    routines.filter((each) => each.kind === 'trigger' && each.table === name).forEach(run);
    for (const { name: child, foreignKeys } of tables)
      if (foreignKeys.some((key) => key.table === name && (ACTS.has(key.onDelete) || ACTS.has(key.onUpdate)))) change(child);
  };
  for (const table of written) change(table);
  for (const name of called) call(name);
  return effects;
}

/** The effects of one statement: of the tables that it writes and the functions that it calls. */
export function effectsOfStatement(schema: Pick<Schema, 'tables' | 'routines'>, statement: Statement): Effects {
  return effectsOf(schema, writtenTables(statement), routinesCalled(statement));
}

/** The functions of the file that a statement calls directly, without those that they call in turn. */
export function routinesCalled(statement: Statement): readonly string[] {
  const names = contentsOf(statement).expressions.flatMap((each) => (each.kind === 'routine' ? [each.name] : []));
  return [...new Set(names)];
}

/**
 * Tables whose rows a routine may insert, change or remove without a statement that names them. Routines write them, or
 * foreign keys' actions reach them from there, or they have triggers, which may change a row before it is stored.
 */
export function followedTables(schema: Schema): ReadonlySet<string> {
  const { routines = [] } = schema;
  const { changes } = effectsOf(
    schema,
    routines.flatMap(({ writes }) => writes),
  );
  return new Set([...routines.flatMap((each) => (each.kind === 'trigger' ? [each.table] : [])), ...changes]);
}

const ACTS: ReadonlySet<ReferentialAction> = new Set(['cascade', 'set null', 'set default']);
