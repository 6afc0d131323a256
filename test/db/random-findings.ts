/** Findings of random stress rounds, as `run` makes them, in memory: each round keeps its own. */
import { judge } from '../../check/index.ts';
import type { Dialect, DialectLevel, Finding } from '../../core/index.ts';
import { instrument } from '../../instrument/index.ts';
import { generateCase } from '../../schema-gen/index.ts';
import { Findings } from '../../src/findings.ts';
import { judgeHistory } from '../../src/judge.ts';
import { Recorder, runRound } from '../../src/run/index.ts';

export interface RoundOf {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
  readonly seed: string;
  readonly mode?: 'stress' | 'schedule';
}

export async function findingsOfRound(round: number, { dialect, url, level, seed, mode = 'stress' }: RoundOf): Promise<Finding[]> {
  const testCase = generateCase(`${seed}/${round}`, { mode, transactionsPerSession: { min: 40, max: 80 } });
  const probedCase = instrument(testCase, { mode: 'exact', capabilities: dialect.capabilities, images: true });
  const { history, configuration } = await runRound({
    round, probedCase, dialect, urls: [url], level, mode, namespace: `anomalist_find_${level.level.replace('-', '_')}_${round}`, recorder: new Recorder(undefined, { tool: 'test', seed }),
  });
  const findings = new Findings();
  const { graph, verdict } = judgeHistory(history);
  for (const anomaly of verdict.anomalies) {
    findings.add(graph.history, anomaly, judge(anomaly, level.level, configuration, dialect.promises), { target: dialect.name, level: level.level, round, setup: [], replay: `seed ${seed}, round ${round}`, testCase });
  }
  return findings.list();
}
