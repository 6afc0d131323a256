/**
 * SERIALIZABLE, SNAPSHOT ISOLATION and STRICT SERIALIZABLE of any history, which is NP-hard in general: bad reads, then
 * the solver with a budget of conflicts; beyond it the answer is 'unknown' and says how far it came. A value that several
 * transactions wrote makes its reads a choice; a writer of unknown outcome among them is taken both ways.
 *
 * Nothing is answered on the solver's word alone: 'holds' is an order that was run, 'violated' a few transactions that
 * were refuted anew by themselves, and by the search too where they are few enough for it.
 */
import { OP, TXN_STATUS } from '../../core/index-kv.ts';
import type { KvAnomaly, KvAnomalyName, KvHistory, KvVerdict, Level, StrongLevel } from '../../core/index.ts';
import { Reporter } from '../mini/check-mini.ts';
import { describeBadRead, describeCycle, operationOf, txnText } from '../mini/describe.ts';
import { linkOperations } from '../mini/link.ts';
import type { Links } from '../mini/link.ts';
import { NAME_LEVELS, nameCycle } from '../mini/name-cycle.ts';
import type { StrongOptions } from '../search/check-search.ts';
import { placeTransactions } from '../search/place-transactions.ts';
import { problemOf as searchProblem } from '../search/problem.ts';
import { saturate } from '../search/saturate.ts';
import { casesOf } from './cases.ts';
import type { Case } from './cases.ts';
import { problemOf } from './problem.ts';
import { restrict, shrink } from './shrink.ts';
import { solve } from './solve.ts';

const BUDGET = 100_000;
/** Writers of unknown outcome that a read may be of: so many ways of taking them are tried. */
const WAYS = 64;
/** A refuted part is searched too up to this size. */
const SEARCHED = 10;

const NAMES: Readonly<Record<StrongLevel, KvAnomalyName>> = {
  'snapshot-isolation': 'NotSnapshotIsolated',
  serializable: 'NotSerializable',
  'strict-serializable': 'RealTimeViolation',
};
const CLAIMS: Readonly<Record<StrongLevel, readonly Level[]>> = {
  'snapshot-isolation': NAME_LEVELS.LongFork,
  serializable: NAME_LEVELS.WriteSkew,
  'strict-serializable': NAME_LEVELS.RealTimeViolation,
};
const DEFECT = 'a defect of this program, please report it: the solver refuted transactions that have an order';

export function checkSolver(history: KvHistory, level: StrongLevel, options: StrongOptions = {}): KvVerdict {
  return solveLinked(linkOperations(history), level, options);
}

export function solveLinked(links: Links, level: StrongLevel, options: StrongOptions): KvVerdict {
  return solveWays(links, level, options, { left: WAYS });
}

/** Of a writer of unknown outcome that a read may be of: with it and without it. */
function solveWays(links: Links, level: StrongLevel, options: StrongOptions, ways: { left: number }): KvVerdict {
  const open = openWriter(links);
  if (open < 0) return solveOne(links, level, options);
  if (--ways.left < 0)
    return unknown(
      level,
      `more than ${Math.log2(WAYS)} transactions of unknown outcome wrote values that were read and that others wrote too`,
    );
  const { history } = links;
  const taken = (status: number): KvVerdict =>
    solveWays(linkOperations({ ...history, status: history.status.with(open, status) }), level, options, ways);
  const without = taken(TXN_STATUS.aborted);
  if (without.answer === true) return without;
  const having = taken(TXN_STATUS.committed);
  if (having.answer !== false || without.answer !== false) return having.answer === false ? without : having;
  const note = ` The outcome of ${txnText(history, open)} is unknown: this is so if it did not commit, and if it did, the level is violated as well.`;
  return { ...without, anomalies: without.anomalies.map((anomaly) => ({ ...anomaly, explanation: `${anomaly.explanation}${note}` })) };
}

function openWriter({ unclear, opTxn, live, history }: Links): number {
  for (const { writes } of unclear) {
    const open = writes.find((op) => live[opTxn[op]] === 0 && history.status[opTxn[op]] === TXN_STATUS.unknown);
    if (open !== undefined) return opTxn[open];
  }
  return -1;
}

function solveOne(links: Links, level: StrongLevel, options: StrongOptions): KvVerdict {
  const reporter = new Reporter(level, options.report ?? 'class');
  for (const bad of links.badReads) if (reporter.wants(bad.name)) reporter.add(describeBadRead(links, bad));
  if (reporter.finished) return reporter.verdict();
  const strict = level === 'strict-serializable';
  const asked = { snapshot: () => level === 'snapshot-isolation', strict };
  const problem = problemOf(links, asked);
  const { budget = BUDGET, maxMegabytes, progress } = options;
  const solved = solve(problem, {
    budget,
    ...(maxMegabytes === undefined ? {} : { maxMegabytes }),
    ...(progress === undefined ? {} : { progress }),
  });
  if (solved.answer === false) {
    const core = shrink(
      links,
      asked,
      solved.core.map((t) => problem.txn[t]),
    );
    const anomaly = core === undefined ? undefined : describe(restrict(links, core), core, level);
    if (anomaly === undefined) return reporter.violated ? reporter.verdict() : unknown(level, DEFECT);
    if (reporter.wants(anomaly.name)) reporter.add(anomaly);
  }
  if (reporter.violated) return reporter.verdict();
  if (solved.answer === 'unknown') return unknown(level, solved.reason);
  if (strict && problem.realTime === undefined)
    return unknown(level, 'the history has no begin and end times, so its real-time order is not known');
  return reporter.verdict();
}

function unknown(level: Level, reason: string): KvVerdict {
  return { level, answer: 'unknown', reason, anomalies: [] };
}

/** The cycle that no order of writers avoids, where what follows alone shows one. Undefined: the search finds an order. */
function describe(links: Links, core: Int32Array, level: StrongLevel): KvAnomaly | undefined {
  const snapshot = level === 'snapshot-isolation';
  if (links.unclear.length === 0) {
    const problem = searchProblem(links, level === 'strict-serializable');
    const saturation = saturate(problem, snapshot);
    if (saturation.cycle !== undefined) {
      const name = nameCycle(links.history, saturation.cycle);
      const inferred = saturation.cycle.some((step) => step.because !== undefined);
      return describeCycle(
        links,
        saturation.cycle,
        name,
        inferred ? NAME_LEVELS[name].filter((row) => CLAIMS[level].includes(row)) : NAME_LEVELS[name],
      );
    }
    if (core.length <= SEARCHED && placeTransactions(problem, saturation, snapshot, 1_000_000).answer === true) return undefined;
  }
  return describeCore(links, core, level);
}

function describeCore(links: Links, core: Int32Array, level: StrongLevel): KvAnomaly {
  const { history } = links;
  const matters = (op: number): boolean =>
    links.external[op] >= 0 || links.final[op] === 1 || (history.kind[op] !== OP.write && links.unclear.some(({ read }) => read === op));
  const ops = [...core]
    .flatMap((t) => Array.from({ length: history.opEnd[t] - history.opStart[t] }, (_, i) => history.opStart[t] + i))
    .filter(matters);
  const who = core.length > 12 ? `${core.length} transactions` : [...core].map((t) => txnText(history, t)).join(', ');
  const order =
    level === 'snapshot-isolation'
      ? 'order of begins and commits'
      : level === 'serializable'
        ? 'serial order'
        : 'serial order that keeps real time';
  return {
    name: NAMES[level],
    levels: NAME_LEVELS[NAMES[level]],
    cycle: [],
    transactions: [...core],
    operations: ops.slice(0, 200).map((op) => operationOf(links, op)),
    explanation: `${who} fit into no ${order}, whichever order their writes had; without any one of them the others do.${caseText(links, core, level)}`,
  };
}

/** The case distinction, where it is short enough to be read. */
function caseText(links: Links, core: Int32Array, level: StrongLevel): string {
  if (core.length > 12) return '';
  const cases = casesOf(
    problemOf(links, { snapshot: () => level === 'snapshot-isolation', strict: level === 'strict-serializable', only: core }),
  );
  return cases === undefined ? '' : ` ${sentences(links, cases, '')}`;
}

/** Numbered as a document is: 1, 1.1, 1.2, 2. */
function sentences(links: Links, found: Case, number: string): string {
  if (found.kind === 'cycle') return describeCycle(links, found.steps).explanation;
  return found.ways
    .map(({ said, follows }, i) => `(${number}${i + 1}) If ${said}: ${sentences(links, follows, `${number}${i + 1}.`)}`)
    .join(' ');
}
