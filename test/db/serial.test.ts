/**
 * Generated cases run one transaction after the other on every server at hand, at every level: whatever the level, a
 * serial run shows no anomaly, in real time either, with item edges or predicate edges. A finding here is a false alarm.
 * With ANOMALIST_SERIAL_SECONDS each level goes on for that long.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestCase } from '../../core/program/index.ts';
import { instrument } from '../../instrument/index.ts';
import { WIDE_SHAPES, generateCase, optionsFor } from '../../schema-gen/index.ts';
import { assessHistory } from '../../src/judge/assess/graph.ts';
import { KeptConnections, Recorder, runRound } from '../../src/execute/index.ts';
import { ofRelease, openTarget } from '../../src/target/target.ts';
import type { Target } from '../../src/target/target.ts';
import { describeEachServer } from './each-server.ts';

const CASES = Number(process.env['ANOMALIST_SERIAL_CASES'] ?? 60);
/** Where writes return nothing a schedule is slower: what they capture is another round trip, and waits are seen late. */
const FEW_CASES = Number(process.env['ANOMALIST_SERIAL_CASES'] ?? 20);
/** Nobody waits for anybody here: a reply that is late is one of a busy machine. */
const SLOWEST_MS = 600_000;
const SECONDS = Number(process.env['ANOMALIST_SERIAL_SECONDS'] ?? 0);

// Several nodes answer a serial run from copies of different ages: stale, and rightly reported.
describeEachServer(
  'serial runs',
  ({ target: name, dialect: { levels }, older }) => {
    let target: Target;
    let kept: KeptConnections;

    beforeAll(async () => {
      const { dialect, ...rest } = await ofRelease(await openTarget([], name));
      kept = new KeptConnections(dialect);
      target = { ...rest, dialect: kept.dialect };
    });

    afterAll(async () => {
      await kept?.close();
      await target?.close();
    });

    for (const level of levels.filter(({ aliasOf, offByDefault }) => !aliasOf && !offByDefault)) {
      it(`show no anomaly at ${level.level}`, { timeout: 1_800_000 + 2_000 * SECONDS }, async () => {
        const least = target.dialect.capabilities.returning.update && !older ? CASES : FEW_CASES;
        const until = performance.now() + 1_000 * SECONDS;
        let cases = 0;
        let edges = 0;
        let predicates = 0;
        let committed = 0;
        for (; cases < least || performance.now() < until; cases++) {
          const { dialect, urls } = target;
          const testCase = serially(
            generateCase(`serial/${cases}`, { mode: 'schedule', ...optionsFor(dialect.capabilities, WIDE_SHAPES) }),
          );
          const outcome = await runRound({
            round: cases,
            probedCase: instrument(testCase, { mode: 'exact', capabilities: dialect.capabilities, images: true, level: level.level }),
            dialect,
            level,
            urls,
            mode: 'schedule',
            namespace: `anomalist_serial_${cases}`,
            statementTimeoutMs: SLOWEST_MS,
            recorder: new Recorder(undefined, { tool: 'test', seed: testCase.seed }),
          });
          expect(outcome.complete, outcome.reason).toBe(true);
          expect(outcome.history.notes).toEqual([]);
          const { graph, verdict } = assessHistory(outcome.history);
          expect(verdict.anomalies.map((anomaly) => `${testCase.seed}: ${anomaly.class}: ${anomaly.explanation}`)).toEqual([]);
          expect(verdict.defects).toEqual([]);
          edges += graph.edges.count;
          predicates += graph.predicates?.used ?? 0;
          committed += outcome.history.transactions.status.filter((status) => status === 1).length;
        }
        console.log(
          `${name}, ${level.level}: ${cases} serial cases, ${committed} committed transactions, ${edges} edges, ${predicates} predicates used, no anomaly`,
        );
        expect(edges).toBeGreaterThan(least);
        if (level.level !== 'read-uncommitted') expect(predicates).toBeGreaterThan(0);
      });
    }
  },
  { everyRelease: true },
);

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
