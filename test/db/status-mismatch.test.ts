/**
 * A server that answers a ROLLBACK and does not do it. Its protocol says so beside the reply, and every driver compares the two
 * after each reply: sessions at full speed, schedules, every order of small programs, and sessions stepped by hand.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { SqlConsole } from '../../src/console/sql-console.ts';
import { fixtureText } from '../../src/console/fixture.ts';
import { Progress } from '../../src/process/progress.ts';
import { openTarget } from '../../src/target/target.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { SWALLOWED_ROLLBACK, startFaultyProxy } from './faulty-proxy.ts';
import { raceSeeds } from './race-seeds.ts';
import { suiteServer } from './suite-server.ts';

interface RunJson {
  readonly findings: readonly { readonly verdict: string; readonly class: string }[];
}

const GIVES_UP = `-- @schema
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);

-- @data
INSERT INTO t (id, n) VALUES (1, 0), (2, 0);

-- @transaction gives-up rollback=100%
-- @parameter :k key of t
UPDATE t SET n = n + 1 WHERE id = :k;
`;

/** A seed whose programs have no planned ROLLBACK cannot meet the fault. */
const SEEDS = raceSeeds();

describeEachServer(
  'a ROLLBACK that is answered and not done',
  ({ target, dialect, start }) => {
    const suite = suiteServer(start);

    it.for(['stress', 'schedule'])('is found by %s, and verified', async (mode) => {
      const proxy = await startFaultyProxy(suite.server.url, SWALLOWED_ROLLBACK);
      try {
        const file = join(suite.folder, 'gives-up.sql');
        const out = join(suite.folder, mode);
        writeFileSync(file, GIVES_UP);
        const args = ['run', '--url', proxy.url, '--workload', file, '--mode', mode, '--level', 'read-committed', '--cases', '1'];
        const { code, stdout, stderr } = await cli([
          ...args,
          '--sessions',
          '2',
          '--transactions',
          '4',
          '--reduce-seconds',
          '0',
          '--out',
          out,
          '--json',
        ]);
        const { findings } = JSON.parse(stdout) as RunJson;
        expect(code, stderr).toBe(1);
        expect(findings.filter((finding) => finding.class === 'status-mismatch').map(({ verdict }) => verdict)).toContain('bug');
        expect(proxy.occurred()).toBeGreaterThan(0);
        const verified = await cli(['verify', join(out, readdirSync(out)[0]!)]);
        expect(verified.code, verified.stdout + verified.stderr).toBe(0);
      } finally {
        await proxy.close();
      }
    });

    it('is found by every order of small programs', async () => {
      const proxy = await startFaultyProxy(suite.server.url, SWALLOWED_ROLLBACK);
      try {
        let seen: readonly string[] | undefined;
        for (const seed of SEEDS) {
          const { levels } = await exploreTarget(
            { name: target, dialect, urls: [proxy.url], words: '', close: async () => {} },
            { level: ['serializable'], programs: 8, orders: 'pruned', workers: 1 },
            { seed, progress: new Progress(process.stderr, true), signal: new AbortController().signal },
          );
          seen = levels[0]!.families.find((family) => family.verdict === 'bug' && family.seen !== undefined)?.seen;
          if (seen !== undefined) break;
        }
        expect(seen?.join()).toMatch(/the protocol says that the session is inside a transaction; expected outside/);
      } finally {
        await proxy.close();
      }
    });

    it('is found by hand', async () => {
      const proxy = await startFaultyProxy(suite.server.url, SWALLOWED_ROLLBACK);
      const sqlConsole = await SqlConsole.open({
        open: () => openTarget([proxy.url], target),
        started: false,
        fixture: fixtureText('doctors'),
        sessions: 2,
        levels: ['read-committed'],
      });
      try {
        await sqlConsole.consoleSessions.send(0, 'UPDATE doctors SET on_call = 0 WHERE id = 1');
        const sent = await sqlConsole.consoleSessions.send(0, 'ROLLBACK');
        if ('refused' in sent) throw new Error(sent.refused);
        expect(sent.steps[0]!.mismatch).toEqual({ expected: 'outside', reported: 'inside' });
        expect(sqlConsole.consoleSessions.record.transactions[0]!.outcome).toBe('unknown');
        expect(await sqlConsole.consoleSessions.send(0, 'SELECT 1')).toEqual({ refused: expect.stringMatching(/the protocol says/) });
        const other = await sqlConsole.consoleSessions.send(1, 'SELECT id FROM doctors');
        expect('steps' in other && other.steps[0]!.reply?.rows.length).toBeGreaterThan(0);
      } finally {
        expect(await sqlConsole.close()).toBeUndefined();
        await proxy.close();
      }
    });
  },
  { fits: ({ ranLive }) => ranLive, protocol: true },
);
