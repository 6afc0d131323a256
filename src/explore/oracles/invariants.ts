/**
 * What must hold of the rows. An outcome that some serial order explains leaves rows that this order leaves, so only the
 * others are asked about; and nothing is said of them where the transactions break the condition one after the other, on
 * the first rows or after any of them in any order: then it is no invariant of theirs.
 */
import { firstState } from '../../../core/index.ts';
import type { Program, FixtureState } from '../../../core/index.ts';
import type { Alone } from '../alone.ts';
import type { Arena, Broken } from '../arena.ts';
import { stateKey } from '../outcome.ts';
import { permutations } from '../../../core/index.ts';

/** An invariant that the transactions break with nobody beside them. */
export interface OwnBreak {
  readonly invariant: string;
  /** Sessions, the last one being who broke it; none: the first rows do. */
  readonly order: readonly number[];
}

export interface Invariants {
  readonly own: readonly OwnBreak[];
  /** Names of those that hold of every serial order and not of this state; where the server could not say it of an order, it is none. */
  broken(state: FixtureState): Promise<readonly string[]>;
  /** Invariant -> why the server could not say. */
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
