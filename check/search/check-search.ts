/**
 * A second method beside the solver (check/solver), for small histories. It decides SERIALIZABLE, SNAPSHOT ISOLATION
 * and STRICT SERIALIZABLE of any history with unique values: bad reads, then forced edges (saturate.ts), then the
 * search (place-transactions.ts) with a budget of choices. Past the budget the answer is 'unknown' and says what was
 * tried. If the search proves that there is no order, the witness is a smallest set of transactions without an order,
 * found by leaving out one after another.
 */
import { OP } from '../../core/index-kv.ts';
import type { KvAnomaly, KvHistory, KvVerdict, SolveNumbers, StrongLevel } from '../../core/index.ts';
import { Reporter } from '../mini/check-mini.ts';
import type { MiniOptions } from '../mini/check-mini.ts';
import { describeBadRead, describeCycle, operationOf, txnText } from '../mini/describe.ts';
import { linkOperations } from '../mini/link.ts';
import type { Links } from '../mini/link.ts';
import { NAME_LEVELS, nameCycle } from '../mini/name-cycle.ts';
import { placeTransactions } from './place-transactions.ts';
import type { Placement } from './place-transactions.ts';
import { problemOf } from './problem.ts';
import { saturate } from './saturate.ts';
import type { Saturation } from './saturate.ts';

export interface StrongOptions extends MiniOptions {
  /**
   * The conflicts that the solver may find per level, by default 100,000, and the choices of the search, by default
   * 200,000.
   */
  readonly budget?: number;
  /** The memory limit of the solver's clocks. */
  readonly maxMegabytes?: number;
  readonly progress?: (line: () => string) => void;
  /**
   * The work that may go into a smaller witness of the solver: transactions visited, and fifty for each conflict. The
   * default is 4,000,000.
   */
  readonly witnessWork?: number;
  /**
   * Called with the solver's figures for each history that it was given, one for each assumption about unknown
   * outcomes.
   */
  readonly solved?: (numbers: SolveNumbers) => void;
  /** Called with each verdict as soon as it is known, if several levels are asked. */
  readonly answered?: (verdict: KvVerdict) => void;
}

const BUDGET = 200_000;
const SHRINK_MOST = 48;

/** Runs the search alone, whatever the history looks like. */
export function checkSearch(history: KvHistory, level: StrongLevel, options: StrongOptions = {}): KvVerdict {
  return searchLinked(linkOperations(history), level, options);
}

function searchLinked(links: Links, level: StrongLevel, options: StrongOptions): KvVerdict {
  const reporter = new Reporter(level, options.report ?? 'class');
  for (const bad of links.badReads) if (reporter.wants(bad.name)) reporter.add(describeBadRead(links, bad));
  if (reporter.finished) return reporter.verdict();
  if (links.unclear.length > 0) {
    return reporter.violated
      ? reporter.verdict()
      : { level, answer: 'unknown', reason: 'a value that was read was written by two transactions: values must be unique', anomalies: [] };
  }
  const snapshot = level === 'snapshot-isolation';
  const problem = problemOf(links, level === 'strict-serializable');
  const saturation = saturate(problem, snapshot);
  if (saturation.cycle !== undefined) {
    const name = nameCycle(links.history, saturation.cycle);
    const claimed = NAME_LEVELS[name].filter((row) =>
      NAME_LEVELS[snapshot ? 'LongFork' : level === 'serializable' ? 'WriteSkew' : 'RealTimeViolation'].includes(row),
    );
    if (reporter.wants(name)) reporter.add(describeCycle(links, saturation.cycle, name, claimed));
  }
  if (reporter.violated) return reporter.verdict();
  const budget = options.budget ?? BUDGET;
  // A serial order is a snapshot-isolated execution too, and easier to find.
  if (snapshot && serialOrderExists(links, budget / 4)) return reporter.verdict();
  const placement = placeTransactions(problem, saturation, snapshot, budget);
  if (placement.answer === 'budget') return { level, answer: 'unknown', reason: tried(problem.size, saturation, placement), anomalies: [] };
  if (!placement.answer) {
    const name = snapshot ? 'NotSnapshotIsolated' : level === 'serializable' ? 'NotSerializable' : 'RealTimeViolation';
    if (reporter.wants(name)) reporter.add(describeCore(shrink(links, level), level, placement));
    return reporter.verdict();
  }
  if (level === 'strict-serializable' && problem.realTime === undefined) {
    return {
      level,
      answer: 'unknown',
      reason: 'the history has no begin and end times, so its real-time order is not known',
      anomalies: [],
    };
  }
  return reporter.verdict();
}

function serialOrderExists(links: Links, budget: number): boolean {
  const problem = problemOf(links, false);
  const saturation = saturate(problem, false);
  return saturation.cycle === undefined && placeTransactions(problem, saturation, false, budget).answer === true;
}

function tried(size: number, saturation: Saturation, placement: Placement): string {
  const forced = saturation.skipped ?? `${saturation.decided} of ${saturation.pairs / 2} orders of writers follow from the reads`;
  return `${size} transactions; ${forced}; the search made ${placement.steps} choices, ruled out ${placement.states} states and placed at most ${placement.deepest} transactions`;
}

/** Leaves out transactions while the rest still has no order. The remaining ones are a minimal reason. */
function shrink(links: Links, level: StrongLevel): Links {
  let kept = links;
  const live = [...links.live.keys()].filter((t) => links.live[t] === 1);
  if (live.length > SHRINK_MOST) return kept;
  for (const t of live) {
    const smaller = without(kept, t);
    const problem = problemOf(smaller, level === 'strict-serializable');
    const saturation = saturate(problem, level === 'snapshot-isolation');
    const impossible =
      saturation.cycle !== undefined || placeTransactions(problem, saturation, level === 'snapshot-isolation', 20_000).answer === false;
    if (impossible) kept = smaller;
  }
  return kept;
}

/**
 * Leaves out one transaction and the reads from it. This demands less, so an order that is impossible then was
 * impossible before.
 */
function without(links: Links, txn: number): Links {
  const { history, opTxn } = links;
  const live = links.live.slice();
  live[txn] = 0;
  const external = links.external.slice();
  const final = links.final.slice();
  for (let op = 0; op < history.opCount; op++) {
    const v = external[op];
    if (opTxn[op] === txn || (v >= 0 && history.kind[v] === OP.write && opTxn[v] === txn)) external[op] = -1;
    if (opTxn[op] === txn) final[op] = 0;
  }
  return { ...links, live, external, final };
}

function describeCore(links: Links, level: StrongLevel, placement: Placement): KvAnomaly {
  const { history } = links;
  const txns = [...links.live.keys()].filter((t) => links.live[t] === 1);
  const ops = txns
    .flatMap((t) => Array.from({ length: history.opEnd[t] - history.opStart[t] }, (_, i) => history.opStart[t] + i))
    .filter((op) => links.external[op] >= 0 || links.final[op] === 1);
  const snapshot = level === 'snapshot-isolation';
  return {
    name: snapshot ? 'NotSnapshotIsolated' : level === 'serializable' ? 'NotSerializable' : 'RealTimeViolation',
    levels: NAME_LEVELS[snapshot ? 'NotSnapshotIsolated' : level === 'serializable' ? 'NotSerializable' : 'RealTimeViolation'],
    cycle: [],
    transactions: txns,
    operations: ops.slice(0, 200).map((op) => operationOf(links, op)),
    explanation: `${txns.length > 12 ? `${txns.length} transactions` : txns.map((t) => txnText(history, t)).join(', ')} fit into no ${snapshot ? 'order of begins and commits' : 'serial order'}${level === 'strict-serializable' ? ' that keeps real time' : ''}: the search tried every order of their writes (${placement.states} states).`,
  };
}
