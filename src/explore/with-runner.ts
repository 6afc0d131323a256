/** Makes a fixture for one piece of work, and drops it afterwards. */
import type { Program } from '../../core/program/index.ts';
import type { FamiliesPlan } from './level-plan.ts';
import { ServerRunner } from './server-runner.ts';
import type { ServerRunnerOptions } from './server-runner.ts';

/** If the work and the closing both fail, it throws the error of the work. The other is mostly the same error again. */
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

/** Works on a fresh fixture of one program. Its own sessions check their level inside each transaction. */
export function inFreshFixture<T>(
  plan: FamiliesPlan,
  { fixture }: Pick<Program, 'fixture'>,
  work: (runner: ServerRunner) => Promise<T>,
): Promise<T> {
  return withRunner({ ...plan, namespace: `${plan.namespace}_fresh`, fixtures: [fixture], checkLevel: true }, work);
}
