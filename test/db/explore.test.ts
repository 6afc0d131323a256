/**
 * Exploring real servers: what a level allows is found as what it is, nothing is found of serial orders, pruned and all
 * orders show the same outcomes, and nothing of ours is left behind.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { firstState } from '../../core/program/index.ts';
import type { Level } from '../../core/level/index.ts';
import type { Capabilities, Connection, Dialect, IndexPlan } from '../../core/dialect/index.ts';
import type { Program } from '../../core/program/index.ts';
import type { ExploreFamily } from '../../core/verdict/index.ts';
import { Catalogue, createRandom } from '../../schema-gen/index.ts';
import { exploreExit } from '../../src/app/commands/explore.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import type { Target } from '../../src/target/target.ts';
import { aloneIn } from '../../src/explore/alone.ts';
import { differenceOf } from '../../src/explore/difference.ts';
import { enumerate } from '../../src/explore/enumerate.ts';
import { exploredLevel } from '../../src/explore/explore.ts';
import { exploreProgram } from '../../src/explore/explore-program.ts';
import { familiesOf } from '../../src/explore/families.ts';
import type { LevelPlan } from '../../src/explore/level-plan.ts';
import { NONE, independence } from '../../src/explore/independent.ts';
import type { Independent } from '../../src/explore/independent.ts';
import { countOrders } from '../../src/explore/orders.ts';
import { outcomeKey } from '../../src/explore/outcome.ts';
import { permutations } from '../../core/base/index.ts';
import { oneByOne, play } from '../../src/explore/play.ts';
import { withProbes } from '../../src/explore/probes.ts';
import { ServerRunner } from '../../src/explore/server-runner.ts';
import { Progress } from '../../src/process/progress.ts';
import { within } from '../budget.ts';
import { describeEachServer } from './each-server.ts';
import { capabilitiesOf } from './server-capabilities.ts';
import { sharedServer } from './suite-server.ts';

/** Longer than any reply is awaited before the server is asked who waits (src/execute/ask-delay.ts). */
const SLOW_MS = 60;
/** A family is confirmed within far fewer programs than these. */
const MOST_UNTOLD = 5_000;
const NEVER = new AbortController().signal;
const BOTH = { 'reads 1': 'point', 'writes 1': 'set', 'reads 2': 'point', 'writes 2': 'set' };
/** What a race decides is waited for so long at least: by then each of two enumerations has met it, or one cannot. */
const RACE_MS = 120_000;
const FORMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'write skew': BOTH,
  'lost update': BOTH,
  'read skew': { 'reads 1': 'point', 'writes 2': 'set' },
};

describeEachServer(
  'explore',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    let capabilities: Capabilities;
    beforeAll(async () => {
      capabilities = await capabilitiesOf(dialect, suite.server.url);
    });
    const catalogueOf = (seed: string): Catalogue =>
      new Catalogue(createRandom(seed), { capabilities, canForceIndexes: dialect.indexPlans !== undefined });
    const levelOf = (level: Level): Dialect['levels'][number] => dialect.levels.find((each) => each.level === level)!;
    let runners = 0;

    async function withRunner<T>(
      level: Level,
      fixtures: readonly Program['fixture'][],
      work: (runner: ServerRunner) => Promise<T>,
      { checkLevel = false, dialect: through = dialect }: { readonly checkLevel?: boolean; readonly dialect?: Dialect } = {},
    ): Promise<T> {
      const runner = await ServerRunner.open({
        dialect: through,
        url: suite.server.url,
        level: levelOf(level),
        namespace: `anomalist_explore_test_${runners++}`,
        fixtures,
        checkLevel,
      });
      try {
        return await work(runner);
      } finally {
        await runner.close();
      }
    }

    /** Reads by key, sets by key, of two rows; a session that only reads or only writes has the one form. */
    function programOf(skeleton: string): Program {
      return catalogueOf('1').program({ skeleton, world: 'two rows', ...FORMS[skeleton] });
    }

    async function kindsOf(skeleton: string, level: Level): Promise<readonly string[]> {
      const program = programOf(skeleton);
      const explored = await withRunner(level, [program.fixture], (runner) =>
        exploreProgram(runner, program, { orders: 'pruned', most: 1_000, samples: 10, random: createRandom('1'), beginsCommute: false }),
      );
      expect(explored.whole).toBe(true);
      return [...new Set(explored.found.map(({ difference }) => difference.kind))];
    }

    it('finds write skew at REPEATABLE READ and not at SERIALIZABLE', async () => {
      expect(await kindsOf('write skew', 'repeatable-read')).toEqual(['skew']);
      expect(await kindsOf('write skew', 'serializable')).toEqual([]);
    });

    it('takes no slow reply for a wait, and no order for another one', async () => {
      const slowly: Dialect = {
        ...dialect,
        connect: async (url, options) => {
          const connection = await dialect.connect(url, options);
          if (options.level === undefined) return connection; // It resets the tables, or asks who waits.
          const query = connection.query.bind(connection);
          const commit = connection.commit.bind(connection);
          const beginWith = connection.beginWith?.bind(connection);
          return Object.assign(connection, {
            query: async (sql: string) => (await sleep(SLOW_MS), query(sql)),
            commit: async () => (await sleep(SLOW_MS), commit()),
            ...(beginWith && { beginWith: async (sql: string, words?: string) => (await sleep(SLOW_MS), beginWith(sql, words)) }),
          });
        },
      };
      const { transactions, ...others } = programOf('write skew');
      // The first statements alone, which read.
      const program: Program = { ...others, transactions: transactions.map((each) => ({ ...each, steps: each.steps.slice(0, 1) })) };
      await withRunner(
        'read-committed',
        [program.fixture],
        async (runner) => {
          await runner.load(program);
          const states = new Set<string>();
          const { orders, whole } = await enumerate(runner, program, firstState(program.fixture), NONE, ({ transcript }) => {
            for (const { state } of transcript) states.add(state);
            return true;
          });
          expect({ orders, whole, states: [...states] }).toEqual({ orders: countOrders(program), whole: true, states: ['replies'] });
        },
        { dialect: slowly },
      );
    });

    it('finds lost update and read skew at READ COMMITTED, which no snapshot explains', async () => {
      expect(await kindsOf('lost update', 'read-committed')).toEqual(['no snapshot']);
      expect(await kindsOf('read skew', 'read-committed')).toEqual(['no snapshot']);
    });

    const keysFree = dialect.promises.some(({ when }) => when === 'a write that found its key freed');
    it.skipIf(!keysFree)('tells a write that found its key freed since the snapshot from what a snapshot rules out', async () => {
      const forms = { 'reads 1': 'upsert of nothing', 'writes 2': 'delete by value' };
      const program = catalogueOf('1').program({ skeleton: 'read skew', world: 'two rows', ...forms });
      const { found } = await withRunner('repeatable-read', [program.fixture], (runner) =>
        exploreProgram(runner, program, { orders: 'pruned', most: 1_000, samples: 10, random: createRandom('1'), beginsCommute: false }),
      );
      const differences = found.map(({ difference: { kind, freedKey } }) => ({ kind, freedKey }));
      expect(differences.filter(({ kind }) => kind === 'no snapshot')).toContainEqual({ kind: 'no snapshot', freedKey: true });
    });

    it.skipIf(dialect.indexPlans === undefined)('keeps as many sessions for programs of all planners as for those of one', async () => {
      let open = 0;
      const counting: Dialect = {
        ...dialect,
        connect: async (url, options) => {
          const connection = await dialect.connect(url, options);
          const end = connection.end.bind(connection);
          open++;
          return Object.assign(connection, { end: () => (open--, end()) });
        },
      };
      const program = programOf('write skew');
      const planners = [false, ...(Object.keys(dialect.indexPlans!.on) as IndexPlan[])] as const;
      const kept: number[] = [];
      await withProbes({ dialect: counting, url: suite.server.url, level: levelOf('serializable'), signal: NEVER }, async (probes) => {
        for (const byIndex of planners) {
          expect(
            await probes.anomaliesOf({ ...program, fixture: { ...program.fixture, byIndex } }, { choices: [0, 0, 0, 1, 1, 1] }),
          ).toEqual([]);
          kept.push(open);
        }
      });
      expect(planners.length).toBeGreaterThan(1);
      expect(kept).toEqual(kept.map(() => kept[0]));
      expect(open).toBe(0);
    });

    it('asks inside each transaction for the level where it is told to, and shows the same', async () => {
      const program = programOf('write skew');
      const outcomes = (checkLevel: boolean): Promise<readonly string[]> =>
        withRunner(
          'serializable',
          [program.fixture],
          async (runner) => {
            await runner.load(program);
            return [...(await outcomesOf(runner, program, NONE))].toSorted();
          },
          { checkLevel },
        );
      expect(await outcomes(true)).toEqual(await outcomes(false));
    });

    it('explains every serial order by itself, over programs of a seed', async () => {
      const catalogue = catalogueOf('serial');
      await withRunner('serializable', catalogue.allFixtures, async (runner) => {
        for (const _ of within(400, { least: 40 })) {
          const program = catalogue.next()!;
          await runner.load(program);
          const alone = aloneIn(runner, program);
          for (const order of permutations(program.transactions.map((__, session) => session)).slice(0, 6)) {
            const played = await play(runner, program, firstState(program.fixture), oneByOne(order));
            expect(await differenceOf(played!, firstState(program.fixture), alone, program), JSON.stringify(program.made)).toBeUndefined();
          }
        }
      });
    });

    it('shows with and without pruning the same outcomes', async () => {
      const catalogue = catalogueOf('pruning');
      let several = 0;
      for (const _ of within(100, { least: 8 })) {
        let program = catalogue.next()!;
        while (countOrders(program) > 100) program = catalogue.next()!;
        const [all, pruned] = [new Set<string>(), new Set<string>()];
        const until = performance.now() + RACE_MS;
        // A race on the server may decide who is ended in a deadlock, or whether a lock meets a deleted row of the run before that
        // is not purged yet: what one of the two has seen the other is given time to see, each time in a fixture made anew.
        for (
          let round = 0;
          (round < 12 || performance.now() < until) &&
          (round === 0 || all.size !== pruned.size || [...all].some((each) => !pruned.has(each)));
          round++
        ) {
          for (const [outcomes, independent] of [
            [all, NONE],
            [pruned, independence(program, { beginsCommute: dialect.closerIsVictim === true })],
          ] as const) {
            await withRunner('serializable', [program.fixture], async (runner) => {
              await runner.load(program);
              for (const each of await outcomesOf(runner, program, independent)) outcomes.add(each);
            });
          }
        }
        expect([...pruned].toSorted(), JSON.stringify(program.made)).toEqual([...all].toSorted());
        if (all.size > 1) several++;
      }
      expect(several).toBeGreaterThan(1);
    });

    it('reports what it enumerated, judges by the promises, and leaves nothing behind', async () => {
      const before = await namespacesOf(suite.server.url, dialect);
      const at: Target = { name: target, dialect, urls: [suite.server.url], words: `--target ${target}`, close: async () => {} };
      const report = await exploreTarget(
        at,
        { level: ['repeatable-read'], programs: 24, orders: 'pruned', workers: 2 },
        { seed: '3', progress: new Progress(process.stderr, true), signal: NEVER },
      );
      const [level] = report.levels;
      expect(level!.programs + Object.values(level!.dropped).reduce((sum, n) => sum + n, 0)).toBe(24);
      expect(level!.orders).toBeGreaterThan(level!.programs * 3);
      expect(level!.families.length).toBeGreaterThan(0);
      for (const { example, difference, verdict, source } of level!.families) {
        expect(example.times).toBeGreaterThan(0);
        expect(example.answers.every(({ differs }) => differs.length > 0)).toBe(true);
        // What snapshots explain is write skew, which every one of these servers allows there.
        if (difference.endsWith('on a snapshot of its own does')) expect(verdict).toBe('documented');
        expect(source).toMatch(/^https:/);
      }
      expect(exploreExit(report)).toBe(level!.families.some(({ verdict }) => verdict === 'bug') ? 1 : 0);
      expect(await namespacesOf(suite.server.url, dialect)).toEqual(before);
    });

    it('tells a family while programs still run, and reports it as the end would', async () => {
      const before = await namespacesOf(suite.server.url, dialect);
      const program = programOf('write skew');
      const told: ExploreFamily[] = [];
      let number = 0;
      const plan: LevelPlan = {
        dialect,
        url: suite.server.url,
        level: levelOf('repeatable-read'),
        namespace: 'anomalist_explore_told',
        workers: 2,
        orders: 'pruned',
        random: createRandom('told'),
        signal: NEVER,
        source: {
          allFixtures: [program.fixture],
          next: () => ({ ...program, number: ++number }),
          coverage: () => ({ pairs: 0, covered: 0 }),
          nameOf: () => ({ family: 'skew', form: 'point' }),
        },
        judge: () => ({ verdict: 'undocumented' }),
        // Programs run until a family is told; if none ever is, they end all the same.
        enough: () => told.length > 0 || number > MOST_UNTOLD,
        told: (family) => told.push(family),
        commandFor: () => '',
        heard: () => {},
      };
      const { report, explored } = await exploredLevel(plan);
      expect(told.map(({ name, programs, verdict }) => ({ name, programs, verdict }))).toEqual([
        { name: 'skew', programs: 1, verdict: 'undocumented' },
      ]);
      const { families } = await familiesOf(plan, explored);
      expect(report.families.map(comparable)).toEqual(families.map(comparable));
      expect(report.families[0]!.programs).toBe(explored.length);
      expect(await namespacesOf(suite.server.url, dialect)).toEqual(before);
    });

    it('leaves nothing behind when it is interrupted', async () => {
      const before = await namespacesOf(suite.server.url, dialect);
      const controller = new AbortController();
      const at: Target = { name: target, dialect, urls: [suite.server.url], words: '', close: async () => {} };
      const progress = new Progress(process.stderr, true);
      progress.tick = () => controller.abort();
      const report = await exploreTarget(
        at,
        { programs: 1_000, orders: 'pruned', workers: 2 },
        { seed: '1', progress, signal: controller.signal },
      );
      expect(report.endedEarly).toBe('interrupted');
      expect(report.levels[0]!.programs).toBeLessThan(1_000);
      expect(await namespacesOf(suite.server.url, dialect)).toEqual(before);
    });

    async function outcomesOf(runner: ServerRunner, program: Program, independent: Independent): Promise<ReadonlySet<string>> {
      const outcomes = new Set<string>();
      await enumerate(
        runner,
        program,
        firstState(program.fixture),
        independent,
        ({ outcome }) => (outcomes.add(outcomeKey(outcome)), true),
      );
      return outcomes;
    }
  },
  { fits: ({ ranLive }) => ranLive, protocol: true },
);

describe('an exploration', () => {
  it('names a level that the server lacks', async () => {
    const at = { name: '', dialect: { levels: [], title: 'None' }, urls: [''], words: '', close: async () => {} } as unknown as Target;
    await expect(
      exploreTarget(
        at,
        { level: ['snapshot-isolation'], orders: 'pruned' },
        { seed: '1', progress: new Progress(process.stderr, true), signal: NEVER },
      ),
    ).rejects.toThrow(/no such level/);
  });
});

/** A family without what differs between two confirmations: which runs showed it. */
function comparable({ name, fingerprint, oracle, difference, verdict, programs, forms }: ExploreFamily): unknown {
  return { name, fingerprint, oracle, difference, verdict, programs, forms };
}

async function namespacesOf(url: string, dialect: Dialect): Promise<readonly string[]> {
  const connection: Connection = await dialect.connect(url, {});
  try {
    const { rows } = await connection.query('SELECT schema_name FROM information_schema.schemata');
    return rows
      .map(([name]) => name ?? '')
      .filter((name) => name.startsWith('anomalist_'))
      .toSorted();
  } finally {
    await connection.end();
  }
}
