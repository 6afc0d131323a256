/**
 * A fault of PostgreSQL that `run` finds by the edge of a look which is no SELECT: at SERIALIZABLE two transactions each meet a
 * row by INSERT ... ON CONFLICT DO NOTHING and delete the row that the other one met, and both commit.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { hasKnownBugs, unknownBugs } from './known-bugs.ts';
import { raceSeeds } from './race-seeds.ts';
import { sharedServer } from './suite-server.ts';

/** In a schedule it is not the sessions' race which transactions meet; whether one of a seed lets these two is chance. */
const SEEDS = raceSeeds();

const WORKLOAD = `-- @schema
CREATE TABLE a (k INTEGER PRIMARY KEY, v INTEGER NOT NULL);
CREATE TABLE b (k INTEGER PRIMARY KEY, v INTEGER NOT NULL);
-- @data
INSERT INTO a (k, v) VALUES (1, 1);
INSERT INTO b (k, v) VALUES (1, 1);
-- @transaction left
INSERT INTO a (k, v) VALUES (1, 5) ON CONFLICT (k) DO NOTHING;
DELETE FROM b WHERE k = 1;
-- @transaction right
INSERT INTO b (k, v) VALUES (1, 6) ON CONFLICT (k) DO NOTHING;
DELETE FROM a WHERE k = 1;
`;

interface Found {
  readonly runId: string;
  readonly findings: readonly { readonly class: string; readonly verdict: string; readonly bareReplay?: { readonly seen: number } }[];
}

describeEachServer(
  'an upsert of nothing',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    let file: string;
    beforeAll(() => {
      file = join(mkdtempSync(join(tmpdir(), 'anomalist-test-')), 'upserts.sql');
      writeFileSync(file, WORKLOAD);
    });
    afterAll(() => rmSync(join(file, '..'), { recursive: true, force: true }));

    it('is found at SERIALIZABLE, occurs without probes too, and is known', async () => {
      for (const seed of SEEDS) {
        const place = [
          '--url',
          suite.server.url,
          '--workload',
          file,
          '--level',
          'serializable',
          '--mode',
          'schedule',
          '--out',
          suite.folder,
        ];
        const { code, stdout, stderr } = await cli(['run', ...place, '--cases', '20', '--seed', seed, '--json']);
        expect([0, 1], stderr).toContain(code);
        const { runId, findings } = JSON.parse(stdout) as Found;
        const bugs = findings.filter(({ verdict }) => verdict === 'bug');
        expect(code).toBe(bugs.length > 0 ? 1 : 0);
        if (bugs.length === 0) continue;
        expect(bugs[0]).toMatchObject({ class: 'G2', bareReplay: { seen: expect.any(Number) } });
        expect(bugs[0]!.bareReplay!.seen).toBeGreaterThan(0);
        expect(readdirSync(join(suite.folder, runId))).toContain('finding-1.json');
        expect(unknownBugs(suite.folder, runId, dialect.name)).toEqual([]);
        expect(unknownBugs(suite.folder, runId, 'another')).toContain('finding-1.json');
        return;
      }
      expect.fail(`no seed of ${SEEDS.length} showed it`);
    });
  },
  { fits: ({ name }) => hasKnownBugs(name) },
);
