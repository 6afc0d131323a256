/**
 * Which anomaly broke an invariant: its transactions are run again alone, where they break it in the order that was observed
 * and keep it one after the other. And which of a user's overwritten rows is a lost update: none that was computed from what
 * it replaced. Each round has its order given, so nothing here hangs on a race.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TestCase } from '../../core/program/index.ts';
import type { Anomaly } from '../../core/verdict/index.ts';
import { instrument } from '../../instrument/index.ts';
import { invariantCause } from '../../src/judge/assess/invariant-cause.ts';
import { invariantQueries } from '../../src/judge/assess/invariants.ts';
import { serialControl } from '../../src/judge/assess/serial-control.ts';
import { withKeptUpdates } from '../../src/judge/assess/kept-updates.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';
import { fileWorkload } from '../../src/workload/file.ts';
import { COUNTER } from './counter-workload.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

const LOST = `${COUNTER}-- @invariant every-count-counts
SELECT c.v FROM counters AS c WHERE c.v <> (SELECT count(*) FROM log AS l);
-- @invariant nothing-below-one
SELECT c.v FROM counters AS c WHERE c.v < 0;
`;

/** One is to be taken, and who looks second takes none; alone none of the two breaks it. */
const TAKEN = `
-- @schema
CREATE TABLE places (k int PRIMARY KEY, taken int NOT NULL);
CREATE TABLE guests (n int PRIMARY KEY);
-- @data
INSERT INTO places (k, taken) VALUES (1, 0);
-- @transaction take
-- @parameter :n unique
SELECT taken INTO :taken FROM places WHERE k = 1;
IF :taken > 0 ROLLBACK;
INSERT INTO guests (n) VALUES (:n);
UPDATE places SET taken = 1 WHERE k = 1;
-- @invariant one-guest
SELECT p.k FROM places AS p WHERE (SELECT count(*) FROM guests AS g) > 1;
`;

const SOLD = (set: string): string => `
-- @schema
CREATE TABLE products (id int PRIMARY KEY, stock int NOT NULL);
-- @data
INSERT INTO products (id, stock) VALUES (1, 9);
-- @transaction sell
SELECT stock FROM products WHERE id = 1;
UPDATE products SET ${set} WHERE id = 1 AND stock > 0;
`;

/** The first has read before the second begins, and writes once that is over. */
const AROUND = [0, 0, 1, 1, 1, 1, 0, 0];

describeEachServer(
  'what broke an invariant',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const level = dialect.levels.find((each) => each.level === 'read-committed')!;

    async function played(text: string, pairs = 1, around: readonly number[] = AROUND) {
      const path = join(suite.folder, 'file.sql');
      writeFileSync(path, text);
      const workload = await fileWorkload(path, { mode: 'schedule', sessions: 2, transactions: pairs }, dialect);
      const testCase: TestCase = { ...workload.caseOf('1'), schedule: Array.from({ length: pairs }, () => around).flat() };
      const namespace = 'anomalist_cause';
      const { history, invariants } = await runRound({
        round: 0,
        probedCase: instrument(testCase, { mode: 'exact', capabilities: dialect.capabilities, images: true, level: level.level }),
        dialect,
        level,
        urls: [suite.server.url],
        mode: 'schedule',
        namespace,
        recorder: new Recorder(undefined, { tool: 'test', seed: '1' }),
        invariants: invariantQueries(workload.invariants ?? [], dialect, namespace),
      });
      const { anomalies } = workload.assess(history, testCase).verdict;
      const traced = async (name: string, among: readonly Anomaly[] = anomalies) => {
        const { cause, leftovers } = await invariantCause({
          round: 0,
          history,
          testCase,
          anomalies: among,
          query: workload.invariants!.find((each) => each.name === name)!.query,
          invariant: invariantQueries(workload.invariants!, dialect, 'anomalist_cause_b').find((each) => each.name === name)!,
          answer: invariants.find((each) => each.name === name)!,
          dialect,
          level,
          url: suite.server.url,
          namespace: 'anomalist_cause_b',
          signal: new AbortController().signal,
          limitMs: Number.POSITIVE_INFINITY,
        });
        expect(leftovers).toEqual([]);
        return cause;
      };
      return { history, testCase, anomalies, invariants, traced };
    }

    it('is the anomaly whose transactions break it alone, and keep it one after the other', async () => {
      const { invariants, anomalies, traced } = await played(LOST);
      expect(invariants.map(({ count }) => count)).toEqual([1, 0]);
      expect(await traced('every-count-counts')).toMatchObject({
        brokenBy: {
          class: 'G-single-item',
          shapes: ['lost update'],
          fingerprint: anomalies.find(({ shapes }) => shapes[0] === 'lost update')!.fingerprint,
          transactions: [{ name: 'count' }, { name: 'count' }],
          replayed: { tries: 3, seen: 3 },
          inTurn: 2,
        },
      });
      // They are beside each other, and do not break it.
      expect(await traced('nothing-below-one')).toEqual({ untracedAfter: { tried: 1, of: 1 } });
      expect(await traced('every-count-counts', [])).toEqual({ untracedAfter: { tried: 0, of: 0 } });
    });

    it('begins with the first rows, where the rows as they were break it already', async () => {
      const { testCase, anomalies, traced } = await played(LOST, 2);
      const second = testCase.sessions.map(({ transactions }) => transactions[1]!.id);
      const lost = anomalies.find(({ shapes }) => shapes[0] === 'lost update')!;
      expect(await traced('every-count-counts', [{ ...lost, transactions: second }])).toMatchObject({
        brokenBy: { fromFirstRows: true, transactions: second.map((id) => ({ id })), replayed: { tries: 3, seen: 3 }, inTurn: 2 },
      });
    });

    it('one after the other a transaction that ends by its own IF keeps it, and is no failure of the control', async () => {
      const { history, testCase, invariants } = await played(TAKEN, 1, [0, 0, 1, 1, 1, 1, 1, 0, 0, 0]);
      expect(invariants).toMatchObject([{ name: 'one-guest', count: 1 }]);
      const namespace = 'anomalist_cause_c';
      const path = join(suite.folder, 'file.sql');
      const workload = await fileWorkload(path, { mode: 'schedule', sessions: 2, transactions: 1 }, dialect);
      const { answers } = await serialControl({
        round: 0,
        history,
        testCase,
        probedCase: instrument(testCase, { mode: 'exact', capabilities: dialect.capabilities, images: true, level: level.level }),
        invariants: invariantQueries(workload.invariants!, dialect, namespace),
        dialect,
        level,
        url: suite.server.url,
        namespace,
        signal: new AbortController().signal,
        limitMs: Number.POSITIVE_INFINITY,
      });
      expect(answers.get('one-guest')).toMatchObject({ kind: 'kept', ended: expect.any(Number) as number });
    });

    it.each([
      ['stock = stock - 1', 'non-repeatable read'],
      ['stock = 8', 'lost update'],
    ])('SET %s is headlined as a %s', async (set, name) => {
      const { anomalies, history, testCase } = await played(SOLD(set));
      const lost = anomalies.find(({ shapes }) => shapes[0] === 'lost update')!;
      const told = withKeptUpdates(lost, history, testCase);
      expect(told.shapes[0]).toBe(name);
      expect([told.class, told.levels]).toEqual([lost.class, lost.levels]);
      if (name === 'lost update') expect(told).toBe(lost);
      else {
        expect(told.explanation).toMatch(/^Non-repeatable read .* No update is lost: T\d computes the new values/);
        expect(told.fingerprint).not.toBe(lost.fingerprint);
      }
    });
  },
  {
    fits: (dialect) =>
      dialect.importer !== undefined &&
      dialect.levels.some(({ level, offByDefault }) => level === 'read-committed' && offByDefault !== true),
    once: true,
  },
);
