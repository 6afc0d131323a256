/** Builds the dependency graph of the committed transactions from a history with probes. Each anomaly has the vendor's promise. */
import { CycleReader, judge } from '../../check/index.ts';
import type { Judgement } from '../../core/level/index.ts';
import type { Dialect, DialectLevel } from '../../core/dialect/index.ts';
import type { TestCase } from '../../core/program/index.ts';
import type { Anomaly, CycleStep } from '../../core/verdict/index.ts';
import { stepSentence } from '../../reports/index.ts';
import type { Drawn } from '../../reports/index.ts';
import { assessHistory } from '../judge/assess/graph.ts';
import { judgeMixed } from '../judge/assess/mixed-judgement.ts';
import { reportedRows } from '../judge/findings/reported-rows.ts';
import { reportedStatements, reportedTransactions } from '../judge/findings/reported.ts';
import type { RoundOutcome } from '../execute/index.ts';

export interface SteppedEdge {
  readonly from: number;
  readonly to: number;
  readonly rel: CycleStep['rel'];
  /** The sentence names the user's rows, or versions if they are not known. */
  readonly sentence: string;
}

export interface SteppedAnomaly {
  readonly anomaly: Anomaly;
  readonly judgement: Judgement;
}

export interface SteppedGraph {
  /** These transactions committed. */
  readonly transactions: readonly number[];
  /** There is one edge for each pair of transactions, kind and row. */
  readonly edges: readonly SteppedEdge[];
  /** A serializable execution cannot have these anomalies. */
  readonly anomalies: readonly SteppedAnomaly[];
  /** A picture of all edges is drawn from it. */
  readonly drawn: Drawn;
}

export interface RanAs {
  readonly testCase: TestCase;
  readonly dialect: Dialect;
  /** The transactions ran at these levels. */
  readonly levels: readonly DialectLevel[];
  readonly committed: readonly number[];
}

export function graphOf(
  { history, configuration }: Pick<RoundOutcome, 'history' | 'configuration'>,
  { testCase, dialect, levels, committed }: RanAs,
): SteppedGraph {
  const { graph, verdict } = assessHistory(history, { report: 'all' });
  const among = new Set(committed);
  const cycle = once(new CycleReader(graph).dataSteps().filter(({ from, to }) => from !== to && among.has(from) && among.has(to)));
  const whole = { ...NO_ANOMALY, cycle, transactions: committed };
  const statements = reportedStatements(history, whole, { testCase, print: (statement) => dialect.print(statement) });
  const drawn: Drawn = {
    anomaly: whole,
    transactions: reportedTransactions(history, committed, testCase),
    statements,
    rows: reportedRows(history, testCase, whole, statements),
  };
  return {
    transactions: committed,
    edges: cycle.map((step) => ({ from: step.from, to: step.to, rel: step.rel, sentence: stepSentence(drawn, step) ?? step.explanation })),
    anomalies: verdict.anomalies
      .filter((anomaly) => anomaly.levels.includes('serializable'))
      .map((anomaly) => ({
        anomaly,
        judgement:
          levels.length > 1
            ? judgeMixed(anomaly, { levels, testCase }, configuration, dialect)
            : judge(anomaly, levels[0]!.level, configuration, dialect.promises, dialect),
      })),
    drawn,
  };
}

/** Stands for the anomaly in a drawing that shows none. */
const NO_ANOMALY: Anomaly = {
  class: 'G0',
  shapes: [],
  levels: [],
  cycle: [],
  transactions: [],
  statements: [],
  explanation: '',
  fingerprint: '',
};

/** Several statements may show one edge. */
function once(steps: readonly CycleStep[]): readonly CycleStep[] {
  return [...new Map(steps.map((step) => [JSON.stringify([step.from, step.to, step.rel, step.table, step.row]), step])).values()];
}
