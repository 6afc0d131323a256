/**
 * The second part of `run --explore`: every order of small programs on the same server, by the same seed, after the
 * rounds. If it cannot run, the report of the rounds says so. That report is written in any case.
 */
import { DatabaseError, EXIT, InternalError, UsageError } from '../../../core/index.ts';
import type { Dialect, ExploredPart, Level, Report, Shard } from '../../../core/index.ts';
import { exploredPart } from '../../../reports/index.ts';
import type { ExploreReport } from '../../../reports/index.ts';
import { serverFailure } from '../../process/server-failure.ts';
import type { Progress } from '../../process/progress.ts';
import type { FailOn } from '../../pipeline/fail-on.ts';
import { withAccepted } from '../../pipeline/known.ts';
import type { Known } from '../../pipeline/known.ts';
import { exploreTarget } from '../../explore/explore-target.ts';
import { oneEndpoint } from '../../pipeline/one-endpoint.ts';
import { exploreExit } from './explored-exit.ts';
import { exploredFiles } from '../../pipeline/explored-files.ts';
import type { Target } from '../../target/target.ts';

export { worseExit } from './run-exit.ts';

export interface ExplorePlan {
  /** The target is from `--url`, which may name several endpoints, while `explore` takes one. */
  readonly byUrl: boolean;
  readonly levels: readonly Level[];
  readonly duration: number;
  readonly seed: string;
  /** Runs every n-th program. */
  readonly shard?: Shard | undefined;
  /** A workload file whose own transactions are explored. */
  readonly file?: string;
  readonly scale?: number | undefined;
  readonly failOn: FailOn;
  readonly known: Known;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** The exploration in the run's folder beside the run's own reports. */
export interface ExploredRun {
  readonly part: ExploredPart;
  /** The whole report; absent: nothing was run. */
  readonly report?: ExploreReport;
  /** Texts by file name, for files beside the run's reports. */
  readonly files: Readonly<Record<string, string>>;
  readonly exit: number;
}

const PAGE = 'explore.html';

export async function exploredAfter({ endedEarly }: Report, target: Target, plan: ExplorePlan): Promise<ExploredRun> {
  if (plan.signal.aborted) return notRun('interrupted before it began', EXIT.interrupted);
  if (endedEarly !== undefined) return notRun(`the rounds before it ended early: ${endedEarly}`, EXIT.failure);
  const { duration, seed, shard, file, scale, signal, progress } = plan;
  const levels = plan.levels.length > 0 ? plan.levels : [strongest(target.dialect)];
  progress.note(`anomalist: the rounds are over; every order of small programs at ${levels.join(', ')} for ${duration / 1000} s`);
  try {
    const explored = await exploreTarget(
      await oneEndpoint(target, plan.byUrl),
      { level: levels, duration, orders: 'pruned', shard, ...(file !== undefined && { file, scale }) },
      { seed, progress, signal },
    );
    const report = withAccepted(explored, plan.known);
    if (report.levels.length === 0) return notRun('interrupted before it began', EXIT.interrupted);
    const files = exploredFiles(report, 'explore');
    return { part: exploredPart(report, PAGE), report, files, exit: exploreExit(report, plan.failOn, plan.known) };
  } catch (error) {
    const known = error instanceof UsageError || error instanceof DatabaseError || error instanceof InternalError;
    const why = known
      ? error
      : (serverFailure(target.dialect, error) ?? new InternalError(error instanceof Error ? error.message : String(error)));
    progress.note(`anomalist: the small programs were not run: ${why.message}`);
    return notRun(why.message, EXIT.failure);
  }
}

function notRun(cutShort: string, exit: number): ExploredRun {
  return { part: { levels: [], cutShort }, files: {}, exit };
}

/** Returns SERIALIZABLE, where every outcome must be serial, or the strongest level of a server without it. */
function strongest({ levels }: Dialect): Level {
  const offered = levels.filter(({ aliasOf, offByDefault }) => aliasOf === undefined && offByDefault !== true);
  return (offered.find(({ level }) => level === 'serializable') ?? offered.at(-1)!).level;
}
