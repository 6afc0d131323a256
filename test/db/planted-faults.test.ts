/**
 * Faults that were planted are found by `explore`, and named: a server that promises one level and runs another, and one that
 * breaks a single thing (faulty-proxy.ts). Programs of one seed after the other are tried until it is found, within a bound of work; how
 * long that took is printed. On one server; ANOMALIST_PLANTED_FAULTS=everywhere takes all at hand, a minute or two each.
 */
import { expect, it } from 'vitest';
import type { AnomalyClass, Level } from '../../core/level/index.ts';
import type { ExploreFamily } from '../../core/verdict/index.ts';
import type { ExploreLevel } from '../../reports/index.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { Progress } from '../../src/process/progress.ts';
import { describeEachServer } from './each-server.ts';
import { FAULTS, OF_DIRT, OF_READS, STRAYS, startFaultyProxy } from './faulty-proxy.ts';
import { startLyingProxy } from './lying-proxy.ts';
import type { Lie } from './lying-proxy.ts';
import { POSTGRES_WIRE, wireOf } from './message-proxy.ts';
import { raceSeeds } from './race-seeds.ts';
import { sharedServer } from './suite-server.ts';

const NEVER = new AbortController().signal;
/** Programs at a time, and how often: the first of a seed have every skeleton among them. */
const PROGRAMS = 8;
const SEEDS = raceSeeds();

/** One pair of levels for each level that promises more than the next one keeps; on PostgreSQL READ UNCOMMITTED is READ COMMITTED. */
const LIES: readonly (Lie & { readonly level: Level; readonly classes: readonly AnomalyClass[]; readonly mysql?: true })[] = [
  { level: 'serializable', asked: 'SERIALIZABLE', kept: 'READ COMMITTED', classes: OF_READS },
  { level: 'serializable', asked: 'SERIALIZABLE', kept: 'REPEATABLE READ', classes: OF_READS },
  { level: 'repeatable-read', asked: 'REPEATABLE READ', kept: 'READ COMMITTED', classes: OF_READS },
  { level: 'read-committed', asked: 'READ COMMITTED', kept: 'READ UNCOMMITTED', classes: OF_DIRT, mysql: true },
];

describeEachServer(
  'planted faults',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });

    async function explored(url: string, level: Level, seed: string): Promise<ExploreLevel> {
      const report = await exploreTarget(
        { name: target, dialect, urls: [url], words: '', close: async () => {} },
        { level: [level], programs: PROGRAMS, orders: 'pruned', workers: 1 },
        { seed, progress: new Progress(process.stderr, true), signal: NEVER },
      );
      expect(report.endedEarly).toBeUndefined();
      return report.levels[0]!;
    }

    /** The first one that the documents rule out and whose class is one that the fault can cause. */
    async function bugIn(url: string, level: Level, classes: readonly AnomalyClass[]): Promise<ExploreFamily | undefined> {
      for (const seed of SEEDS) {
        const { families } = await explored(url, level, seed);
        const found = families.find(({ verdict, named }) => verdict === 'bug' && named !== undefined && classes.includes(named.class));
        if (found !== undefined) return found;
      }
      return undefined;
    }

    async function found(url: string, level: Level, fault: string, classes: readonly AnomalyClass[]): Promise<ExploreFamily> {
      const started = performance.now();
      const family = await bugIn(url, level, classes);
      expect(family, `${fault}: found, and named by one of ${classes.join(', ')}`).toBeDefined();
      const { named, name, difference, example } = family!;
      console.log(
        `${target}, ${fault}: ${named!.class} (${named!.shapes.join(', ')}) after ${((performance.now() - started) / 1000).toFixed(1)} s; ${name}, program ${example.program}, ${example.times} of ${example.of}, with probes ${named!.times} of ${named!.of}; ${difference}`,
      );
      return family!;
    }

    it.for(LIES)('$asked that is $kept', async ({ level, classes, mysql, ...lie }, { skip }) => {
      if (mysql && wireOf(suite.server.url) === POSTGRES_WIRE) skip(`${dialect.title} has no ${lie.kept} of its own`);
      const proxy = await startLyingProxy(suite.server.url, lie);
      try {
        await found(proxy.url, level, `${lie.asked} that is ${lie.kept}`, classes);
      } finally {
        await proxy.close();
      }
    });

    it.for(FAULTS)('$name', async (fault) => {
      const proxy = await startFaultyProxy(suite.server.url, fault);
      try {
        await found(proxy.url, 'serializable', fault.name, fault.classes);
        expect(proxy.occurred()).toBeGreaterThan(0);
      } finally {
        await proxy.close();
      }
    });

    it('a part of a transaction', async ({ skip }) => {
      const lie: Lie = { asked: 'READ COMMITTED', kept: 'READ UNCOMMITTED' };
      if (wireOf(suite.server.url) === POSTGRES_WIRE) skip(`${dialect.title} has no ${lie.kept} of its own`);
      const proxy = await startLyingProxy(suite.server.url, lie);
      try {
        let first: ExploreFamily | undefined;
        for (const seed of SEEDS) {
          const { families } = await explored(proxy.url, 'read-committed', seed);
          first ??= families.find(({ seen, difference }) => seen !== undefined && /no single state/.test(difference));
          if (first?.verdict === 'bug') break;
          first = undefined;
        }
        console.log(`${target}, a part of a transaction: ${first?.example.times} of ${first?.example.of}; ${first?.seen?.join('; ')}`);
        expect(first).toMatchObject({ verdict: 'bug', oneOf: [] });
      } finally {
        await proxy.close();
      }
    });

    it.for(STRAYS)('$name', async (fault) => {
      const proxy = await startFaultyProxy(suite.server.url, fault);
      try {
        const { families } = await explored(proxy.url, 'serializable', SEEDS[0]!);
        const [first] = families.filter(({ seen }) => seen !== undefined);
        console.log(`${target}, ${fault.name}: ${first?.example.times} of ${first?.example.of}; ${first?.seen?.join('; ')}`);
        expect(first).toMatchObject({ verdict: 'bug', difference: expect.stringMatching(/contradict/), oneOf: [] });
        expect(first!.example.times).toBeGreaterThan(0);
        expect(proxy.occurred()).toBeGreaterThan(0);
      } finally {
        await proxy.close();
      }
    });

    it('none: the proxy alone breaks nothing', async () => {
      const proxy = await startFaultyProxy(suite.server.url, { name: 'none', detour: 'beside', at: () => false, classes: [] });
      try {
        const known = await explored(suite.server.url, 'serializable', SEEDS[0]!);
        const { programs, families } = await explored(proxy.url, 'serializable', SEEDS[0]!);
        expect(programs).toBeGreaterThan(PROGRAMS / 2);
        expect(families.map(({ name }) => name)).toEqual(known.families.map(({ name }) => name));
      } finally {
        await proxy.close();
      }
    });
  },
  { fits: ({ ranLive }) => ranLive, once: process.env['ANOMALIST_PLANTED_FAULTS'] !== 'everywhere' },
);
