/** A fixture made for one piece of work, and dropped behind it. */
import type { Program } from '../../core/program/index.ts';
import type { FamiliesPlan } from './level-plan.ts';
import { ServerRunner } from './server-runner.ts';
import type { ServerRunnerOptions } from './server-runner.ts';

/** What fails in it is told before what fails at its closing, as that is mostly the same once more. */
export async function withRunner<T>(options: ServerRunnerOptions, work: (runner: ServerRunner) => Promise<T>): Promise<T> {
  const runner = await ServerRunner.open(options);
  let done: T;
  try {
    done = await work(runner);
  } catch (error) {
    await runner.close().catch(() => undefined);
    throw error;
  }
  await runner.close();
  return done;
}

/** For one program, by sessions of its own that are asked for their level inside each transaction. */
export function inFreshFixture<T>(
  plan: FamiliesPlan,
  { fixture }: Pick<Program, 'fixture'>,
  work: (runner: ServerRunner) => Promise<T>,
): Promise<T> {
  return withRunner({ ...plan, namespace: `${plan.namespace}_fresh`, fixtures: [fixture], checkLevel: true }, work);
}
