/**
 * What workers do of campaigns besides rounds of generated programs: explorations, of which slices have all programs between
 * them, and workload files, whose text travels; two campaigns in one store. And what is in a worker's way: a target that goes
 * down, a store that does not come back, a signal before it has begun.
 */
import type { ExploreFamily } from '../../core/verdict/index.ts';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExploreReport } from '../../reports/index.ts';
import type { CampaignStatus } from '../../src/scale/campaign/status.ts';
import { Store } from '../../src/scale/campaign/store/store.ts';
import { cli, startCli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { OWN_WORKLOAD } from './every-command.ts';
import { startMessageProxy } from './message-proxy.ts';
import { until } from './process-watch.ts';
import { StoreServer } from './store-server.ts';
import { sharedServer } from './suite-server.ts';

const PROGRAMS = 8;
const TABLES = 'anomalist_campaigns';

interface Told {
  readonly count: number;
  readonly sql: string;
  readonly family: ExploreFamily;
}

describeEachServer(
  "a campaign's slices",
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const store = new StoreServer();
    /** In a folder of its own. */
    const campaign = (name: string, targets: readonly string[], job: string): string => {
      const folder = join(suite.folder, name);
      mkdirSync(folder);
      const lines = targets.map((variable) => `  - url-from: ${variable}\n`).join('');
      writeFileSync(join(folder, 'it.yaml'), `name: ${name}\nseed: 3\ntargets:\n${lines}levels: [read-committed]\njobs:\n  - ${job}\n`);
      return join(folder, 'it.yaml');
    };
    const begin = async (path: string): Promise<void> => {
      const { code, stderr } = await cli(['campaign', 'start', path, '--store', store.url]);
      expect(code, stderr).toBe(0);
    };
    const statusOf = async (name: string): Promise<CampaignStatus> => {
      const { stdout } = await cli(['campaign', 'status', '--store', store.url, '--json']);
      const { campaigns } = JSON.parse(stdout) as { readonly campaigns: readonly CampaignStatus[] };
      return campaigns.find((each) => each.name === name)!;
    };

    beforeAll(() => store.start());
    afterAll(() => store.end());

    it('of an exploration have its programs and pairs, those of a file need no file; two campaigns are apart in one store', async () => {
      const filed = campaign('filed', ['TARGET_A'], 'run: { rounds: 2, slice: 1, workload: own.sql, transactions: 4, reduce-seconds: 0 }');
      const own = join(suite.folder, 'filed', 'own.sql');
      writeFileSync(own, OWN_WORKLOAD);
      await begin(filed);
      rmSync(own);
      await begin(campaign('explored', ['TARGET_A'], `explore: { programs: ${PROGRAMS}, slice: 5, workers: 1 }`));
      const { code, stderr } = await startCli(['worker', '--store', store.url, '--until-done'], { TARGET_A: suite.server.url }).done;
      expect([code, stderr], stderr).toEqual([0, expect.stringContaining('4 slices done, 0 not')]);

      const words = ['--url', suite.server.url, '--level', 'read-committed', '--seed', '3', '--programs', String(PROGRAMS)];
      const whole = JSON.parse((await cli(['explore', ...words, '--workers', '1', '--json'])).stdout) as ExploreReport;
      const [level] = whole.levels;
      const explored = await statusOf('explored');
      expect(explored).toMatchObject({ slices: 2, done: 2, givenUp: 0, rounds: 0, programs: level!.programs });
      expect(explored.coverage).toEqual([
        {
          target: 0,
          job: 0,
          release: whole.server,
          level: 'read-committed',
          pairs: level!.coverage.pairs,
          covered: level!.coverage.covered,
        },
      ]);
      // Each program with a finding is counted once, and the example of each family is the smallest that was seen.
      const kept = await store.query<{ verdict: string; programs: number; statements: boolean }>(
        `SELECT verdict, sum(programs)::int AS programs, bool_and(statements = jsonb_array_length(family->'example'->'lines')) AS statements
         FROM ${TABLES}.explored_finding GROUP BY verdict ORDER BY verdict`,
      );
      const counted = await store.query<{ verdict: string; programs: number }>(
        `SELECT found.key AS verdict, sum(found.value::int)::int AS programs FROM ${TABLES}.result,
           jsonb_array_elements(explored->'levels') AS level, jsonb_each_text(level->'found') AS found GROUP BY 1 ORDER BY 1`,
      );
      expect(kept).toEqual(counted.map((row) => ({ ...row, statements: true })));
      expect(kept.length).toBeGreaterThan(0);
      // They are told with their examples, and count for the exit code.
      const told = await cli(['campaign', 'findings', 'explored', '--store', store.url, '--json', '--fail-on', 'any']);
      const { explored: families } = JSON.parse(told.stdout) as { readonly explored: readonly Told[] };
      expect([told.code, families.reduce((sum, { count }) => sum + count, 0)]).toEqual([
        1,
        kept.reduce((sum, { programs }) => sum + programs, 0),
      ]);
      for (const { sql, family } of families) {
        expect(family.example.command).toMatch(/--program \d+/);
        expect(sql).toMatch(/\bs1 .*\bs2 |\bs2 .*\bs1 /s);
      }
      const status = await cli(['campaign', 'status', '--store', store.url, '--since', '2020-01-01', '--json']);
      const { campaigns } = JSON.parse(status.stdout) as { readonly campaigns: readonly CampaignStatus[] };
      expect(campaigns.find((each) => each.name === 'explored')!.news).toBe(families.length);

      expect(await statusOf('filed')).toMatchObject({ slices: 2, done: 2, givenUp: 0, rounds: 2, programs: 0, coverage: [] });
      const others = await store.query(`SELECT 1 FROM ${TABLES}.finding WHERE campaign <> 'filed'`);
      expect(others).toEqual([]);
    });

    it('of a workload file that is refused are queued for nobody, nor those of a word that names no form', async () => {
      const path = campaign('refused', ['TARGET_A'], 'run: { rounds: 2, slice: 1, workload: own.sql }');
      const missing = await cli(['campaign', 'start', path, '--store', store.url]);
      expect([missing.code, missing.stderr]).toEqual([2, expect.stringMatching(/it\.yaml: workload own\.sql: the file cannot be read/)]);
      writeFileSync(join(suite.folder, 'refused', 'own.sql'), 'SELECT 1;\n');
      const wrong = await cli(['campaign', 'start', path, '--store', store.url]);
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('own.sql:1: ')]);
      const named = join(suite.folder, 'named.yaml');
      writeFileSync(
        named,
        'name: named\nseed: 1\ntargets: [{ target: postgres@18 }]\njobs:\n  - explore: { programs: 2, slice: 1, only: [zebra] }\n',
      );
      const none = await cli(['campaign', 'start', named, '--store', store.url]);
      expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('zebra')]);
    });

    it('of a target that goes down wait, and those of another one are done', async () => {
      const rounds = 3;
      // It goes in the middle of the first slice that is tried on it.
      const proxy = await startMessageProxy(suite.server.url, {
        fromClient: (message) => {
          if (/create schema/i.test(message.toString('latin1'))) void proxy.close();
          return message;
        },
      });
      await begin(
        campaign('down', ['TARGET_A', 'TARGET_B'], `run: { rounds: ${rounds}, slice: 1, mode: schedule, sessions: 2, reduce-seconds: 0 }`),
      );
      const { child, done } = startCli(['worker', '--store', store.url], { TARGET_A: suite.server.url, TARGET_B: proxy.url });
      let said = '';
      child.stderr!.on('data', (text: string) => (said += text));
      const ofA = `SELECT 1 FROM ${TABLES}.result WHERE campaign = 'down' AND target = 0`;
      const isOver = async (): Promise<boolean> => said.includes('$TARGET_B is down') && (await store.query(ofA)).length === rounds;
      expect(await until(async () => child.exitCode !== null || (await isOver()))).toBe(true);
      child.kill('SIGTERM');
      const { code, stderr } = await done;
      expect([code, stderr], stderr).toEqual([130, expect.stringMatching(/\$TARGET_B is down \(.*\): its slices are left to others/)]);
      expect(await statusOf('down')).toMatchObject({ slices: 2 * rounds, done: rounds, givenUp: 0 });
    });

    it('end with the store: it is tried for a while, then named, without its password', async () => {
      const url = new URL(store.url);
      url.password = 's3cret';
      const client = new Store(url.href, 500);
      await client.open();
      await store.stop();
      await expect(client.campaigns()).rejects.toThrow(
        /^the store postgres:\/\/postgres:\*\*\*@127.*cannot be reached \(.*\), tried for 1 s; is its server up/,
      );
      await client.close();
      await store.start();
    });
  },
  { once: true },
);

it('a worker that is told to end while it is loaded has the exit code of one that is told later', async () => {
  // The signal comes with the first handler of it, which is there before anything else is.
  const preload = `process.on('newListener', (name) => name === 'SIGTERM' && setImmediate(() => process.kill(process.pid, name)))`;
  const { code, signal, stdout, stderr } = await cli(['worker', '--store', 'postgres://postgres@127.0.0.1:9/none'], {
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(preload)}`,
  });
  expect({ code, signal, stdout, stderr }).toEqual({ code: 130, signal: null, stdout: '', stderr: '' });
});
