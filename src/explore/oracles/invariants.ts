/**
 * Checks invariants of the final rows. An outcome that some serial order explains leaves that order's rows, so only the
 * others are checked. If the transactions break an invariant serially, in any order or on the first rows, the invariant
 * is wrong and there is no verdict.
 */
import { firstState } from '../../../core/index.ts';
import type { Program, FixtureState } from '../../../core/index.ts';
import type { Alone } from '../alone.ts';
import type { Arena, Broken } from '../arena.ts';
import { stateKey } from '../outcome.ts';
import { permutations } from '../../../core/index.ts';

/** An invariant that the transactions break without concurrency. */
export interface OwnBreak {
  readonly invariant: string;
  /** The sessions in order; the last one broke it. Empty: the first rows do. */
  readonly order: readonly number[];
}

export interface Invariants {
  readonly own: readonly OwnBreak[];
  /**
   * Returns the names of invariants that every serial order keeps and this state breaks. If the server could not answer
   * for an order, the invariant is not among them.
   */
  broken(state: FixtureState): Promise<readonly string[]>;
  /** The reason why the server could not answer for an invariant. */
  readonly failed: ReadonlyMap<string, string>;
}

export async function invariantsOf(arena: Arena, program: Program, alone: Alone): Promise<Invariants> {
  const known = new Map<string, readonly Broken[]>();
  const failed = new Map<string, string>();
  const ask = async (state: FixtureState): Promise<readonly string[]> => {
    const key = stateKey(state);
    const broken = known.get(key) ?? (await arena.broken?.(state)) ?? [];
    known.set(key, broken);
    for (const { name, failed: why } of broken) if (why !== undefined) failed.set(name, why);
    return broken.flatMap((each) => (each.failed === undefined ? [each.name] : []));
  };
  const own = await ownBreaks(program, alone, ask);
  const unsure = new Set(failed.keys());
  const kept = (name: string): boolean => !unsure.has(name) && !own.some(({ invariant }) => invariant === name);
  return { own, failed, broken: async (state) => (await ask(state)).filter(kept) };
}

async function ownBreaks(
  { fixture, transactions }: Program,
  alone: Alone,
  ask: (state: FixtureState) => Promise<readonly string[]>,
): Promise<readonly OwnBreak[]> {
  const own = new Map<string, OwnBreak>();
  const note = async (state: FixtureState, order: readonly number[]): Promise<void> => {
    for (const invariant of await ask(state)) if (!own.has(invariant)) own.set(invariant, { invariant, order });
  };
  await note(firstState(fixture), []);
  for (const order of permutations(transactions.map((_, session) => session))) {
    let state = firstState(fixture);
    for (const [at, session] of order.entries()) {
      ({ state } = await alone(session, state));
      await note(state, order.slice(0, at + 1));
    }
  }
  return [...own.values()];
}
