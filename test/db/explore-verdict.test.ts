/**
 * What a difference is told to be on real servers: an error of a key is excused by who overlapped alone, and of snapshots nothing
 * is said that was not tried.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Level } from '../../core/level/index.ts';
import type { ExploreFamily } from '../../core/verdict/index.ts';
import { exploreText } from '../../reports/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import type { Target } from '../../src/target/target.ts';
import { Progress } from '../../src/process/progress.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

/** Each meets a row that was there from the start, and then removes the row that the other one met. */
const CROSSED = `
-- @schema
CREATE TABLE t (k int PRIMARY KEY, v int NOT NULL);
-- @data
INSERT INTO t (k, v) VALUES (1, 10), (2, 20);
-- @transaction one
SAVEPOINT s;
INSERT INTO t (k, v) VALUES (1, 11);
ROLLBACK TO SAVEPOINT s;
DELETE FROM t WHERE k = 2;
-- @transaction two
SAVEPOINT s;
INSERT INTO t (k, v) VALUES (2, 21);
ROLLBACK TO SAVEPOINT s;
DELETE FROM t WHERE k = 1;
`;

/** One looks, finds nothing, and is told that the key is taken: by the other one, who came meanwhile. */
const MET = `
-- @schema
CREATE TABLE t (k int PRIMARY KEY, v int NOT NULL);
-- @data
INSERT INTO t (k, v) VALUES (1, 10);
-- @transaction look-and-put
SELECT k FROM t WHERE k = 3;
SAVEPOINT s;
INSERT INTO t (k, v) VALUES (3, 31);
ROLLBACK TO SAVEPOINT s;
-- @transaction put
INSERT INTO t (k, v) VALUES (3, 32);
`;

/** The parent goes with its children, of which one moves to another parent meanwhile. */
const MOVED = `
-- @schema
CREATE TABLE parents (id int PRIMARY KEY, v int NOT NULL);
CREATE TABLE children (id int PRIMARY KEY, parent_id int NOT NULL, v int NOT NULL,
  FOREIGN KEY (parent_id) REFERENCES parents (id) ON DELETE CASCADE);
-- @data
INSERT INTO parents (id, v) VALUES (1, 10), (2, 20);
INSERT INTO children (id, parent_id, v) VALUES (1, 1, 10);
-- @transaction remove
SELECT c.id FROM children AS c WHERE c.parent_id = 1;
DELETE FROM parents WHERE id = 1;
-- @transaction move
UPDATE children SET parent_id = 2 WHERE id = 1;
`;

describeEachServer(
  'the verdict of a difference',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const folder = mkdtempSync(path.join(tmpdir(), 'explore-verdict-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    async function families(text: string, level: Level, name: string): Promise<readonly [readonly ExploreFamily[], ExploreReport]> {
      const file = path.join(folder, 'own.sql');
      writeFileSync(file, text);
      const at: Target = { name: target, dialect, urls: [suite.server.url], words: `--target ${target}`, close: async () => {} };
      const report = await exploreTarget(
        at,
        { file, level: [level], orders: 'pruned', workers: 2, draws: 1 },
        { seed: '1', progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      );
      return [report.levels[0]!.families.filter((family) => family.name === name), report];
    }

    it('is never excused by transactions that overlap where the row that was met was there from the start', async () => {
      const [found, report] = await families(CROSSED, 'serializable', 'one + two');
      for (const { verdict, says } of found) {
        expect(verdict, exploreText(report)).not.toBe('documented');
        expect(says).not.toContain('overlapping');
      }
      // Elsewhere locks keep one of the two from it.
      if (dialect.allowedErrors !== undefined)
        expect(
          found.map(({ verdict }) => verdict),
          exploreText(report),
        ).toEqual(['undocumented']);
    });

    it.skipIf(dialect.allowedErrors === undefined)('is excused where the row came from a transaction that overlapped', async () => {
      const [found, report] = await families(MET, 'serializable', 'look-and-put + put');
      expect(
        found.map(({ verdict }) => verdict),
        exploreText(report),
      ).toEqual(['documented']);
      expect(found[0]!.says).toContain('overlapping');
    });

    it('says of snapshots beside the actions of foreign keys what was tried', async () => {
      const [found, report] = await families(MOVED, 'repeatable-read', 'remove + move');
      expect(found.length, exploreText(report)).toBeGreaterThan(0);
      for (const { difference } of found) {
        expect(difference, exploreText(report)).toMatch(/with the actions of foreign keys on the newest rows|is not settled/);
        expect(difference).not.toMatch(/on a snapshot of its own does$/);
      }
    });
  },
  { fits: (dialect) => dialect.ranLive && dialect.importer !== undefined, protocol: true },
);
