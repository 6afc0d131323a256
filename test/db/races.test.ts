/**
 * The published races of workloads/races: each is found at READ COMMITTED, by its invariant, under the name that it is shipped
 * by; where a read and a write of one row can be one statement, that was tried and stops it. Every order of the programs is
 * run, so nothing here hangs on a race.
 */
import { expect, it } from 'vitest';
import { exploreText } from '../../reports/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { Progress } from '../../src/process/progress.ts';
import { SHIPPED_RACES } from '../../src/workload/file.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

const DRAWS = 2;
/** Race -> what is written instead. */
const ONE_STATEMENT: Readonly<Record<string, RegExp>> = {
  'races/likes': /^one statement instead of two in like, of statements 1 and 2: UPDATE posts SET likes = likes \+ 1 WHERE id = :post;?$/,
  'races/stock':
    /^one statement .* SET stock = stock - :quantity WHERE id = :product AND stock >= :quantity;? GET DIAGNOSTICS :changed = ROW_COUNT;? IF :changed = 0 ROLLBACK;?$/,
};

describeEachServer(
  'published races',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });

    const explored = (file: string, cures: boolean): Promise<ExploreReport> =>
      exploreTarget(
        { name: target, dialect, urls: [suite.server.url], words: `--target ${target}`, close: async () => {} },
        { file, level: ['read-committed'], orders: 'pruned', workers: 2, draws: DRAWS, cures },
        { seed: '1', progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      );

    it.each(SHIPPED_RACES.map(({ name }) => name))('%s is found, and breaks its invariant', async (name) => {
      const instead = ONE_STATEMENT[name];
      const report = await explored(name, instead !== undefined);
      const unsafe = report.levels[0]!.together!.filter(({ answer }) => answer === 'not safe');
      const text = exploreText(report);
      expect([unsafe.length > 0, unsafe.every(({ verdict }) => verdict === 'documented')], text).toEqual([true, true]);
      expect(
        unsafe.flatMap(({ breaks }) => breaks),
        text,
      ).not.toEqual([]);
      if (instead === undefined) return;
      const cure = unsafe[0]!.cures!.find(({ what, sql = [] }) => instead.test(`${what}: ${sql.join(' ')}`));
      expect(cure, text).toMatchObject({ stops: true, after: { differing: 0 } });
      expect(cure!.after.programs, text).toBe(cure!.before.programs);
    });
  },
  { fits: (dialect) => dialect.ranLive && dialect.capabilities.returning.update && dialect.importer !== undefined, once: true },
);
