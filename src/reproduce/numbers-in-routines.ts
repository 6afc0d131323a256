/**
 * Finds triggers and functions that may depend on the number that the server gives to a new row, which differs in each
 * order. They are found by the words of their bodies. A trigger on such rows may name the column of the number
 * (`NEW.id`). A statement of a body may name such a table and, for any table, a column of that name.
 */
import { routineSql, type Routine, type Schema } from '../../core/index.ts';

/** Returns the name of one of them. `numbered`: tables that get rows with such numbers. */
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

/** Adds all routines that these call. */
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
  /** In lower case, because either of two names that differ in case may be meant. */
  readonly word: string;
  /** True if the word is a column of a trigger's row: NEW.word, OLD.word. */
  readonly told: boolean;
}

/** Splits a body at semicolons. Strings count as words, so more dependencies are found than exist, never fewer. */
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
