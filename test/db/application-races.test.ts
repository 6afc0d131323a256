/**
 * Races that applications were found to have, of test/races: `NAME.sql` has the race, `NAME.cured.sql` is mended. The first
 * is never called safe and breaks its invariant, the second is never called unsafe. Every order of the programs is run, so
 * nothing here hangs on a race.
 */
import { expect, it } from 'vitest';
import { exploreText } from '../../reports/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { describeEachServer } from './each-server.ts';
import { fileByLines } from './file-by-lines.ts';
import { FOUND, HARMLESS, MEETING } from './meeting-values.ts';
import { ALL_SEEDS, CURED, RACES, RACE_FILES, SEED_NUMBERS, exploreRace, raceText } from './race-files.ts';
import { raceLines } from './race-lines.ts';
import { sharedServer } from './suite-server.ts';
import { brokenBy } from './two-terminals.ts';

describeEachServer(
  'races of applications',
  (at) => {
    const suite = sharedServer(at);

    it('has each race in both forms', () => {
      expect(RACES.length).toBeGreaterThanOrEqual(10);
      expect(RACE_FILES.filter((name) => name.endsWith(CURED)).map((name) => name.replace(CURED, ''))).toEqual(RACES);
    });

    it.each(RACES)('%s is found, and its cured form is safe', async (name) => {
      const reports: { readonly unsafe: ExploreReport[]; readonly cured: ExploreReport[] } = { unsafe: [], cured: [] };
      for (const seed of SEED_NUMBERS) {
        const race = await exploreRace(at, suite, { file: `${name}.sql`, seed });
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
        const cured = await exploreRace(at, suite, { file: `${name}${CURED}`, seed });
        const answers = new Set(cured.levels[0]!.together!.map(({ answer }) => answer));
        expect([...answers], `seed ${seed}\n${exploreText(cured)}`).toEqual(['safe']);
        reports.unsafe.push(race);
        reports.cured.push(cured);
      }
      if (ALL_SEEDS)
        for (const [form, own] of Object.entries(reports))
          console.log(`RACE ${name}, ${form}, ${at.target}:\n${raceLines(own).join('\n')}`);
    });

    it.skipIf(!at.dialect.capabilities.returning.update).each(RACES)(
      '%s breaks its invariant when two people step it, and its cured form does not',
      async (name) => {
        const terminals = { url: suite.server.url, level: 'READ COMMITTED', retries: 0, stops: 1 } as const;
        const [unsafe, cured] = [`${name}.sql`, `${name}${CURED}`].map((file) => fileByLines(raceText(file)));
        for (const pair of MEETING[name]!) {
          expect(await brokenBy(unsafe!, pair, terminals), JSON.stringify(pair)).not.toEqual([]);
          expect(await brokenBy(cured!, pair, terminals), JSON.stringify(pair)).toEqual([]);
        }
        for (const pair of HARMLESS[name] ?? [])
          for (const file of [unsafe, cured]) expect(await brokenBy(file!, pair, terminals), JSON.stringify(pair)).toEqual([]);
      },
    );
  },
  { fits: (dialect) => dialect.ranLive && dialect.importer !== undefined, once: true },
);
