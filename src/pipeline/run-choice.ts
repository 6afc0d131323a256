/** Turns a request for a run, by the command line or the library, into a plan. A request that cannot be met is refused. */
import { UsageError } from '../../core/base/index.ts';
import { MIXED } from '../../core/level/index.ts';
import type { Shard } from '../../core/base/index.ts';
import type { InstrumentMode } from '../../core/dialect/index.ts';
import { DEFAULT_REDUCE_SECONDS } from '../reproduce/index.ts';
import type { Target } from '../target/target.ts';
import type { RunLevel } from '../target/parse-options.ts';
import { MIXING } from '../workload/option.ts';
import type { WorkloadRow } from '../workload/option.ts';
import { towardsOption } from '../workload/towards.ts';
import type { Workload } from '../judge/workload.ts';
import type { RunPlan } from './plan.ts';

/** A run that small programs follow gets half the time, so that both and the replays between them take about a minute. */
const DEFAULT_DURATION_MS = { alone: 60_000, explored: 30_000 } as const;

/** The fields are named like the options of the command line. */
export interface RunChoice {
  readonly level?: readonly RunLevel[] | undefined;
  readonly mode: 'stress' | 'schedule';
  readonly instrument?: InstrumentMode | undefined;
  readonly sessions?: number | undefined;
  /** All levels together get this budget, in milliseconds. */
  readonly duration?: number | undefined;
  readonly cases?: number | undefined;
  readonly explore?: number | undefined;
  readonly round: number;
  readonly shard?: Shard | undefined;
  readonly towards?: string | undefined;
  readonly reduceSeconds?: number | undefined;
  readonly keep: boolean;
}

export type RunAround = Pick<RunPlan, 'seed' | 'known' | 'signal' | 'progress' | 'progressFile'>;

/** Returns the plan without the run's name. That may name a folder, and a refused request must not leave one behind. */
export function planOf(target: Target, workload: Workload, choice: RunChoice, around: RunAround): Omit<RunPlan, 'runId'> {
  const { shard, sessions, cases, explore } = choice;
  const towards = towardsOption(shard === undefined ? choice.towards : (choice.towards ?? 'none'), workload);
  return {
    target,
    ...levelsOf(choice),
    mode: choice.mode,
    workload,
    firstRound: choice.round,
    ...(shard && { shard }),
    ...(towards !== undefined && { towards }),
    ...(sessions !== undefined && { sessions }),
    ...(cases === undefined ? { durationMs: choice.duration ?? defaultDuration(choice) } : { cases }),
    ...(explore !== undefined && { exploreMs: explore }),
    keep: choice.keep,
    reduceSeconds: choice.reduceSeconds ?? DEFAULT_REDUCE_SECONDS,
    ...around,
  };
}

/** Throws UsageError before anything is started. */
export function expectRunnable(choice: RunChoice, workload: Pick<WorkloadRow, 'name' | 'mixes'>): void {
  expectMixable(choice, workload);
  expectObserved(choice);
}

function levelsOf({ level = [] }: RunChoice): Pick<RunPlan, 'levels' | 'mixed'> {
  const levels = level.filter((each) => each !== MIXED);
  return levels.length < level.length ? { levels, mixed: true } : { levels };
}

function expectMixable({ level = [], explore }: RunChoice, { name, mixes }: Pick<WorkloadRow, 'name' | 'mixes'>): void {
  if (!level.includes(MIXED)) return;
  if (level.length > 1)
    throw new UsageError(`--level ${MIXED} draws each transaction's level by itself; expected no other --level beside it.`);
  if (mixes !== true)
    throw new UsageError(
      `--level ${MIXED}: what transactions of different levels are held to is known of registers alone, not of --workload ${name}; expected ${MIXING.join(', ')}.`,
    );
  if (explore !== undefined)
    throw new UsageError(`--level ${MIXED}: small programs are explored at one level each; leave out --explore, or name levels.`);
}

/** Refuses the options that an uninstrumented run of random SQL cannot obey. */
function expectObserved({ instrument, explore, keep, towards }: RunChoice): void {
  if (instrument !== 'none') return;
  if (explore !== undefined)
    throw new UsageError(
      '--instrument none judges its rounds as --explore does its programs; expected one of them: anomalist explore runs these alone.',
    );
  if (keep)
    throw new UsageError(
      '--keep: the fixtures of --instrument none are reset before each run, so nothing is left in them to be looked at; leave out one of the two.',
    );
  if (towards !== undefined)
    throw new UsageError(
      '--towards: which forms met in a conflict is told by what --instrument exact observes; leave it out with --instrument none.',
    );
}

function defaultDuration({ explore }: RunChoice): number {
  return explore === undefined ? DEFAULT_DURATION_MS.alone : DEFAULT_DURATION_MS.explored;
}
