/**
 * `+small`: a server with its smallest limits starts, has them, and keeps its promise: at SERIALIZABLE nothing is found while
 * locks escalate, undo is cut off and many transactions end beside one that stays open.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../core/dialect/index.ts';
import { lookUpServer, startServer } from '../../dialects/index.ts';
import { Catalogue, createRandom } from '../../schema-gen/index.ts';
import { ServerRunner } from '../../src/explore/server-runner.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { unknownBugs } from './known-bugs.ts';
import { capabilitiesOf } from './server-capabilities.ts';

const ROUNDS = 3;

/** What a server of each kind says of itself when it is small, and does not say otherwise. */
const IN_FORCE: Readonly<Record<string, (connection: Connection) => Promise<boolean>>> = {
  // A row that is read by its key is remembered by its page, not by itself.
  postgres: async (connection) => {
    await connection.query('CREATE TABLE public.one (k int PRIMARY KEY)');
    try {
      await connection.query('INSERT INTO public.one SELECT generate_series(1, 500)');
      await connection.query('ANALYZE public.one');
      await connection.query('BEGIN ISOLATION LEVEL SERIALIZABLE');
      await connection.query('SET LOCAL enable_seqscan = off');
      await connection.query('SELECT k FROM public.one WHERE k = 7');
      const locks = await connection.query(
        "SELECT DISTINCT locktype FROM pg_locks WHERE mode = 'SIReadLock' AND relation = 'public.one'::regclass",
      );
      await connection.query('COMMIT');
      expect(locks.rows).toHaveLength(1);
      return locks.rows[0]![0] !== 'tuple';
    } finally {
      await connection.query('DROP TABLE public.one');
    }
  },
  mysql: async (connection) => isLess(await connection.query('SELECT @@innodb_buffer_pool_size'), 8 << 20),
  mariadb: async (connection) => isLess(await connection.query('SELECT @@innodb_buffer_pool_size'), 8 << 20),
};

function isLess({ rows }: Awaited<ReturnType<Connection['query']>>, bound: number): boolean {
  return Number(rows[0]![0]) < bound;
}

describeEachServer(
  'with its smallest limits',
  ({ target, dialect, start }) => {
    const has = IN_FORCE[dialect.name]!;

    it.each([
      ['has them', true, () => startServer(`${target}+small`)],
      ['has others without them', false, start],
    ])('%s', async (_, expected, started) => {
      const server = await started();
      try {
        const connection = await dialect.connect(server.url, {});
        try {
          expect(await has(connection)).toBe(expected);
        } finally {
          await connection.end();
        }
      } finally {
        await server.stop();
      }
    });

    it('drops all tables that an exploration makes', async () => {
      const server = await startServer(`${target}+small`);
      try {
        const capabilities = await capabilitiesOf(dialect, server.url);
        const { allFixtures } = new Catalogue(createRandom('1'), { capabilities, canForceIndexes: dialect.indexPlans !== undefined });
        const level = dialect.levels.find((each) => each.level === 'serializable')!;
        const namespace = 'anomalist_explore_small';
        const runner = await ServerRunner.open({ dialect, url: server.url, level, namespace, fixtures: allFixtures });
        await runner.close();
        const connection = await dialect.connect(server.url, {});
        try {
          await dialect.assertFree(connection, namespace);
        } finally {
          await connection.end();
        }
      } finally {
        await server.stop();
      }
    });

    it('shows nothing at SERIALIZABLE, of rounds with one old transaction among young ones too', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
      try {
        const words = ['run', '--target', `${target}+small`, '--level', 'serializable', '--cases', String(ROUNDS), '--seed', '79'];
        const { code, stdout, stderr } = await cli([...words, '--reduce-seconds', '0', '--out', folder, '--json']);
        const { runId, targets } = JSON.parse(stdout) as { runId: string; targets: Record<string, Record<string, Found>> };
        const { coverage, anomalies } = Object.values(targets)[0]!['serializable']!;
        const known = anomalies.byVerdict['bug']!;
        expect(code, stderr).toBe(known === 0 ? 0 : 1);
        expect(unknownBugs(folder, runId, dialect.name)).toEqual([]);
        expect(anomalies.total - known).toBe(0);
        expect(coverage.rounds).toBe(ROUNDS);
        expect(coverage.committed).toBeGreaterThan(100);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  },
  { inapplicable: ({ name }) => (name in IN_FORCE ? undefined : 'its smallest limits are not known') },
);

interface Found {
  readonly coverage: { readonly rounds: number; readonly committed: number };
  readonly anomalies: { readonly total: number; readonly byVerdict: Readonly<Record<string, number>> };
}

describe('a server whose smallest limits are not known', () => {
  it('is refused by its name', () => {
    expect(lookUpServer('tidb+small')).toMatchObject({
      target: 'tidb+small',
      available: false,
      reason: expect.stringContaining('leave out +small'),
    });
    expect(lookUpServer('nothing+small')).toBeUndefined();
  });

  it('is refused by each command', async () => {
    expect(await cli(['run', '--target', 'tidb+small', '--cases', '1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--target tidb+small cannot be started here: its smallest limits are not known here'),
    });
  });
});
