/** A slice, done as `run --round N --cases M` does it, on a target that is kept open from slice to slice. */
import { UsageError } from '../../core/index.ts';
import type { Report } from '../../core/index.ts';
import { lookUpServer } from '../../dialects/index.ts';
import { ofRelease } from '../commands/target.ts';
import type { Target } from '../commands/target.ts';
import { runPipeline } from '../pipeline.ts';
import { DEFAULT_REDUCE_SECONDS } from '../replay/index.ts';
import type { Progress } from '../terminal/progress.ts';
import { chosenWorkload } from '../workload/option.ts';
import type { CampaignFile, RunJob } from './file.ts';
import type { Slice } from './slices.ts';

export async function runSlice(
  file: CampaignFile,
  slice: Slice,
  opened: Target,
  { progress, signal, runId }: { readonly progress: Progress; readonly signal: AbortSignal; readonly runId: string },
): Promise<Report> {
  const job = file.jobs[slice.job]!.run;
  const target = await ofRelease(opened);
  const mode = job.mode ?? 'stress';
  const workload = await workloadRow(job).make({ ...wordsOf(job), mode, mostSessions: target.mostSessions }, target.dialect);
  return runPipeline({
    target,
    levels: file.levels ?? [],
    mode,
    workload,
    seed: String(file.seed),
    firstRound: slice.firstRound,
    cases: slice.rounds,
    ...(job.sessions !== undefined && { sessions: job.sessions }),
    runId,
    keep: false,
    known: new Set(),
    reduceSeconds: job['reduce-seconds'] ?? DEFAULT_REDUCE_SECONDS,
    signal,
    progress,
  });
}

/** Refused when the campaign is started, before it is anybody's job. */
export function expectRunnable({ name, targets, jobs }: CampaignFile): void {
  for (const target of targets)
    if ('target' in target && lookUpServer(target.target) === undefined)
      throw new UsageError(
        `campaign ${name}: there is no server ${target.target}; expected one of those that \`anomalist servers\` lists, or \`url-from\`.`,
      );
  for (const { run } of jobs)
    if (workloadRow(run).isFile === true)
      throw new UsageError(
        `campaign ${name}: workload ${run.workload}: a file lies on one machine; expected the name of a workload that is generated.`,
      );
}

function workloadRow(job: RunJob): ReturnType<typeof chosenWorkload> {
  return chosenWorkload(job.workload ?? 'relational', wordsOf(job));
}

function wordsOf({ mode, sessions }: RunJob): Parameters<typeof chosenWorkload>[1] {
  return { mode: mode ?? 'stress', ...(sessions !== undefined && { sessions }) };
}
