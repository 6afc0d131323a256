/**
 * Cuts a campaign into slices. Each has some rounds, or programs of an exploration, of one job on one target, and is what
 * one command does. The first slice of every job on every target comes before the second of any. Programs are in the
 * order of their catalogue, which puts uncovered pairs first. So unexplored programs come first.
 */
import { UsageError } from '../../../core/base/index.ts';
import type { CampaignFile, CampaignJob, CampaignTarget } from './file.ts';

export interface Slice {
  readonly campaign: string;
  /** The slice's target and job have these positions among the campaign's, from 0. */
  readonly target: number;
  readonly job: number;
  /** The first round or program has this position among those of the whole job. */
  readonly first: number;
  readonly count: number;
  /** The slice has this position among those of its job. */
  readonly turn: number;
}

/** More slices than this mean that slices are too small, or that the campaign needs several files. */
const MOST_SLICES = 200_000;

export function slicesOf({ name, targets, jobs }: CampaignFile): readonly Slice[] {
  const count = targets.length * jobs.reduce((sum, job) => sum + countOf(job), 0);
  if (count > MOST_SLICES)
    throw new UsageError(
      `campaign ${name}: ${count} slices; expected at most ${MOST_SLICES}: make \`slice\` larger, or several campaigns.`,
    );
  const slices = targets.flatMap((_, target) =>
    jobs.flatMap((each, job) => ofJob(each).map((slice) => ({ campaign: name, target, job, ...slice }))),
  );
  return slices.toSorted((a, b) => a.turn - b.turn);
}

function ofJob(job: CampaignJob): readonly Pick<Slice, 'first' | 'count' | 'turn'>[] {
  const { all, slice } = sizeOf(job);
  return Array.from({ length: countOf(job) }, (_, turn) => ({ turn, first: turn * slice, count: Math.min(slice, all - turn * slice) }));
}

function countOf(job: CampaignJob): number {
  const { all, slice } = sizeOf(job);
  return Math.ceil(all / slice);
}

function sizeOf(job: CampaignJob): { readonly all: number; readonly slice: number } {
  return 'run' in job ? { all: job.run.rounds, slice: job.run.slice } : { all: job.explore.programs, slice: job.explore.slice };
}

/** Prints `rounds 20 to 39`. */
export function partWord(job: CampaignJob, { first, count }: Slice): string {
  return `${'run' in job ? 'rounds' : 'programs'} ${first} to ${first + count - 1}`;
}

/** Returns the target's name for a line, without a URL. */
export function targetWord(target: CampaignTarget): string {
  return 'target' in target ? target.target : `$${target['url-from']}`;
}
