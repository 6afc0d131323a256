/**
 * Generated cases run one transaction after the other on a live server, at every level: whatever the level, a serial
 * run shows no anomaly, in real time either. A finding here is a false alarm.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCase } from '../../core/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { generateCase } from '../../schema-gen/index.ts';
import { judgeHistory } from '../../src/judge.ts';
import { Recorder, runRound } from '../../src/run/index.ts';

const CASES = Number(process.env['ANOMALIST_SERIAL_CASES'] ?? 150);

let server: StartedServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await server?.stop();
});

/** The case with a schedule that ends each transaction before the next begins, taking turns between the sessions. */
function serially(testCase: TestCase): TestCase {
  const schedule: number[] = [];
  const most = Math.max(...testCase.sessions.map((session) => session.transactions.length));
  for (let k = 0; k < most; k++) {
    testCase.sessions.forEach(({ transactions }, s) => {
      const txn = transactions[k];
      if (txn) for (let step = txn.autocommit ? 1 : txn.statements.length + 2; step > 0; step--) schedule.push(s);
    });
  }
  return { ...testCase, schedule };
}

describe('serial runs', () => {
  for (const level of postgres.levels.filter((each) => !each.aliasOf)) {
    it(`show no anomaly in ${CASES} cases at ${level.level}`, async () => {
      let edges = 0;
      let committed = 0;
      for (let i = 0; i < CASES; i++) {
        const testCase = serially(generateCase(`serial/${i}`, { mode: 'schedule' }));
        const outcome = await runRound({
          round: i, probedCase: instrument(testCase, { mode: 'exact', capabilities: postgres.capabilities }), dialect: postgres, level, urls: [server.url],
          mode: 'schedule', namespace: `anomalist_serial_${i}`, recorder: new Recorder(undefined, { tool: 'test', seed: testCase.seed }),
        });
        expect(outcome.complete, outcome.reason).toBe(true);
        expect(outcome.history.notes).toEqual([]);
        const { graph, verdict } = judgeHistory(outcome.history);
        expect(verdict.anomalies.map((anomaly) => `${testCase.seed}: ${anomaly.class}: ${anomaly.explanation}`)).toEqual([]);
        edges += graph.edges.count;
        committed += outcome.history.transactions.status.filter((status) => status === 1).length;
      }
      console.log(`${level.level}: ${CASES} serial cases, ${committed} committed transactions, ${edges} edges, no anomaly`);
      expect(edges).toBeGreaterThan(CASES);
    });
  }
});
