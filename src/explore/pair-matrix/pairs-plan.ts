/** Decides what an exploration does with the pair matrix: it is the first part of it, all of it, one pair, or left out. */
import type { Judgement, Level } from '../../../core/level/index.ts';
import type { Anomaly } from '../../../core/verdict/index.ts';
import { PAIR_PHENOMENA, createRandom } from '../../../schema-gen/index.ts';
import type { Catalogue, PairPhenomenon } from '../../../schema-gen/index.ts';
import type { Progress } from '../../process/progress.ts';
import { NO_ANOMALY } from '../difference.ts';
import type { ExploreChoice } from '../explore-choice.ts';
import type { Source } from '../source.ts';
import type { PairsPlan } from './pair-work.ts';

/** The largest part of an exploration's time that the matrix takes. Programs need the rest. */
const SHARE = 1 / 2;

type Choice = Pick<
  ExploreChoice,
  'file' | 'catalogue' | 'only' | 'programs' | 'program' | 'shard' | 'orders' | 'pairs' | 'pair' | 'duration' | 'rendezvous'
>;

/** True for an exploration by time of the whole catalogue, and where the matrix was asked for. */
function hasPairs({ file, catalogue, only, programs, program, shard, orders, pairs, pair, rendezvous }: Choice): boolean {
  if (pairs === true) return true;
  const cut = file ?? only ?? programs ?? program ?? pair ?? shard;
  return cut === undefined && catalogue !== 'ddl' && orders === 'pruned' && rendezvous !== true;
}

/** Returns the milliseconds that the matrix may take. Infinite: it is the whole exploration, without a limit. */
function pairsBudget({ pairs, duration }: Choice, budget: number): number {
  if (pairs !== true) return budget * SHARE;
  return duration === undefined ? Infinity : budget;
}

export interface PairsMade {
  readonly catalogue: Catalogue;
  readonly seed: string;
  /** Milliseconds of the level. */
  readonly budget: number;
  /** Milliseconds since the first program or pair. */
  readonly since: () => number;
  readonly judge: (anomaly: Anomaly) => Judgement;
  readonly level: Level;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Undefined: the exploration leaves the matrix out. */
export function pairsPlan(
  choice: Choice,
  { catalogue, seed, budget, since, judge, level, progress, signal }: PairsMade,
): PairsPlan | undefined {
  if (!hasPairs(choice)) return undefined;
  return {
    matrix: catalogue.pairMatrix(),
    sought: PAIR_PHENOMENA.filter((phenomenon) => isRuledOut(phenomenon, judge)),
    serially: choice.orders === 'serial',
    random: createRandom(seed).fork('pairs'),
    enough: () => signal.aborted || since() >= pairsBudget(choice, budget),
    heard: ({ run, of, whole }) =>
      progress.tick(() => [`${run} of ${whole ? '' : 'at least '}${of} pairs of the matrix`, level], {
        kind: 'pairs',
        level,
        pairs: run,
        of,
      }),
  };
}

/** A phenomenon that the vendor allows in every form would only show what is documented. */
function isRuledOut({ classes }: PairPhenomenon, judge: PairsMade['judge']): boolean {
  return classes.some((each) => judge({ ...NO_ANOMALY, class: each }).verdict !== 'documented');
}

/** Returns a source without programs, for an exploration of the matrix alone. */
export function withoutPrograms(catalogue: Catalogue): Source {
  return { ...named(catalogue), allFixtures: [], next: () => undefined };
}

/** Returns a source of one pair of the matrix. */
export function onlyPair(catalogue: Catalogue, number: number): Source {
  const matrix = catalogue.pairMatrix();
  const { place, phenomenon } = matrix.numbered(number);
  const program = matrix.program(place, phenomenon);
  const left = [program];
  return { ...named(catalogue), allFixtures: [program.fixture], next: () => left.pop() };
}

function named(catalogue: Catalogue): Pick<Source, 'coverage' | 'nameOf'> {
  return { coverage: () => ({ pairs: 0, covered: 0 }), nameOf: (each) => catalogue.nameOf(each) };
}
