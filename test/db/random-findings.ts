/** Findings of random stress rounds, as `run` makes them, in memory: each round keeps its own. */
import { judge } from '../../check/index.ts';
import type { Dialect, DialectLevel } from '../../core/dialect/index.ts';
import type { Anomaly, AnomalyFinding } from '../../core/verdict/index.ts';
import { instrument } from '../../instrument/index.ts';
import { Findings } from '../../src/judge/findings/findings.ts';
import { judgedConfiguration } from '../../src/judge/assess/configuration.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';
import { relationalWorkload } from '../../src/workload/relational.ts';

export interface RoundOf {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
  readonly seed: string;
  readonly mode?: 'stress' | 'schedule';
}

/** An anomaly of a round. Its finding is made when it is wanted: those of all anomalies take a third of a round's time. */
export interface FoundInRound {
  readonly anomaly: Anomaly;
  readonly finding: () => AnomalyFinding;
}

/** Each fingerprint once, the shortest cycles first. */
export async function anomaliesOfRound(round: number, { dialect, url, level, seed, mode = 'stress' }: RoundOf): Promise<FoundInRound[]> {
  const workload = relationalWorkload({ capabilities: dialect.capabilities, mode, instrument: 'exact' });
  const testCase = workload.caseOf(`${seed}/${round}`);
  const probedCase = instrument(testCase, { mode: 'exact', capabilities: dialect.capabilities, images: true, level: level.level });
  const outcome = await runRound({
    round,
    probedCase,
    dialect,
    urls: [url],
    level,
    mode,
    namespace: `anomalist_find_${level.level.replace('-', '_')}_${round}`,
    recorder: new Recorder(undefined, { tool: 'test', seed }),
  });
  const { verdict } = workload.assess(outcome.history, testCase);
  const distinct = new Map(verdict.anomalies.map((anomaly) => [anomaly.fingerprint, anomaly]));
  // Each by itself: of a run's findings that the documents allow only one of each family is kept whole.
  const findingOf = (anomaly: Anomaly): AnomalyFinding => {
    const findings = new Findings();
    findings.add(outcome.history, anomaly, judge(anomaly, level.level, judgedConfiguration(outcome, anomaly), dialect.promises, dialect), {
      target: dialect.name,
      level: level.level,
      round,
      setup: [],
      vendor: dialect.vendor,
      replay: `seed ${seed}, round ${round}`,
      testCase,
    });
    return findings.list()[0]!;
  };
  return [...distinct.values()]
    .toSorted((a, b) => a.cycle.length - b.cycle.length)
    .map((anomaly) => ({ anomaly, finding: () => findingOf(anomaly) }));
}
