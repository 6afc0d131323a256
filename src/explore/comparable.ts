/**
 * Decides which outcomes of a program can be compared. Numbers that the server gives are omitted from the comparison if
 * nothing else depends on them. Results that prove nothing (reproduce/not-comparable.ts) are not compared at all.
 */
import { firstState } from '../../core/program/index.ts';
import type { Fixture, Program, ProgramStep } from '../../core/program/index.ts';
import type { NotCompared, NumberUser } from '../../core/verdict/index.ts';
import { NumberUse } from '../../schema-gen/index.ts';
import { answersOpenly, numberedTables, takesNumbers } from '../reproduce/not-comparable.ts';
import { routineWithNumbers } from '../reproduce/numbers-in-routines.ts';
import { caseOf } from './program-case.ts';

/** Returns the reason; undefined: its outcomes are compared. */
export function whyNotCompared(program: Program): NotCompared | undefined {
  const asCase = caseOf(program);
  if (!takesNumbers(asCase)) return answersOpenly(asCase);
  const by = numberUser(program, numberedTables(asCase));
  if (by !== undefined) return { code: 'number-used', by };
  const name = program.transactions
    .flatMap(({ steps }) => steps)
    .map(readNumber)
    .find((each) => each !== undefined);
  return name === undefined ? answersOpenly(asCase) : { code: 'number-read', name };
}

function numberUser({ fixture, transactions }: Program, numbered: ReadonlySet<string>): NumberUser | undefined {
  const use = new NumberUse(fixture, firstState(fixture));
  const used = transactions
    .flatMap(({ steps }) => steps.map(({ statement }) => use.reliedOn(statement)))
    .find((each) => each !== undefined);
  if (used !== undefined) return used;
  const routine = routineWithNumbers(fixture, numbered);
  return routine === undefined ? undefined : { kind: 'routine', name: routine };
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
