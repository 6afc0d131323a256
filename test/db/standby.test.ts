/**
 * A PostgreSQL primary with a streaming standby: a standby that lags is reported as stale and never as a lost write, one
 * that has caught up shows nothing. The lag is made: replay is paused, or delayed by a setting.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseError } from '../../core/base/index.ts';
import type { Level } from '../../core/level/index.ts';
import type { Connection, Dialect } from '../../core/dialect/index.ts';
import type { TxnPlan } from '../../core/program/index.ts';
import type { Anomaly } from '../../core/verdict/index.ts';
import { availableServers, postgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { judge } from '../../check/index.ts';
import { judgedConfiguration } from '../../src/judge/assess/configuration.ts';
import { assessHistory } from '../../src/judge/assess/graph.ts';
import { laggingEndpoints, Recorder, runRound } from '../../src/execute/index.ts';
import type { RoundOutcome } from '../../src/execute/index.ts';
import { cli } from './cli.ts';
import { raceSeeds } from './race-seeds.ts';
import { probed, read, txn, write } from './run-case.ts';

const servers = availableServers();
for (const { target, why } of servers.skipped.filter((each) => each.target.endsWith('+standby')))
  describe.skip(`a standby: ${target}, skipped: ${why}`, () => it('', () => {}));
const standbys = servers.chosen.filter(({ target }) => target.endsWith('+standby'));
// How a standby lags does not depend on the release; of PostgreSQL there are many at hand.
const chosen = process.env['ANOMALIST_SERVERS'] === undefined ? standbys.slice(0, 1) : standbys;

describe.each(chosen)('$target', ({ target, start }) => {
  let server: StartedServer;
  let primary: Connection;
  let standby: Connection;
  let rounds = 0;

  beforeAll(async () => {
    server = await start({});
    [primary, standby] = (await Promise.all(server.urls.map((url) => postgres.connect(url, {})))) as [Connection, Connection];
  });

  afterAll(async () => {
    await Promise.all([primary, standby].map((each) => each?.end()));
    await server?.stop();
  });

  async function play(
    sessions: readonly (readonly TxnPlan[])[],
    schedule: readonly number[],
    at: Level,
    dialect: Partial<Dialect> = {},
    catchUpMs = 300_000,
  ): Promise<{ outcome: RoundOutcome; anomalies: readonly Anomaly[]; verdicts: readonly string[] }> {
    const level = postgres.levels.find((row) => row.level === at)!;
    const outcome = await runRound({
      round: 0,
      probedCase: probed(sessions, { mode: 'exact', capabilities: postgres.capabilities, schedule, images: true }),
      dialect: { ...postgres, ...dialect },
      level,
      urls: server.urls,
      mode: 'schedule',
      namespace: `standby_test_${rounds++}`,
      recorder: new Recorder(undefined, { tool: 'test', seed: 's' }),
      catchUpMs,
    });
    const { anomalies } = assessHistory(outcome.history).verdict;
    return {
      outcome,
      anomalies,
      verdicts: anomalies.map((anomaly) => judge(anomaly, at, judgedConfiguration(outcome, anomaly), postgres.promises, postgres).verdict),
    };
  }

  /** The schema must arrive within such a time before the pause, which lasts as long again; a slow machine needs a longer one. */
  const PAUSES_MS = [10_000, 40_000, 160_000];
  /** The schema is there by then, and no session has begun. */
  const paused: Partial<Dialect> = {
    facts: async (connection) => {
      await standby.query('SELECT pg_wal_replay_pause()');
      return postgres.facts(connection);
    },
  };

  async function playedWhilePaused(at: Level): ReturnType<typeof play> {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await play([[txn(1, write('t', 1, 11))], [txn(2, read('t', 1))]], [0, 0, 0, 1, 1, 1], at, paused, pauseMs);
      } catch (error) {
        if (!(error instanceof DatabaseError && error.message.includes('was not seen on'))) throw error;
      }
    }
    throw new Error(`the schema was not seen on the standby within ${PAUSES_MS.at(-1)} ms`);
  }

  for (const at of ['repeatable-read', 'serializable'] as const) {
    it(`is stale while its replay is paused, and nothing worse, at ${at}`, async () => {
      try {
        const { outcome, anomalies, verdicts } = await playedWhilePaused(at);

        expect(outcome).toMatchObject({ complete: true, laggingEndpoints: [1], placed: [0, 1, 0, 1] });
        expect(outcome.inForce).toEqual(at === 'serializable' ? { serializable: 1, 'repeatable read': 1 } : { 'repeatable read': 2 });
        expect(anomalies.length).toBeGreaterThan(0);
        for (const anomaly of anomalies)
          expect(anomaly).toMatchObject({ class: 'G-single-item-realtime', shapes: ['stale read'], levels: ['strict-serializable'] });
        expect(new Set(verdicts)).toEqual(new Set(['documented']));
      } finally {
        await standby.query('SELECT pg_wal_replay_resume()');
      }
    });
  }

  it('shows nothing once it has caught up', async () => {
    const patient: Partial<Dialect> = {
      connect: async (url, options) => {
        const connection = await postgres.connect(url, options);
        if (url !== server.urls[1]) return connection;
        const begin = connection.begin.bind(connection);
        connection.begin = async (level) => {
          expect(await laggingEndpoints(postgres, [primary, standby], 300_000, () => false)).toEqual(new Set());
          return begin(level);
        };
        return connection;
      },
    };
    const { outcome, anomalies } = await play(
      [
        [txn(1, write('t', 1, 11)), txn(3, write('t', 1, 13))],
        [txn(2, read('t', 1)), txn(4, read('t', 1))],
      ],
      [0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1],
      'repeatable-read',
      patient,
    );

    expect(outcome).toMatchObject({ complete: true, laggingEndpoints: [] });
    expect(anomalies).toEqual([]);
    // It saw what was committed: not an empty record.
    expect(
      outcome.history.statements.result.filter((rows, s) => outcome.history.statements.kind[s] === 'select' && rows !== undefined),
    ).toEqual([[['11']], [['13']]]);
  });

  it('takes readers only, whatever was dealt to it', async () => {
    const { outcome } = await play([[txn(1, read('t', 1))], [txn(2, write('t', 1, 5))]], [0, 0, 0, 1, 1, 1], 'read-committed');

    expect(outcome).toMatchObject({ complete: true, placed: [0, 0, 0, 1] });
  });

  it('that is delayed by a setting makes a run find stale reads and no lost write', async () => {
    const out = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
    try {
      await standby.query(`ALTER SYSTEM SET recovery_min_apply_delay TO '400ms'`);
      await standby.query('SELECT pg_reload_conf()');
      // Which transactions a reader of the standby misses depends on the sessions' race.
      let stale = 0;
      for (const seed of raceSeeds(5)) {
        const words = ['--level', 'serializable', '--cases', '2', '--seed', seed, '--reduce-seconds', '0', '--out', out, '--json'];
        const { code, stdout, stderr } = await cli(['run', ...server.urls.flatMap((url) => ['--url', url]), ...words]);
        expect(code, stderr).toBe(0);
        const report = JSON.parse(stdout) as { readonly targets: Readonly<Record<string, { readonly serializable: Found }>> };
        const { coverage, anomalies } = Object.values(report.targets)[0]!.serializable;
        console.log(
          `${target}, serializable, delayed by 400 ms, seed ${seed}: ${coverage.committed} committed; ${JSON.stringify(anomalies)}`,
        );
        expect(coverage.rounds).toBe(2);
        expect(anomalies.byVerdict['bug']).toBe(0);
        // A lost write would be one of the classes without a cycle, or a cycle that is one without session and real time.
        for (const name of Object.keys(anomalies.byClass)) expect(name).toMatch(/-realtime$|-session$|^G2/);
        stale = anomalies.byShape['stale read'] ?? 0;
        if (stale > 0) break;
      }
      expect(stale).toBeGreaterThan(0);
    } finally {
      await standby.query('ALTER SYSTEM RESET recovery_min_apply_delay');
      await standby.query('SELECT pg_reload_conf()');
      rmSync(out, { recursive: true, force: true });
    }
  });
});

interface Found {
  readonly coverage: { readonly rounds: number; readonly committed: number };
  readonly anomalies: {
    readonly byVerdict: Readonly<Record<string, number>>;
    readonly byShape: Readonly<Record<string, number>>;
    readonly byClass: Readonly<Record<string, unknown>>;
  };
}
