/**
 * Triggers and functions that may do something else with another number: one that the server gives to a new row, which is another
 * one in each order. By the words of their bodies: a trigger that is told such rows and names the column of the number
 * (`NEW.id`), and a statement of a body that names such a table and, of whatever table, a column of that name.
 */
import { routineSql, type Routine, type Schema } from '../../core/index.ts';

/** One of them, by its name. `numbered`: tables that get rows with such numbers. */
export function routineWithNumbers({ routines = [], tables }: Schema, numbered: ReadonlySet<string>): string | undefined {
  const columns = new Map(
    tables.flatMap(({ name, columns: own }) => {
      const column = own.find(({ identity }) => identity === true)?.name.toLowerCase();
      return column !== undefined && numbered.has(name) ? [[name, column] as const] : [];
    }),
  );
  return routines.find((routine) => {
    const told = routine.kind === 'trigger' ? columns.get(routine.table) : undefined;
    if (told !== undefined && [routine, ...calledBy(routine, routines)].some((each) => isToldOf(told, each))) return true;
    return statementsOf(routine).some((words) =>
      [...columns].some(
        ([table, column]) =>
          words.some(({ word }) => word === table.toLowerCase()) && words.some((each) => each.word === column && !each.told),
      ),
    );
  })?.name;
}

/** With all that these call. */
function calledBy(routine: Routine, routines: readonly Routine[], met: Set<Routine> = new Set()): ReadonlySet<Routine> {
  for (const each of routines) {
    if (each.kind !== 'function' || !routine.calls.includes(each.name) || met.has(each)) continue;
    met.add(each);
    calledBy(each, routines, met);
  }
  return met;
}

function isToldOf(column: string, routine: Routine): boolean {
  return statementsOf(routine).some((words) => words.some(({ word, told }) => told && word === column));
}

interface Word {
  /** In lower case: of two names that differ in case either may be meant. */
  readonly word: string;
  /** Of the row that a trigger is told: NEW.word, OLD.word. */
  readonly told: boolean;
}

/** What stands between semicolons. Strings are words like all others: more is relied on then, never less. */
function statementsOf({ text }: Routine): readonly (readonly Word[])[] {
  return routineSql(text, (name) => ` ${name} `)
    .split(';')
    .map((statement) =>
      [...statement.matchAll(/(?:\b(new|old)["`]?\s*\.\s*["`]?)?([\p{L}\p{N}_$]+)/giu)].map(([, row, word]) => ({
        word: word!.toLowerCase(),
        told: row !== undefined,
      })),
    );
}
