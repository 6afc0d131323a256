/** Runs a slice as one command does, by the same code, on a target that stays open from slice to slice. */
import { UsageError } from '../../../core/index.ts';
import type { Dialect } from '../../../core/index.ts';
import { DIALECTS, lookUpServer } from '../../../dialects/index.ts';
import { storedReport } from '../../../reports/index.ts';
import { ofRelease } from '../../target/target.ts';
import type { Target } from '../../target/target.ts';
import { runPipeline } from '../../pipeline/pipeline.ts';
import { DEFAULT_REDUCE_SECONDS } from '../../reproduce/index.ts';
import { expectWellFormed, fileWorkload } from '../../workload/file.ts';
import { DEFAULT_WORKLOAD, chosenWorkload } from '../../workload/option.ts';
import type { WorkloadOptions } from '../../workload/options.ts';
import type { Workload } from '../../judge/workload.ts';
import { expectExplorable, exploreSlice } from './explore-slice.ts';
import type { CampaignFile, RunJob } from './file.ts';
import type { SliceAround, SliceDone } from './slice-done.ts';
import type { Slice } from './slices.ts';
import { foundIn } from './store/findings.ts';

export async function runSlice(file: CampaignFile, slice: Slice, opened: Target, around: SliceAround): Promise<SliceDone> {
  const job = file.jobs[slice.job]!;
  return 'run' in job ? runRounds(file, job.run, slice, opened, around) : exploreSlice(file, job.explore, slice, opened, around);
}

/** Runs `run --round N --cases M --towards none`. */
async function runRounds(file: CampaignFile, job: RunJob, slice: Slice, opened: Target, around: SliceAround): Promise<SliceDone> {
  const target = await ofRelease(opened);
  const report = await runPipeline({
    target,
    levels: file.levels ?? [],
    mode: modeOf(job),
    workload: await workloadOf(file, job, target),
    seed: String(file.seed),
    firstRound: slice.first,
    cases: slice.count,
    ...(job.sessions !== undefined && { sessions: job.sessions }),
    ...around,
    keep: false,
    known: new Set(),
    reduceSeconds: job['reduce-seconds'] ?? DEFAULT_REDUCE_SECONDS,
  });
  const { findings, listed: _, ...rest } = report;
  return {
    result: { report: storedReport(rest), found: foundIn(report, target.dialect.name) },
    findings: findings.length,
    endedEarly: report.endedEarly,
  };
}

/** Refuses a file when the campaign is started, before a worker gets a job of it. */
export async function expectRunnable(file: CampaignFile): Promise<void> {
  const { name, targets, jobs } = file;
  const dialects: Dialect[] = [];
  for (const target of targets) {
    if (!('target' in target)) continue;
    const listing = lookUpServer(target.target);
    if (listing === undefined)
      throw new UsageError(
        `campaign ${name}: there is no server ${target.target}; expected one of those that \`anomalist servers\` lists, or \`url-from\`.`,
      );
    dialects.push(...DIALECTS.filter((each) => each.name === listing.dialect));
  }
  for (const job of jobs)
    if ('run' in job) await expectWorkload(file, job.run, dialects);
    else for (const dialect of dialects) expectExplorable(job.explore, dialect);
}

async function expectWorkload(file: CampaignFile, job: RunJob, dialects: readonly Dialect[]): Promise<void> {
  const text = textOf(file, job);
  // For a URL, the DBMS whose grammar will read the file is not known yet.
  if (text === undefined) rowOf(job);
  else expectWellFormed(job.workload!, text, job.scale);
  for (const dialect of dialects) await workloadOf(file, job, { dialect });
}

async function workloadOf(
  file: CampaignFile,
  job: RunJob,
  { dialect, mostSessions }: Pick<Target, 'dialect' | 'mostSessions'>,
): Promise<Workload> {
  const words = { ...wordsOf(job), mostSessions };
  const text = textOf(file, job);
  return text === undefined ? rowOf(job).make(words, dialect) : fileWorkload(job.workload!, words, dialect, text);
}

/** Returns the text of a file that is not shipped. */
function textOf({ files = {} }: CampaignFile, { workload = '' }: RunJob): string | undefined {
  return Object.hasOwn(files, workload) ? files[workload] : undefined;
}

function rowOf(job: RunJob): ReturnType<typeof chosenWorkload> {
  return chosenWorkload(job.workload ?? DEFAULT_WORKLOAD, wordsOf(job));
}

function modeOf({ mode }: RunJob): 'stress' | 'schedule' {
  return mode ?? 'stress';
}

function wordsOf(job: RunJob): WorkloadOptions {
  const { sessions, transactions, scale } = job;
  return { mode: modeOf(job), sessions, transactions, scale };
}
