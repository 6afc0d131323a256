/**
 * A campaign cut into slices: each is so many rounds of one job on one target, what one command of `run` does. The first slice
 * of every job on every target comes before the second of any: what nobody has explored yet is handed out first.
 */
import { UsageError } from '../../core/index.ts';
import type { CampaignFile, CampaignTarget, RunJob } from './file.ts';

export interface Slice {
  readonly campaign: string;
  /** Of the campaign's targets and jobs, from 0. */
  readonly target: number;
  readonly job: number;
  readonly firstRound: number;
  readonly rounds: number;
  /** Which slice of its job it is. */
  readonly turn: number;
}

/** More than that is a slice too small, or a campaign for several files. */
const MOST_SLICES = 200_000;

export function slicesOf({ name, targets, jobs }: CampaignFile): readonly Slice[] {
  const count = targets.length * jobs.reduce((sum, { run: { rounds, slice } }) => sum + Math.ceil(rounds / slice), 0);
  if (count > MOST_SLICES)
    throw new UsageError(
      `campaign ${name}: ${count} slices; expected at most ${MOST_SLICES}: make \`slice\` larger, or several campaigns.`,
    );
  const slices = targets.flatMap((_, target) =>
    jobs.flatMap(({ run }, job) => ofJob(run).map((slice) => ({ campaign: name, target, job, ...slice }))),
  );
  return slices.toSorted((a, b) => a.turn - b.turn);
}

function ofJob({ rounds, slice }: RunJob): readonly Pick<Slice, 'firstRound' | 'rounds' | 'turn'>[] {
  return Array.from({ length: Math.ceil(rounds / slice) }, (_, turn) => ({
    turn,
    firstRound: turn * slice,
    rounds: Math.min(slice, rounds - turn * slice),
  }));
}

/** The word on a line; no URL. */
export function targetWord(target: CampaignTarget): string {
  return 'target' in target ? target.target : `$${target['url-from']}`;
}
