/** Runs `explore --program N --programs M` as a slice: every order of the catalogue's programs N to N + M - 1. */
import type { Dialect } from '../../../core/index.ts';
import { explorationReport } from '../../../reports/index.ts';
import { catalogueOf, expectTableChanges, exploreTarget } from '../../explore/explore-target.ts';
import { oneEndpoint } from '../../pipeline/one-endpoint.ts';
import type { Target } from '../../target/target.ts';
import type { CampaignFile, ExploreJob } from './file.ts';
import type { SliceAround, SliceDone } from './slice-done.ts';
import type { Slice } from './slices.ts';

export async function exploreSlice(
  { seed, levels }: CampaignFile,
  { catalogue, only, orders = 'pruned', workers }: ExploreJob,
  slice: Slice,
  opened: Target,
  { progress, signal, runId }: SliceAround,
): Promise<SliceDone> {
  const explored = await exploreTarget(
    await oneEndpoint(opened, false),
    { level: levels, catalogue, only, orders, workers, program: slice.first, programs: slice.count },
    { seed: String(seed), progress, signal },
  );
  return {
    result: {
      report: { ...explorationReport(explored, runId), findings: [] },
      found: [],
      explored: { report: explored, dbms: opened.dialect.name },
    },
    findings: explored.levels.reduce((sum, { families }) => sum + families.length, 0),
    endedEarly: explored.endedEarly,
  };
}

/** Refuses the job before a worker gets it. */
export function expectExplorable({ catalogue, only }: ExploreJob, dialect: Dialect): void {
  expectTableChanges(dialect, catalogue);
  catalogueOf(dialect, dialect.capabilities, '0', { catalogue, only });
}
