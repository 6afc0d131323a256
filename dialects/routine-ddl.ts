/** CREATE FUNCTION and CREATE TRIGGER of a user's file: its own text, with the namespace before the names that need it. */
import { routineSql, type Routine } from '../core/sql/index.ts';
import type { SetupStatement } from '../core/dialect/index.ts';

/** `tailOf` returns the text behind the user's own text. */
export function routineStatements(
  routines: readonly Routine[] = [],
  nameOf: (name: string) => string,
  tailOf: (routine: Routine) => string = () => '',
): readonly SetupStatement[] {
  return routines.map((routine) => ({
    sql: routineSql(routine.text, nameOf) + tailOf(routine),
    makes: 'routine',
    // A trigger goes with its table.
    ...(routine.kind === 'function' && { name: nameOf(routine.name) }),
  }));
}
