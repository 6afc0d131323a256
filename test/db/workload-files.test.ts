/**
 * The shipped workload files on one server a protocol: each runs as its file says, shows an anomaly at READ COMMITTED within
 * a bounded number of rounds, and at SERIALIZABLE none, its invariants kept. A broken invariant is seen, and one that does
 * not even hold of the initial rows is refused.
 */
import { invariantQueries } from '../../src/judge/assess/invariants.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AnomalyClass, Level } from '../../core/level/index.ts';
import type { DialectLevel } from '../../core/dialect/index.ts';
import { instrument } from '../../instrument/index.ts';
import { fileWorkload, shippedFor } from '../../src/workload/file.ts';
import type { Workload } from '../../src/judge/workload.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';
import type { RoundOutcome } from '../../src/execute/index.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

/** A race decides what a round shows; a quiet machine needs one or two. */
const MOST_ROUNDS = 100;

/** A counter that two sessions read, and write what they read: after a lost update it is behind its log. */
const LOST = (initial: number): string => `
-- @schema
CREATE TABLE counters (k int PRIMARY KEY, v int NOT NULL);
CREATE TABLE log (n int PRIMARY KEY, v int NOT NULL);
-- @data
INSERT INTO counters (k, v) VALUES (1, ${initial});
-- @transaction count
-- @parameter :n unique
INSERT INTO log (n, v) SELECT :n, c.v + 1 FROM counters AS c WHERE c.k = 1;
UPDATE counters SET v = (SELECT l.v FROM log AS l WHERE l.n = :n) WHERE k = 1;
-- @invariant every-count-counts
SELECT c.v, (SELECT count(*) FROM log AS l) AS counted FROM counters AS c WHERE c.v <> (SELECT count(*) FROM log AS l2);
`;

/** After the first transaction `a` is ahead of `b`, and `b` has one row more. */
const AHEAD = (...invariants: readonly string[]): string => `
-- @schema
CREATE TABLE a (k int PRIMARY KEY, v int NOT NULL);
CREATE TABLE b (k int PRIMARY KEY, w int NOT NULL);
-- @data
INSERT INTO a (k, v) VALUES (1, 0);
INSERT INTO b (k, w) VALUES (1, 0);
-- @transaction go
-- @parameter :n unique
UPDATE a SET v = v + 1 WHERE k = 1;
INSERT INTO b (k, w) VALUES (:n, 0);
${invariants.map((sql, n) => `-- @invariant i${n}\n${sql};`).join('\n')}
`;

describeEachServer(
  'workload files',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });

    const levelOf = (name: Level): DialectLevel | undefined =>
      dialect.levels.find(({ level, aliasOf, offByDefault }) => level === name && aliasOf === undefined && offByDefault !== true);

    async function round(
      workload: Workload,
      level: DialectLevel,
      n: number,
    ): Promise<{ readonly outcome: RoundOutcome; readonly classes: readonly AnomalyClass[]; readonly violates: readonly Level[] }> {
      const testCase = workload.caseOf(`files/${n}`);
      const probedCase = instrument(testCase, { mode: 'exact', capabilities: dialect.capabilities, images: true, level: level.level });
      const namespace = `anomalist_files_${n}_${level.level.replace('-', '_')}`;
      const outcome = await runRound({
        round: n,
        probedCase,
        dialect,
        level,
        urls: [suite.server.url],
        mode: 'stress',
        namespace,
        recorder: new Recorder(undefined, { tool: 'test', seed: '0' }),
        invariants: invariantQueries(workload.invariants ?? [], dialect, namespace),
      });
      const { verdict } = workload.assess(outcome.history, testCase);
      return {
        outcome,
        classes: verdict.anomalies.map((anomaly) => anomaly.class),
        violates: verdict.levels.flatMap(({ level: each, answer }) => (answer === false ? [each] : [])),
      };
    }

    it.each(shippedFor(dialect).map(({ name }) => name))(
      '%s shows an anomaly at a weaker level, and none at SERIALIZABLE',
      async (name) => {
        const workload = await fileWorkload(name, { mode: 'stress', sessions: 4, transactions: 12 }, dialect);
        const weak = levelOf('read-committed') ?? levelOf('repeatable-read')!;
        let found = 0;
        for (let n = 0; n < MOST_ROUNDS && found === 0; n++) {
          const { outcome, classes } = await round(workload, weak, n);
          expect(outcome.reason).toBeUndefined();
          found += classes.length;
        }
        expect(found).toBeGreaterThan(0);

        const strong = levelOf('serializable');
        if (strong === undefined) return;
        const { outcome, violates } = await round(workload, strong, 0);
        expect(outcome.invariants.filter(({ count }) => count > 0)).toEqual([]);
        expect(outcome.invariants).toHaveLength(workload.invariants?.length ?? 0);
        expect(violates).not.toContain('serializable');
      },
    );

    it('a broken invariant is told with the rows that break it', async () => {
      const file = join(suite.folder, 'lost.sql');
      writeFileSync(file, LOST(0));
      const workload = await fileWorkload(file, { mode: 'schedule', sessions: 2, transactions: 1 }, dialect);
      const weak = levelOf('read-committed') ?? levelOf('repeatable-read')!;
      const broken: unknown[] = [];
      for (let n = 0; n < 40 && broken.length === 0; n++)
        broken.push(...(await round(workload, weak, n)).outcome.invariants.filter(({ count }) => count > 0));
      expect(broken[0]).toMatchObject({ name: 'every-count-counts', count: 1, rows: [['1', '2']] });
    });

    it('an invariant that does not hold of the initial rows is refused', async () => {
      const file = join(suite.folder, 'wrong.sql');
      writeFileSync(file, LOST(7));
      const workload = await fileWorkload(file, { mode: 'schedule', sessions: 2, transactions: 1 }, dialect);
      await expect(round(workload, dialect.levels[0]!, 0)).rejects.toThrow(
        /the invariant every-count-counts does not hold of the initial rows: its query returned 1 row: \(v 7, counted 0\)/,
      );
    });

    it('invariants with a natural join see what breaks them, and only that', async () => {
      const file = join(suite.folder, 'natural.sql');
      writeFileSync(
        file,
        AHEAD('SELECT k, v FROM a NATURAL JOIN b WHERE v > w', 'SELECT a.k FROM a NATURAL LEFT JOIN b WHERE b.w IS NULL'),
      );
      const { outcome } = await round(
        await fileWorkload(file, { mode: 'schedule', sessions: 1, transactions: 1 }, dialect),
        dialect.levels[0]!,
        0,
      );
      expect(outcome.invariants.map(({ count, rows }) => [count, rows])).toEqual([
        [1, [['1', '1']]],
        [0, []],
      ]);
    });

    it('an invariant that the server refuses is told by its name, and after a round leaves the others their answers', async () => {
      const file = join(suite.folder, 'refused.sql');
      const workload = async (...invariants: readonly string[]): Promise<Workload> => {
        writeFileSync(file, AHEAD(...invariants));
        return fileWorkload(file, { mode: 'schedule', sessions: 1, transactions: 1 }, dialect);
      };
      const twoRows = 'SELECT a.k FROM a WHERE (SELECT b.w FROM b) > 5';
      const { outcome } = await round(await workload(twoRows, 'SELECT k, v FROM a WHERE v > 0'), dialect.levels[0]!, 0);
      expect(outcome.complete).toBe(true);
      expect(outcome.invariants).toMatchObject([
        { name: 'i0', failed: expect.stringMatching(/more than (one|1) row/i) as string, count: 0 },
        { name: 'i1', count: 1 },
      ]);
      await expect(
        round(await workload(twoRows.replace('FROM b)', 'FROM b UNION ALL SELECT b.w + 1 AS w FROM b)')), dialect.levels[0]!, 1),
      ).rejects.toThrow(/the invariant i0 is refused by the server: .*more than (one|1) row/i);
    });

    it('the command line runs a file, and refuses one with all its reasons', async () => {
      const file = join(suite.folder, 'file.sql');
      writeFileSync(file, LOST(0));
      const args = (path: string): string[] => [
        'run',
        '--url',
        suite.server.url,
        '--workload',
        path,
        '--transactions',
        '3',
        '--cases',
        '1',
        '--level',
        dialect.levels.at(-1)!.level,
        '--reduce-seconds',
        '0',
        '--out',
        suite.folder,
        '--json',
      ];
      const ran = await cli(args(file));
      expect([0, 3], ran.stderr).toContain(ran.code);
      expect(ran.stdout).toContain('"every-count-counts"');
      expect(JSON.parse(ran.stdout)).toMatchObject({ command: expect.stringContaining(`--workload ${file} --transactions 3`) });

      const wrong = join(suite.folder, 'broken.sql');
      writeFileSync(wrong, `${LOST(0)}\n-- @transaction more\nSELEC v;\nDROP TABLE log;\n`);
      const refused = await cli(args(wrong));
      expect(refused.code).toBe(2);
      expect(refused.stderr).toMatch(/2 things are refused\.\n.*broken\.sql:15: .*\n.*broken\.sql:16: .*/);
    });
  },
  { fits: (dialect) => dialect.importer !== undefined, protocol: true },
);
