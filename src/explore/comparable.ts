/**
 * What can be compared of a program's outcomes. Numbers that the server gives are left out where nothing else hangs on them;
 * what results prove nothing of (replay/not-comparable.ts) is not compared at all.
 */
import { firstState } from '../../core/index.ts';
import type { Fixture, Program, ProgramStep } from '../../core/index.ts';
import { NumberUse } from '../../schema-gen/index.ts';
import { NUMBERED, answersOpenly, numberedTables, takesNumbers } from '../reproduce/not-comparable.ts';
import { routineWithNumbers } from '../reproduce/numbers-in-routines.ts';
import { caseOf } from './program-case.ts';

/** Half a sentence that goes on after "as"; undefined: its outcomes are compared. */
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

/** The name of a number that the server gave: where it goes from there is not followed. */
function readNumber({ statement: { into = [] }, numbers = [] }: ProgramStep): string | undefined {
  return numbers.map(({ place }) => into[place]).find((name) => name !== undefined);
}

/** It takes numbers from the server: it is run on the fixture `withNewNumbers`. */
export function takesNewNumbers(program: Program): boolean {
  return takesNumbers(caseOf(program));
}

/** A number names no row that is to be found again in another run. */
export function withNewNumbers(fixture: Fixture): Fixture {
  const rowNames = Object.fromEntries(
    Object.entries(fixture.rowNames ?? {}).map(([table, places]) => {
      const columns = fixture.tables.find(({ name }) => name === table)!.columns;
      return [table, places.some((place) => columns[place]!.identity) ? [] : places];
    }),
  );
  return { ...fixture, rowNames, newNumbers: true };
}
