/**
 * Turns a DependencyGraph into a Verdict. It has every class of cycle with a minimal witness, the anomalies that need
 * no cycle, the levels that each rules out (levels.ts), and an answer per level. The answers are formal, after Adya
 * 1999. promise.ts compares them with the vendors' promises.
 */
import { LEVELS, NONE, TXN_STATUS, isAwditLevel } from '../../core/index.ts';
import type { Anomaly, CycleClass, CycleStep, DependencyGraph, Level, LevelAnswer, NonCycleAnomaly, Verdict } from '../../core/index.ts';
import { DATA } from './cycle-classes.ts';
import { CycleReader } from './cycle-steps.ts';
import { findCycles } from './find-cycles.ts';
import type { FoundCycle } from './find-pairs.ts';
import { fingerprintOf } from './fingerprint.ts';
import { violates } from './levels.ts';
import { seenWhole } from './seen-whole.ts';
import { shapesOf } from './shapes.ts';

export interface CheckOptions {
  /** The levels to answer. The default is Adya's, and `rc`, `ra`, `cc` where they are certainly violated. */
  readonly levels?: readonly Level[];
  /** `first`: the strongest evidence only; `class`: one of each class and shape per component; `all`: per pair too. */
  readonly report?: 'first' | 'class' | 'all';
  /** The number of edge visits per class and component. */
  readonly budget?: number;
}

export function checkGraph(graph: DependencyGraph, options: CheckOptions = {}): Verdict {
  const { report = 'class', budget = 5_000_000 } = options;
  const reader = new CycleReader(graph);
  const { cycles, undecided } = findCycles(graph, reader, report === 'all', budget);
  const anomalies = [
    ...graph.anomalies.map((anomaly) => describeNonCycle(graph, anomaly)),
    ...cycles.map((cycle) => describeCycle(graph, reader, cycle)),
  ];
  const levels = answer(graph, anomalies, undecided, options.levels);
  return { levels, anomalies: report === 'first' ? anomalies.slice(0, 1) : anomalies };
}

function describeNonCycle({ history }: DependencyGraph, found: NonCycleAnomaly): Anomaly {
  const { shapes, explanation, statements } = found;
  const anomaly = { class: found.class, shapes, cycle: [] };
  return {
    ...anomaly,
    levels: violates(anomaly),
    transactions: found.transactions.map((t) => history.transactions.id[t]),
    statements,
    explanation,
    ...(found.row !== NONE && { row: { table: history.rows.table[found.row], row: history.rows.rid[found.row] } }),
    fingerprint: fingerprintOf(found.class, shapes, [], history.statements.kind, statements),
  };
}

function describeCycle(graph: DependencyGraph, reader: CycleReader, found: FoundCycle): Anomaly {
  const { history } = graph;
  const cycle = reader.steps(found.edges).map((step) => withCascade(graph, step));
  const shapes = shapesOf(reader.shapeSteps(found.edges));
  const anomaly = { class: found.class, shapes, cycle };
  const statements = new Set<number>();
  for (const step of cycle) {
    if (step.fromStatement !== undefined) statements.add(step.fromStatement);
    if (step.toStatement !== undefined) statements.add(step.toStatement);
  }
  const path = cycle.map((step) => `T${step.from} -${step.rel}-> `).join('');
  const name = shapes.length === 0 ? found.class : `${shapes.join(', ')} (${found.class})`;
  return {
    ...anomaly,
    levels: violates(anomaly),
    transactions: cycle.map((step) => step.from),
    statements: [...statements].sort((a, b) => a - b),
    explanation: `${name[0].toUpperCase()}${name.slice(1)}: ${path}T${cycle[0].from}, so none of them can come first.`,
    fingerprint: fingerprintOf(found.class, shapes, cycle, history.statements.kind),
  };
}

/** Says on a step that a cascade removed its row, because no list shows that death. */
function withCascade({ history, cascades = [] }: DependencyGraph, step: CycleStep): CycleStep {
  const { rows, transactions, statements } = history;
  const cascade = step.row === undefined ? undefined : cascades.find(({ row }) => rows.rid[row] === step.row);
  if (cascade === undefined) return step;
  const { statement, lastTxn, lastSeq } = cascade;
  return {
    ...step,
    cascade: {
      last: `${transactions.id[lastTxn]}.${lastSeq}`,
      by: `${transactions.id[statements.txn[statement]]}.${statements.seq[statement]}`,
    },
  };
}

function answer(
  graph: DependencyGraph,
  anomalies: readonly Anomaly[],
  undecided: readonly CycleClass[],
  asked: readonly Level[] | undefined,
): readonly LevelAnswer[] {
  const broken = new Set(anomalies.flatMap((anomaly) => anomaly.levels));
  const open = new Set(undecided.flatMap((name) => violates({ class: name, shapes: [], cycle: [] })));
  const nothing = nothingTested(graph);
  const seen = seenWhole(graph);
  return LEVELS.filter(({ level }) => (asked === undefined ? !isAwditLevel(level) || broken.has(level) : asked.includes(level))).map(
    ({ level }): LevelAnswer => {
      if (broken.has(level)) return { level, answer: false };
      if (nothing !== undefined) return { level, answer: 'unknown', code: 'nothing', reason: nothing };
      if (isAwditLevel(level)) return { level, answer: 'unknown', reason: 'the cycle search cannot confirm this level, AWDIT decides it' };
      if (open.has(level))
        return { level, answer: 'unknown', reason: 'the search for a forbidden cycle reached its budget without finding one' };
      return seen(level);
    },
  );
}

/** Returns the reason why the history could not have shown any anomaly, if there is one. */
function nothingTested({ history, upgraded, rels, targets, starts, txnCount }: DependencyGraph): string | undefined {
  const { transactions } = history;
  let committed = upgraded.length;
  for (let t = 1; t < transactions.count; t++) if (transactions.status[t] === TXN_STATUS.committed) committed++;
  if (committed === 0) return 'nothing to judge: no transaction committed';
  for (let e = starts[1] ?? 0; e < starts[txnCount]; e++) if ((rels[e] & DATA) !== 0 && targets[e] !== 0) return undefined;
  return 'nothing to judge: no two committed transactions met on a row';
}
