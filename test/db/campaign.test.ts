/**
 * A campaign on one store: its workers do each slice once, and no finding is lost or counted twice, though one worker is
 * killed in the middle of a slice, one is told to end, and the store's server is started anew while they work. And stores and campaigns that are not ours to work on.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CampaignStatus } from '../../src/scale/campaign/status.ts';
import { cli, startCli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { until } from './process-watch.ts';
import { StoreServer } from './store-server.ts';
import { sharedServer } from './suite-server.ts';

const TARGET = 'CAMPAIGN_TEST_TARGET';
const ROUNDS = 24;
const SLICE = 2;

interface Counted {
  readonly level: string;
  readonly verdict: string;
  readonly count: number;
}

describeEachServer(
  'a campaign',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const store = new StoreServer();
    const written = (name: string, text: string): string => {
      const path = join(suite.folder, name);
      writeFileSync(path, text);
      return path;
    };
    const campaign = (name: string, more = ''): string =>
      written(
        `${name}.yaml`,
        `name: ${name}\nseed: 5\ntargets:\n  - url-from: ${TARGET}\nlevels: [read-committed, serializable]\n${more}jobs:\n  - run: { rounds: ${ROUNDS}, slice: ${SLICE}, mode: schedule, sessions: 4, reduce-seconds: 0 }\n`,
      );
    const worker = (...more: readonly string[]): ReturnType<typeof startCli> =>
      startCli(['worker', '--store', store.url, ...more], { [TARGET]: suite.server.url });
    const leased = async (pid: number): Promise<boolean> =>
      (
        await store.query(
          `SELECT 1 FROM anomalist_campaigns.lease l JOIN anomalist_campaigns.worker w ON w.id = l.worker WHERE w.pid = ${pid}`,
        )
      ).length > 0;

    beforeAll(() => store.start());
    afterAll(() => store.end());

    it('does every slice once and loses no finding, whoever dies', async () => {
      const started = await cli(['campaign', 'start', campaign('nightly'), '--store', store.url]);
      expect(started.stdout, started.stderr).toBe(`nightly: ${ROUNDS / SLICE} slices are queued; anomalist worker --store ... does them\n`);
      const [killed, told, staying] = [worker(), worker(), worker('--until-done')];
      await until(async () => leased(killed.child.pid!));
      killed.child.kill('SIGKILL');
      await until(async () => leased(told.child.pid!));
      told.child.kill('SIGTERM');
      expect((await told.done).code).toBe(130);
      await store.stop();
      await store.start();
      const { code, stderr } = await staying.done;
      expect([code, (await killed.done).signal], stderr).toEqual([0, 'SIGKILL']);

      const said = await cli(['campaign', 'status', '--store', store.url, '--json']);
      const [status] = (JSON.parse(said.stdout) as { readonly campaigns: readonly CampaignStatus[] }).campaigns;
      const all = ROUNDS / SLICE;
      expect(status).toMatchObject({ name: 'nightly', slices: all, done: all, underWay: 0, givenUp: 0, rounds: 2 * ROUNDS });
      // The one that was killed in a slice left it; the one that was told to end gave it back.
      expect(status!.attempts).toEqual({ 'the worker died, or could not reach the store': 1 });

      // Every round of every slice once; each anomaly that an accepted result counts is one of a finding, once.
      const rounds = await store.query<{ rounds: number }>(
        `SELECT (level->'coverage'->>'rounds')::int AS rounds FROM anomalist_campaigns.result, jsonb_array_elements(report->'levels') AS level`,
      );
      expect(rounds.map((row) => row.rounds)).toEqual(Array.from({ length: 2 * all }, () => SLICE));
      const kept = await store.query<Counted>(
        'SELECT level, verdict, sum(count)::int AS count FROM anomalist_campaigns.finding GROUP BY level, verdict ORDER BY level, verdict',
      );
      const counted = await store.query<Counted>(
        `SELECT level->>'level' AS level, verdict.key AS verdict, sum(verdict.value::int)::int AS count
         FROM anomalist_campaigns.result, jsonb_array_elements(report->'levels') AS level, jsonb_each(level->'classes') AS class,
           jsonb_each_text(class.value) AS verdict GROUP BY 1, 2 ORDER BY 1, 2`,
      );
      expect(kept.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(2);
      expect(kept).toEqual(counted);
      expect((await store.query('SELECT 1 FROM anomalist_campaigns.finding WHERE file IS NOT NULL')).length).toBeGreaterThan(0);
      expect(JSON.stringify(await store.query('SELECT * FROM anomalist_campaigns.campaign'))).not.toContain('postgres://');
    });

    it('gives a slice up that fails again and again, and goes on with another campaign of the same store', async () => {
      await cli(['campaign', 'start', campaign('hopeless', 'attempts: 2\n'), '--store', store.url]);
      await store.query(
        `UPDATE anomalist_campaigns.campaign SET file = jsonb_set(file, '{levels}', '["consistent-view"]') WHERE name = 'hopeless'`,
      );
      const { code, stderr } = await worker('--until-done').done;
      expect(code, stderr).toBe(0);
      expect(stderr).toContain('--level consistent-view');
      const [row] = await store.query<{ n: number; twice: boolean }>(
        `SELECT count(*)::int AS n, (SELECT bool_and(n = 2) FROM (SELECT count(*) AS n FROM anomalist_campaigns.attempt WHERE campaign = 'hopeless' GROUP BY turn) AS each) AS twice FROM anomalist_campaigns.given_up WHERE campaign = 'hopeless'`,
      );
      expect(row).toEqual({ n: ROUNDS / SLICE, twice: true });
    });

    it('stops, and leaves to workers of its own version what another version started', async () => {
      await cli(['campaign', 'start', campaign('stopped'), '--store', store.url]);
      await cli(['campaign', 'start', campaign('older'), '--store', store.url]);
      expect((await cli(['campaign', 'stop', 'stopped', '--store', store.url])).code).toBe(0);
      await store.query(`UPDATE anomalist_campaigns.campaign SET tool = 'anomalist 0.0.1' WHERE name = 'older'`);
      const waiting = worker();
      let said = '';
      waiting.child.stderr!.on('data', (text: string) => (said += text));
      await until(async () => said.includes('older was started by anomalist 0.0.1'));
      waiting.child.kill('SIGTERM');
      expect((await waiting.done).stderr).toContain('0 slices done, 0 not');
      const none = await cli(['campaign', 'stop', 'nobody', '--store', store.url]);
      expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('it has nightly, hopeless, stopped, older')]);
      const again = await cli(['campaign', 'start', campaign('older'), '--store', store.url]);
      expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('campaign older was started before')]);
    });

    it('does not test its own store, nor a server that nobody knows', async () => {
      await cli(['campaign', 'start', campaign('itself'), '--store', store.url]);
      const { code, stderr } = await startCli(['worker', '--store', store.url], { [TARGET]: store.url }).done;
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${TARGET} names the server that is the store itself`)]);
      const path = written(
        'unknown.yaml',
        'name: x\nseed: 1\ntargets: [{ target: oracle@99 }]\njobs: [{ run: { rounds: 1, slice: 1 } }]\n',
      );
      const unknown = await cli(['campaign', 'start', path, '--store', store.url]);
      expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('there is no server oracle@99')]);
    });

    it('has a store of its own on this machine, which keeps what it holds while its server does not run', async () => {
      const home = mkdtempSync(join(tmpdir(), 'anomalist-home-'));
      chmodSync(home, 0o755);
      const env = { XDG_DATA_HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
      try {
        const started = await cli(['campaign', 'start', campaign('mine')], env);
        expect([started.code, started.stdout], started.stderr).toEqual([0, expect.stringContaining('mine: 12 slices are queued')]);
        expect((await cli(['servers', 'stop', 'campaign-store'], env)).code).toBe(0);
        const status = await cli(['campaign', 'status'], env);
        expect([status.code, status.stdout], status.stderr).toEqual([0, expect.stringContaining('mine: running; 0 of 12 slices done')]);
      } finally {
        await cli(['servers', 'stop', 'campaign-store'], env);
        rmSync(home, { recursive: true, force: true });
      }
    });

    it('is refused on what is no store of ours, or one of another version', async () => {
      for (const name of ['empty', 'others', 'newer']) await store.query(`CREATE DATABASE ${name}`);
      await store.query('CREATE SCHEMA anomalist_campaigns', 'others');
      await cli(['campaign', 'start', campaign('any'), '--store', store.of('newer')]);
      await store.query('UPDATE anomalist_campaigns.store SET version = 99', 'newer');
      for (const [name, words] of [
        ['empty', 'no campaign was started there'],
        ['others', 'has a schema anomalist_campaigns that anomalist did not make'],
        ['newer', 'it is of version 99 (anomalist 0.1.0), expected 2'],
      ] as const)
        for (const command of [['worker'], ['campaign', 'status']]) {
          const { code, stderr } = await cli([...command, '--store', store.of(name)]);
          expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
        }
    });

    it('writes nothing to a schema of the name that its queue has', async () => {
      await store.query('CREATE DATABASE queued');
      await store.query('CREATE SCHEMA anomalist_queue', 'queued');
      const { code, stderr } = await cli(['campaign', 'start', campaign('queued'), '--store', store.of('queued')]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('has a schema anomalist_queue that anomalist did not make')]);
    });
  },
  { once: true },
);
