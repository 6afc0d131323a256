/** The plan of a run: target, levels, workload and budget, and the commands that repeat it. */
import { MIXED, UsageError, shardWord } from '../../core/index.ts';
import type { DialectLevel, Level, Shard } from '../../core/index.ts';
import type { Target } from '../target/target.ts';
import type { ProgressFile } from './progress-file.ts';
import type { Progress } from '../process/progress.ts';
import { mixedLevels } from '../workload/mixed-levels.ts';
import type { Form } from '../../schema-gen/index.ts';
import { towardsOf } from '../../schema-gen/index.ts';
import type { Workload } from '../judge/workload.ts';

export interface RunPlan {
  readonly target: Target;
  /** Empty: every level that the dialect offers by default. */
  readonly levels: readonly Level[];
  /** Each transaction runs at a level of its own; `levels` is then empty. */
  readonly mixed?: true;
  readonly mode: 'stress' | 'schedule';
  readonly workload: Workload;
  readonly seed: string;
  readonly firstRound: number;
  /** Runs every n-th round from the first on. */
  readonly shard?: Shard;
  /** The forms towards which programs are drawn: some towards pairs that have not met, or each towards these forms. Absent: none. */
  readonly towards?: 'unmet' | readonly Form[];
  readonly sessions?: number;
  /** One of two budgets: rounds per level, or milliseconds over all levels together. */
  readonly cases?: number;
  readonly durationMs?: number;
  /** Milliseconds of exploring small programs after the rounds. The rounds ignore it, but it is part of the command. */
  readonly exploreMs?: number;
  readonly runId: string;
  readonly historyFile?: string;
  readonly keep: boolean;
  /** Fingerprints of findings that are not new. */
  readonly known: ReadonlySet<string>;
  /** Seconds for reproducing each finding that matters, after the rounds; 0: none is replayed. */
  readonly reduceSeconds: number;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** The file for programs that follow the run. */
  readonly progressFile?: Pick<ProgressFile, 'rounds' | 'finding'>;
}

/** Returns the weakest level alone if transactions have mixed levels. */
export function chosenLevels({ target: { dialect }, levels, mixed }: RunPlan): readonly DialectLevel[] {
  if (mixed === true) return mixedLevels(dialect).slice(0, 1);
  if (levels.length === 0) return dialect.levels.filter((level) => !level.aliasOf && !level.offByDefault);
  return levels.map((wanted) => {
    const level = dialect.levels.find((each) => each.level === wanted);
    if (!level)
      throw new UsageError(
        `--level ${wanted}: ${dialect.title} has no such level; expected one of ${dialect.levels.map((each) => each.level).join(', ')}.`,
      );
    return level;
  });
}

function commonWords(plan: RunPlan): string {
  return [
    `--seed ${plan.seed}`,
    `--mode ${plan.mode}`,
    plan.workload.words,
    plan.workload.instrument === 'paper' ? '--instrument paper' : '',
    plan.sessions === undefined ? '' : `--sessions ${plan.sessions}`,
    plan.target.words,
  ]
    .filter((word) => word !== '')
    .join(' ');
}

export function runCommandLine(plan: RunPlan): string {
  const budget = plan.cases === undefined ? `--duration ${durationWord(plan.durationMs ?? 0)}` : `--cases ${plan.cases}`;
  const levels = plan.mixed === true ? [MIXED] : plan.levels;
  const shard = plan.shard === undefined ? '' : ` --shard ${shardWord(plan.shard)}`;
  const towards = plan.workload.pairs === undefined || plan.towards === 'unmet' ? '' : ` --towards ${plan.towards?.join(',') ?? 'none'}`;
  return `anomalist run ${commonWords(plan)} ${levels.map((level) => `--level ${level} `).join('')}${plan.firstRound === 0 ? '' : `--round ${plan.firstRound} `}${budget}${towards}${plan.exploreMs === undefined ? '' : ` --explore ${durationWord(plan.exploreMs)}`}${shard}`;
}

/** Prints the duration as it was given: in hours or minutes if these are whole. */
function durationWord(ms: number): string {
  const [unit, size] = (
    [
      ['h', 3_600_000],
      ['m', 60_000],
    ] as const
  ).find(([, each]) => ms > 0 && ms % each === 0) ?? ['s', 1_000];
  return `${ms / size}${unit}`;
}

/** Returns the same command with ten times the budget. */
export function longerCommandLine(plan: RunPlan): string {
  const { cases, durationMs, exploreMs } = plan;
  return runCommandLine({
    ...plan,
    ...(cases !== undefined && { cases: LONGER * cases }),
    ...(durationMs !== undefined && { durationMs: LONGER * durationMs }),
    ...(exploreMs !== undefined && { exploreMs: LONGER * exploreMs }),
  });
}

const LONGER = 10;

/**
 * Returns the command that runs the one round at the one level again. `caseSeed`: seed of the round's case, which may
 * name the forms that it was drawn towards.
 */
export function replayCommand(plan: RunPlan, level: Level, round: number, caseSeed: string): string {
  const forms = towardsOf(caseSeed);
  return `anomalist run ${commonWords(plan)} --level ${plan.mixed === true ? MIXED : level} --round ${round}${forms === undefined ? '' : ` --towards ${forms.join(',')}`} --cases 1`;
}
