/**
 * Vitest starts the longest files first, so that no worker is idle while another still has a long file to run. Without a
 * cache, as after a fresh clone, vitest orders files by their size, and a long test may stand in a short file.
 */
import { basename } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** The files of each project that take longest, the longest first. */
export const LONGEST: Readonly<Record<string, readonly string[]>> = {
  db: [
    'reduce',
    'pooler',
    'names-its-schema',
    'explore-file',
    'servers',
    'replay',
    'explore-forms',
    'race-cures',
    'corpus',
    'run-explored',
    'planted-faults',
    'key-value',
    'campaign-reader',
    'explore-against-matrix',
    'merge',
    'uninstrumented',
    'ranges',
    'lost-between-rounds',
    'ui',
    'matrix',
    'campaign',
    'explore',
    'bad-input',
    'replay-program',
    'api-package',
    'invariant-blame',
    'workload-files',
    'replay-spec',
    'explore-verdict',
    'neutral',
  ],
  unit: ['rules', 'breakages', 'keys', 'reduce', 'forms', 'shown', 'formats', 'stream', 'browser', 'hostile', 'catalogue'],
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    // The sort is stable: a project stays behind the one before it, and files that are not listed keep their order.
    const projects = [...new Set(usual.map(({ project }) => project.name))];
    return usual.toSorted((a, b) => projects.indexOf(a.project.name) - projects.indexOf(b.project.name) || placeOf(a) - placeOf(b));
  }
}

function placeOf({ project, moduleId }: TestSpecification): number {
  const place = LONGEST[project.name]?.indexOf(basename(moduleId, '.test.ts')) ?? -1;
  return place < 0 ? Number.MAX_SAFE_INTEGER : place;
}
