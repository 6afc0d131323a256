/**
 * Footprints on real servers: each plain read notes down what it depends on at SERIALIZABLE, and reads at a level that notes
 * nothing are all suspects.
 */
import { expect, it } from 'vitest';
import type { FootprintLevel } from '../../reports/index.ts';
import { looksIn } from '../../schema-gen/index.ts';
import type { FixtureLooks } from '../../schema-gen/index.ts';
import { footprintsAt, footprintsOfTarget } from '../../src/explore/footprints/footprints.ts';
import { suspectsOf } from '../../src/explore/footprints/suspects.ts';
import { Progress } from '../../src/process/progress.ts';
import type { Target } from '../../src/target/target.ts';
import { describeEachServer } from './each-server.ts';
import { capabilitiesOf } from './server-capabilities.ts';
import { sharedServer } from './suite-server.ts';

const around = { progress: new Progress(null), signal: new AbortController().signal };

describeEachServer(
  'footprints',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });

    /** The plain reads of two fixtures: every step is a plain SELECT. */
    async function plainLooks(): Promise<readonly FixtureLooks[]> {
      const capabilities = await capabilitiesOf(dialect, suite.server.url);
      const { fixtures } = looksIn({ capabilities, canForceIndexes: false, only: ['one row', 'two tables, one empty'] });
      return fixtures.map((of) => ({
        ...of,
        looks: of.looks.filter(({ program }) => program.transactions[0]!.steps.every(({ plainRead }) => plainRead)),
      }));
    }

    async function plainAt(name: 'serializable' | 'read-committed'): Promise<FootprintLevel> {
      const level = dialect.levels.find((each) => each.level === name)!;
      await showLocks();
      return footprintsAt({ dialect, url: suite.server.url, level, reads: 'all', fixtures: await plainLooks(), ...around });
    }

    async function showLocks(): Promise<void> {
      const connection = await dialect.connect(suite.server.url, {});
      try {
        expect(await dialect.footprints!.unavailable(connection, true)).toBeUndefined();
      } finally {
        await connection.end();
      }
    }

    it('has each plain read note down what it depends on, but for the ranges of addresses (corpus/explored/tid-range-scan.spec)', async () => {
      const { looks, lost } = await plainAt('serializable');
      expect(lost).toEqual([]);
      // What a range of addresses leaves no note of is a suspect, and nothing else is.
      const ranges = dialect.capabilities.rowAddresses === true ? ['all by address', 'count by address'] : [];
      expect([...new Set(suspectsOf({ looks }).map(({ form }) => form))].toSorted()).toEqual(ranges);
      const dependent = looks.filter(({ form, dependsOn }) => dependsOn.length > 0 && !ranges.includes(form));
      expect(new Set(dependent.map(({ form }) => form)).size).toBeGreaterThan(25);
      for (const { form, dependsOn, noted } of dependent) {
        const tables = dependsOn.flatMap((each) => each.tables.map(({ table }) => table));
        expect(
          noted.some(({ table }) => tables.includes(table)),
          `${form}: ${JSON.stringify(noted)}`,
        ).toBe(true);
      }
    });

    it('makes a suspect of each read that a level notes nothing for', async () => {
      const { looks } = await plainAt('read-committed');
      expect(looks.filter(({ noted }) => noted.length > 0)).toEqual([]);
      const dependent = looks.filter(({ dependsOn }) => dependsOn.length > 0);
      expect(dependent.length).toBeGreaterThan(50);
      expect(dependent.filter(({ suspect }) => !suspect)).toEqual([]);
      expect(looks.filter(({ dependsOn, suspect }) => dependsOn.length === 0 && suspect)).toEqual([]);
    });

    it('asks every level that works by locks or tracked reads, and only those', async () => {
      const at: Target = {
        name: target,
        dialect,
        urls: [suite.server.url],
        words: `--target ${target}`,
        log: () => '',
        close: async () => {},
      };
      await expect(footprintsOfTarget(at, { level: ['read-committed'] }, around)).rejects.toThrow(/--level read-committed: at this level/);
      const { levels, forms } = await footprintsOfTarget(at, { only: ['no row', 'count', 'insert of what was selected'] }, around);
      expect(levels.map(({ level }) => level)).toEqual(
        dialect.levels.map(({ level }) => level).filter((level) => dialect.footprints!.levels[level] !== undefined),
      );
      expect(forms.ran).toBe(forms.all);
      for (const { reads, looks } of levels) {
        expect(looks.some(({ form }) => form === 'insert of what was selected')).toBe(true);
        // A level of snapshots keeps nobody from changing what a plain read looked at.
        expect(looks.some(({ form }) => form === 'count')).toBe(reads === 'all');
        const suspects = looks.filter(({ suspect }) => suspect).map(({ form }) => form);
        expect([...new Set(suspects)]).toEqual(dialect.capabilities.rowAddresses === true ? ['count by address'] : []);
      }
    });
  },
  { fits: ({ footprints }) => footprints !== undefined, newest: true },
);
