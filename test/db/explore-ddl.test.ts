/**
 * Programs that change tables, on real servers: each change is made and undone by the next reset, serial orders explain
 * themselves, TRUNCATE beside an older snapshot is found and told as what the vendor documents, with the command that gives it
 * again, and an index that was made beside writers is read by the audit. About ten seconds a server.
 */
import { beforeAll, expect, it } from 'vitest';
import { firstState } from '../../core/program/index.ts';
import type { Level } from '../../core/level/index.ts';
import type { Capabilities, TablePaths } from '../../core/dialect/index.ts';
import type { Program, Fixture } from '../../core/program/index.ts';
import { Catalogue, createRandom } from '../../schema-gen/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { exploreExit } from '../../src/app/commands/explore.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { exploreProgram } from '../../src/explore/explore-program.ts';
import type { ExploredProgram, Orders } from '../../src/explore/explore-program.ts';
import { stateKey } from '../../src/explore/outcome.ts';
import { oneByOne, play } from '../../src/explore/play.ts';
import { ServerRunner } from '../../src/explore/server-runner.ts';
import { changeRowFor } from '../../src/explore/table-changes.ts';
import { Progress } from '../../src/process/progress.ts';
import { describeEachServer } from './each-server.ts';
import { capabilitiesOf } from './server-capabilities.ts';
import { sharedServer } from './suite-server.ts';

/** What shows in what it refuses alone: it could not be made again otherwise. */
const HIDDEN: ReadonlySet<string> = new Set(['widen column', 'add check', 'add foreign key']);

describeEachServer(
  'programs that change tables',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    let capabilities: Capabilities;
    beforeAll(async () => {
      capabilities = await capabilitiesOf(dialect, suite.server.url);
    });
    const within = dialect.capabilities.tableChanges === 'within transactions';
    const catalogueOf = (seed: string, only: readonly string[] = []): Catalogue =>
      new Catalogue(createRandom(seed), { catalogueSet: 'ddl', capabilities, canForceIndexes: dialect.indexPlans !== undefined, only });
    let runners = 0;

    async function withRunner<T>(
      level: Level,
      fixtures: readonly Fixture[],
      work: (runner: ServerRunner, namespace: string) => Promise<T>,
    ): Promise<T> {
      const namespace = `anomalist_explore_ddl_test_${runners++}`;
      const { url } = suite.server;
      const runner = await ServerRunner.open({
        dialect,
        url,
        level: dialect.levels.find((each) => each.level === level)!,
        namespace,
        fixtures,
      });
      try {
        return await work(runner, namespace);
      } finally {
        await runner.close();
      }
    }

    /** What the server's own catalogue says of indexes. */
    async function indexesIn(namespace: string): Promise<readonly TablePaths[]> {
      const connection = await dialect.connect(suite.server.url, {});
      try {
        return await dialect.accessPaths!.of(connection, namespace);
      } finally {
        await connection.end();
      }
    }

    async function explored(level: Level, program: Program, orders: Orders = 'pruned'): Promise<ExploredProgram> {
      return withRunner(level, [program.fixture], (runner) =>
        exploreProgram(runner, program, { orders, most: 1_000, samples: 10, random: createRandom('1'), beginsCommute: false }),
      );
    }

    it('makes every change, and finds the tables as they were behind the next reset', async () => {
      const forms = [...catalogueOf('1').alone()].filter(({ kind }) => kind === 'changes');
      const one = forms.filter(({ name }, i) => forms.findIndex((form) => form.name === name) === i);
      expect(one).toHaveLength(12);
      await withRunner(
        'serializable',
        one.map(({ program }) => program.fixture),
        async (runner, namespace) => {
          const atFirst = await indexesIn(namespace);
          for (const { name, program } of one) {
            const from = firstState(program.fixture);
            await runner.load(program);
            for (const time of ['once', 'again']) {
              const { outcome } = (await play(runner, program, from, oneByOne([0])))!;
              expect([name, time, outcome.transactions[0]!.end]).toEqual([name, time, 'committed']);
              const differs =
                stateKey(outcome.state) !== stateKey(from) || JSON.stringify(await indexesIn(namespace)) !== JSON.stringify(atFirst);
              if (!HIDDEN.has(name)) expect([name, differs]).toEqual([name, true]);
            }
            await runner.reset(from);
            expect([name, stateKey(await runner.state())]).toEqual([name, stateKey(from)]);
            expect([name, await indexesIn(namespace)]).toEqual([name, atFirst]);
          }
        },
      );
    });

    it('explains every serial order by itself', async () => {
      const catalogue = catalogueOf('serial', ['truncate', 'rename table', 'drop column']);
      // No rows tell what a table is called; where an error leaves the transaction open, its end is compared.
      const forms = { 'reads 1': 'point', 'writes 1': 'set' };
      const gone = catalogue.program({ skeleton: 'change beside lost update', world: 'two rows', change: 'rename table', ...forms });
      for (const program of [gone, ...Array.from({ length: 5 }, () => catalogue.next()!)]) {
        const { found, violations } = await explored('serializable', program, 'serial');
        expect([program.made, found.length, violations.length]).toEqual([program.made, 0, 0]);
      }
    });

    /** One reads the other table first, and then comes to that which was emptied. */
    const truncated = within
      ? { skeleton: 'read skew by a change', 'reads 1': 'point', 'writes 2': 'set' }
      : { skeleton: 'change between reads of two', 'reads 1': 'point' };
    const level: Level = within ? 'serializable' : 'repeatable-read';

    it('finds TRUNCATE beside an older snapshot, which is documented', async () => {
      const program = catalogueOf('1').program({ ...truncated, world: 'two tables', change: 'truncate' });
      const { found, whole, violations } = await explored(level, program);
      expect(whole).toBe(true);
      expect(found.map(({ difference }) => difference.kind)).toEqual([within ? 'a change, no snapshot' : 'a change, an error']);
      expect(changeRowFor(program, found[0]!.played, dialect, level)?.says).toMatch(within ? /not MVCC-safe/ : /please retry transaction/);
      expect(violations.filter(({ violation }) => violation.kind !== 'part of a transaction')).toEqual([]);
      const below = catalogueOf('1').program({ ...truncated, world: 'two tables', change: 'create index' });
      expect((await explored(level, below)).violations).toEqual([]);
    });

    const never = new AbortController().signal;
    const reported = (options: Parameters<typeof exploreTarget>[1]): Promise<ExploreReport> =>
      exploreTarget(
        { name: target, words: `--target ${target}`, dialect, urls: [suite.server.url], close: async () => undefined },
        options,
        { seed: '1', progress: new Progress(), signal: never },
      );

    it('tells of it with the source and a command that gives it again', async () => {
      const only = ['truncate', truncated.skeleton, 'two tables'];
      const options = { catalogue: 'ddl', only, level: [level], orders: 'pruned' } as const;
      const report = await reported({ ...options, programs: 4, workers: 1 });
      expect(exploreExit(report)).toBe(0);
      const documented = report.levels[0]!.families.filter(({ source }) => dialect.tableChanges!.rows.some((row) => row.source === source));
      expect(documented.length).toBeGreaterThan(0);
      expect(new Set(report.levels[0]!.families.map(({ verdict }) => verdict))).toEqual(new Set(['documented']));
      const { example, name } = documented[0]!;
      expect(name).toMatch(/^truncate, /);
      expect(example.lines.some(({ sql }) => /TRUNCATE TABLE/.test(sql))).toBe(true);
      expect(example.command).toMatch(/ --catalogue ddl .*--seed 1 --program \d+$/);
      const again = await reported({ ...options, program: example.program });
      expect(again.levels[0]!.families.map((family) => family.name)).toContain(name);
    });

    it('reads by an index that was made beside writers as by a scan', async () => {
      const program = catalogueOf('1').program({
        skeleton: 'change beside two writers',
        world: 'two rows',
        change: 'create index',
        'writes 1': 'move the key',
      });
      const { orders, violations, found } = await explored('read-committed', program);
      expect([orders > 5, violations, found]).toEqual([true, [], []]);
      await withRunner('read-committed', [program.fixture], async (runner, namespace) => {
        await runner.load(program);
        await play(runner, program, firstState(program.fixture), oneByOne([0, 2, 1]));
        expect((await indexesIn(namespace)).flatMap(({ indexes }) => indexes.map(({ name }) => name))).toContain('two_v');
        expect(await runner.indexCorruption()).toEqual([]);
      });
    });
  },
  { fits: ({ tableChanges }) => tableChanges !== undefined },
);
