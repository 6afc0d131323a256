/**
 * Decides which outcomes of a program can be compared. Numbers that the server gives are omitted from the comparison if
 * nothing else depends on them. Results that prove nothing (reproduce/not-comparable.ts) are not compared at all.
 */
import { firstState } from '../../core/index.ts';
import type { Fixture, Program, ProgramStep } from '../../core/index.ts';
import { NumberUse } from '../../schema-gen/index.ts';
import { NUMBERED, answersOpenly, numberedTables, takesNumbers } from '../reproduce/not-comparable.ts';
import { routineWithNumbers } from '../reproduce/numbers-in-routines.ts';
import { caseOf } from './program-case.ts';

/** Returns the reason, half a sentence that goes on after "as"; undefined: its outcomes are compared. */
export function whyNotCompared(program: Program): string | undefined {
  const { fixture } = program;
  const asCase = caseOf(program);
  const use = new NumberUse(fixture, firstState(fixture));
  const steps = program.transactions.flatMap(({ steps: own }) => own);
  const reliedOn = takesNumbers(asCase)
    ? (steps.map(({ statement }) => use.reliedOn(statement)).find((each) => each !== undefined) ??
      routineWithNumbers(fixture, numberedTables(asCase)))
    : undefined;
  if (reliedOn !== undefined) return `${NUMBERED}, and what a statement does hangs on ${reliedOn}`;
  const read = takesNumbers(asCase) ? steps.map(readNumber).find((each) => each !== undefined) : undefined;
  return read === undefined ? answersOpenly(asCase) : `${NUMBERED}, and one of these is read into :${read}`;
}

/** Returns the name into which a number of the server was read. The further use of the name is not followed. */
function readNumber({ statement: { into = [] }, numbers = [] }: ProgramStep): string | undefined {
  return numbers.map(({ place }) => into[place]).find((name) => name !== undefined);
}

/** True if the program takes numbers from the server. Its fixture is then made by `withNewNumbers`. */
export function takesNewNumbers(program: Program): boolean {
  return takesNumbers(caseOf(program));
}

/** A number of the server cannot name the same row in another run. */
export function withNewNumbers(fixture: Fixture): Fixture {
  const rowNames = Object.fromEntries(
    Object.entries(fixture.rowNames ?? {}).map(([table, places]) => {
      const columns = fixture.tables.find(({ name }) => name === table)!.columns;
      return [table, places.some((place) => columns[place]!.identity) ? [] : places];
    }),
  );
  return { ...fixture, rowNames, newNumbers: true };
}
