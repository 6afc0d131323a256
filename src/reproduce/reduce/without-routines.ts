/** Yields schemas without the file's triggers and functions: all at once, then one by one, each with its callers. */
import type { Routine, TestCase } from '../../../core/index.ts';

export function* withoutRoutines(current: TestCase): Generator<TestCase> {
  const { routines = [], ...schema } = current.schema;
  if (routines.length === 0) return;
  yield { ...current, schema };
  for (const each of routines) {
    const gone = withCallers(each, routines);
    yield { ...current, schema: { ...schema, routines: routines.filter((routine) => !gone.has(routine)) } };
  }
}

function withCallers(first: Routine, routines: readonly Routine[]): ReadonlySet<Routine> {
  const gone = new Set([first]);
  for (const each of gone)
    if (each.kind === 'function') for (const routine of routines) if (routine.calls.includes(each.name)) gone.add(routine);
  return gone;
}
