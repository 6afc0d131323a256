/** A fixture made for one piece of work, and dropped behind it. */
import type { Program } from '../../core/index.ts';
import type { FamiliesPlan } from './level-plan.ts';
import { ServerArena } from './server-arena.ts';
import type { ServerArenaOptions } from './server-arena.ts';

/** What fails in it is told before what fails at its closing, as that is mostly the same once more. */
export async function inArena<T>(options: ServerArenaOptions, work: (arena: ServerArena) => Promise<T>): Promise<T> {
  const arena = await ServerArena.open(options);
  let done: T;
  try {
    done = await work(arena);
  } catch (error) {
    await arena.close().catch(() => undefined);
    throw error;
  }
  await arena.close();
  return done;
}

/** For one program, by sessions of its own that are asked for their level inside each transaction. */
export function inFreshFixture<T>(
  plan: FamiliesPlan,
  { fixture }: Pick<Program, 'fixture'>,
  work: (arena: ServerArena) => Promise<T>,
): Promise<T> {
  return inArena({ ...plan, namespace: `${plan.namespace}_fresh`, fixtures: [fixture], checkLevel: true }, work);
}
