/**
 * Makes a finding's program smaller by delta debugging (src/reproduce/reduce). Each candidate runs in a new fixture, in
 * the remaining order, and is kept if it shows the same finding. It is used for randomly drawn programs; those of the
 * catalogue are small already.
 */
import type { Program, TestCase } from '../../core/index.ts';
import { caseFixture, programOf } from '../../schema-gen/index.ts';
import { reduceCase, stepsOf, transactionsOf } from '../reproduce/reduce/index.ts';
import { KeptConnections } from '../execute/index.ts';
import { serverFailure } from '../process/server-failure.ts';
import type { Arena } from './arena.ts';
import { takesNewNumbers, whyNotCompared, withNewNumbers } from './comparable.ts';
import { inFreshFixture } from './in-arena.ts';
import type { FamiliesPlan } from './level-plan.ts';
import { caseOf } from './program-case.ts';

/** A program, and the sessions in the order in which they step. */
export interface Example {
  readonly program: Program;
  readonly choices: readonly number[];
}

/** Asks whether the example shows the finding, in a fixture of its own. */
export type Shows = (arena: Arena, example: Example) => Promise<boolean>;

/** Undefined: nothing could be removed within the time. */
export async function smaller(plan: FamiliesPlan, { program, choices }: Example, ms: number, shows: Shows): Promise<Example | undefined> {
  const end = performance.now() + ms;
  // Each candidate needs the same connections, and opening them takes longer than the rest of it.
  const kept = new KeptConnections(plan.dialect);
  const own = { ...plan, dialect: kept.dialect };
  let best: Example | undefined;
  try {
    await reduceCase(caseOf(program, { choices }), {
      now: () => performance.now(),
      over: () => plan.signal.aborted || performance.now() > end,
      shows: async (candidate) => {
        const shown = await shownBy(own, candidate, program, shows);
        if (shown !== undefined) best = shown;
        return shown !== undefined;
      },
    });
    return best;
  } finally {
    await kept.close();
  }
}

/** A candidate that the server refuses shows nothing. Nor does one if the server is gone, which the next caller will notice. */
async function shownBy(plan: FamiliesPlan, candidate: TestCase, like: Program, shows: Shows): Promise<Example | undefined> {
  const { schema } = candidate;
  const fixture = caseFixture(like.fixture.name, schema, like.fixture.byIndex);
  const choices = stepsOf(candidate).flatMap(({ session, part }) => (part === 'begin' ? [] : [session]));
  try {
    return await inFreshFixture(plan, { fixture }, async (arena) => {
      await arena.load(programOf([], fixture));
      const first = { ...fixture, first: await arena.state() };
      const made = programOf(transactionsOf(candidate), first, like);
      if (whyNotCompared(made) !== undefined) return undefined;
      const program = takesNewNumbers(made) ? { ...made, fixture: withNewNumbers(first) } : made;
      return (await shows(arena, { program, choices })) ? { program, choices } : undefined;
    });
  } catch (error) {
    if (serverFailure(plan.dialect, error) === undefined) throw error;
    return undefined;
  }
}
