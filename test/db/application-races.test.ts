/**
 * Races that applications were found to have, of test/races: `NAME.sql` has the race, `NAME.cured.sql` is mended. The first
 * is never called safe and breaks its invariant, the second is never called unsafe. Every order of the programs is run, so
 * nothing here hangs on a race.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { exploreText } from '../../reports/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { exploreTarget } from '../../src/commands/explore.ts';
import { Progress } from '../../src/terminal/progress.ts';
import { describeEachServer } from './each-server.ts';
import { FOUND, MEETING } from './meeting-values.ts';
import { suiteServer } from './suite-server.ts';
import { brokenBy } from './two-terminals.ts';

const FOLDER = fileURLToPath(new URL('../races/', import.meta.url));
const CURED = '.cured.sql';
/** The seeds are 1 to this number. */
const SEEDS = Number(process.env['ANOMALIST_RACE_SEEDS'] ?? 1);
const SEED_NUMBERS = Array.from({ length: SEEDS }, (_, n) => String(n + 1));

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
const races = files.filter((name) => !name.endsWith(CURED)).map((name) => name.replace(/\.sql$/, ''));

describeEachServer(
  'races of applications',
  ({ target, dialect, start }) => {
    const suite = suiteServer(start);

    const explored = (file: string, seed: string): Promise<ExploreReport> =>
      exploreTarget(
        { name: target, dialect, urls: [suite.server.url], words: `--target ${target}`, close: async () => {} },
        { file: `${FOLDER}${file}`, level: ['read-committed'], orders: 'pruned', workers: 2 },
        { seed, progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      );

    it('has each race in both forms', () => {
      expect(races.length).toBeGreaterThanOrEqual(10);
      expect(files.filter((name) => name.endsWith(CURED)).map((name) => name.replace(CURED, ''))).toEqual(races);
    });

    it.each(races)('%s is found, and its cured form is safe', async (name) => {
      for (const seed of SEED_NUMBERS) {
        const race = await explored(`${name}.sql`, seed);
        const unsafe = race.levels[0]!.together!.filter(({ answer }) => answer === 'not safe');
        const about = `seed ${seed}\n${exploreText(race)}`;
        expect(
          unsafe.flatMap(({ breaks }) => breaks),
          about,
        ).not.toEqual([]);
        expect(
          unsafe.map((each) => each.name),
          about,
        ).toEqual(expect.arrayContaining([...(FOUND[name] ?? [])]));
        const cured = await explored(`${name}${CURED}`, seed);
        const answers = new Set(cured.levels[0]!.together!.map(({ answer }) => answer));
        expect([...answers], `seed ${seed}\n${exploreText(cured)}`).toEqual(['safe']);
      }
    });

    it.skipIf(!dialect.capabilities.returning.update).each(races)(
      '%s breaks its invariant when two people step it, and its cured form does not',
      async (name) => {
        const terminals = { url: suite.server.url, level: 'READ COMMITTED', retries: 0 };
        const text = (file: string): string => readFileSync(`${FOLDER}${file}`, 'utf8');
        for (const pair of MEETING[name]!)
          expect(await brokenBy(text(`${name}${CURED}`), pair, terminals), JSON.stringify(pair)).toEqual([]);
        const broken = [];
        for (const pair of MEETING[name]!) broken.push(...(await brokenBy(text(`${name}.sql`), pair, terminals)));
        expect(broken).not.toEqual([]);
      },
    );
  },
  { fits: (dialect) => dialect.ranLive && dialect.importer !== undefined, once: true },
);
