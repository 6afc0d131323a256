/** The races of test/races, how they are explored, and the seeds: 1 to ANOMALIST_RACE_SEEDS, the first alone where it is not set. */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ExploreReport } from '../../reports/index.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { Progress } from '../../src/process/progress.ts';
import type { ServerAtHand } from './each-server.ts';
import type { SuiteServer } from './suite-server.ts';

const FOLDER = fileURLToPath(new URL('../races/', import.meta.url));
export const CURED = '.cured.sql';

export const RACE_FILES: readonly string[] = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
export const RACES: readonly string[] = RACE_FILES.filter((name) => !name.endsWith(CURED)).map((name) => name.replace(/\.sql$/, ''));

const SEEDS = process.env['ANOMALIST_RACE_SEEDS'];
export const ALL_SEEDS: boolean = SEEDS !== undefined;
export const SEED_NUMBERS: readonly string[] = Array.from({ length: Number(SEEDS ?? 1) }, (_, n) => String(n + 1));

export function raceText(file: string): string {
  return readFileSync(`${FOLDER}${file}`, 'utf8');
}

interface RaceRun {
  readonly file: string;
  readonly seed: string;
  readonly cures?: true;
  /** At random, behind the aimed ones. */
  readonly draws?: number;
}

export function exploreRace(
  { target, dialect }: Pick<ServerAtHand, 'target' | 'dialect'>,
  { server }: SuiteServer,
  { file, seed, ...options }: RaceRun,
): Promise<ExploreReport> {
  return exploreTarget(
    { name: target, dialect, urls: [server.url], words: `--target ${target}`, close: async () => {} },
    { file: `${FOLDER}${file}`, level: ['read-committed'], orders: 'pruned', workers: 2, ...options },
    { seed, progress: new Progress(process.stderr, true), signal: new AbortController().signal },
  );
}
