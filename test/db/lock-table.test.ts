/**
 * Tests LOCK TABLE in the transactions of a file. A mode that conflicts with itself makes them safe, and a weak one does not. A
 * round records which transaction waits for the table. The lock opens no snapshot, so REPEATABLE READ stays safe too.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Level } from '../../core/level/index.ts';
import { instrument } from '../../instrument/index.ts';
import { exploreText } from '../../reports/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { importWorkload, parseWorkloadFile, workloadCase } from '../../schema-gen/index.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';
import { assessHistory } from '../../src/judge/assess/graph.ts';
import { Progress } from '../../src/process/progress.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

/** A booking must see at most two taken seats. Two transactions may both see the same count. */
const booking = (lock: string): string => `
-- @schema
CREATE TABLE seats (id int PRIMARY KEY, taken int NOT NULL);
-- @data
INSERT INTO seats (id, taken) VALUES (1, 0), (2, 1), (3, 1);
-- @transaction book
${lock}
SELECT count(*) INTO :taken FROM seats AS s WHERE s.taken = 1;
IF :taken > 2 ROLLBACK;
UPDATE seats SET taken = taken + 1 WHERE id = 1;
`;

describeEachServer(
  'LOCK TABLE',
  ({ target, dialect, capabilities, start }) => {
    const suite = sharedServer({ target, dialect, start });

    function explored(text: string, level: Level): Promise<ExploreReport> {
      const file = path.join(suite.folder, 'booking.sql');
      writeFileSync(file, text);
      return exploreTarget(
        { name: target, dialect, urls: [suite.server.url], words: '', close: async () => {} },
        { file, level: [level], orders: 'pruned', workers: 1, draws: 1 },
        { seed: '1', progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      );
    }

    it.each([
      ['LOCK TABLE seats IN SHARE ROW EXCLUSIVE MODE;', 'read-committed', 'safe'],
      // The SELECT after the lock takes the snapshot.
      ['LOCK TABLE seats IN SHARE ROW EXCLUSIVE MODE;', 'repeatable-read', 'safe'],
      ['LOCK TABLE seats IN ROW EXCLUSIVE MODE;', 'read-committed', 'not safe'],
    ] as const)('%s at %s makes two bookings %s', async (lock, level, answer) => {
      const report = await explored(booking(lock), level);
      const [both] = report.levels[0]!.together!;
      expect([both!.name, both!.answer], exploreText(report)).toEqual(['book + book', answer]);
    });

    it('is recorded with the wait for the table, and what is read behind it is seen', async () => {
      const { file } = parseWorkloadFile(booking('LOCK TABLE seats IN SHARE ROW EXCLUSIVE MODE;'));
      const { templates, refused } = importWorkload(file, await dialect.importer!(capabilities));
      expect(refused).toEqual([]);
      const drawn = workloadCase('lock', templates, { mode: 'schedule', sessions: { min: 2, max: 2 }, transactions: { min: 1, max: 1 } });
      const level: Level = 'read-committed';
      const outcome = await runRound({
        round: 0,
        probedCase: instrument({ ...drawn, schedule: [0, 1, 0, 1, 0, 0, 1, 1] }, { mode: 'exact', capabilities, level, images: true }),
        dialect,
        level: dialect.levels.find((each) => each.level === level)!,
        urls: [suite.server.url],
        mode: 'schedule',
        namespace: 'anomalist_lock_table',
        recorder: new Recorder(undefined, { tool: 'test', seed: '1' }),
      });
      expect(outcome.complete, outcome.reason).toBe(true);
      const { statements } = outcome.history;
      const locks = statements.kind.flatMap((kind, s) => (kind === 'lock table' ? [statements.blocked[s]] : []));
      expect(locks).toEqual([0, 1]);
      expect(assessHistory(outcome.history, { levels: ['serializable'], report: 'all' }).verdict.anomalies).toEqual([]);
    });
  },
  { fits: ({ capabilities, ranLive }) => ranLive && capabilities.tableLocks === true },
);
