/**
 * Checks SERIALIZABLE, SNAPSHOT ISOLATION and STRICT SERIALIZABLE of any history, which is NP-hard in general. It
 * checks bad reads, then runs the solver with a budget of conflicts. Beyond it the answer is 'unknown' and says how far
 * it came. A value that several transactions wrote makes its reads a choice. If one of its writers has an unknown
 * outcome, both outcomes are tried.
 *
 * No answer rests on the solver alone. 'holds' is an order that was replayed. 'violated' is a few transactions that
 * were refuted again by themselves, and by the search too if they are few enough for it.
 */
import type { KvAnomaly, KvAnomalyName, KvHistory, KvVerdict, Level, StrongLevel } from '../../core/index.ts';
import { Reporter } from '../mini/check-mini.ts';
import { describeBadRead, describeCycle } from '../mini/describe.ts';
import { linkOperations } from '../mini/link.ts';
import type { Links } from '../mini/link.ts';
import { NAME_LEVELS, nameCycle } from '../mini/name-cycle.ts';
import type { StrongOptions } from '../search/check-search.ts';
import { placeTransactions } from '../search/place-transactions.ts';
import { problemOf as searchProblem } from '../search/problem.ts';
import { saturate } from '../search/saturate.ts';
import { describeCore } from './describe-core.ts';
import { inHistory, problemOf } from './problem-of.ts';
import { refutationAmong } from './refutation.ts';
import { restrict, shrink } from './shrink.ts';
import type { Shrunk } from './shrink.ts';
import { solve, solveOptions } from './solve.ts';
import { undecided, withUnknownWriters } from './unknown-writers.ts';

/** A refuted part is searched too up to this size. */
const SEARCHED = 10;
/** Above this size the forced edges are not drawn with every transitive edge to show a cycle. */
const SATURATED = 500;

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
const ORDERS: Readonly<Record<StrongLevel, string>> = {
  'snapshot-isolation': 'order of begins and commits',
  serializable: 'serial order',
  'strict-serializable': 'serial order that keeps real time',
};
export const DEFECT = 'a defect of this program, please report it: the solver refuted transactions that have an order';
/** The solver's first refutation alone does not decide that a level is violated. */
export const UNSURE = 'the solver refuted transactions that it did not refute by themselves within its budget';

export function checkSolver(history: KvHistory, level: StrongLevel, options: StrongOptions = {}): KvVerdict {
  return solveLinked(linkOperations(history), level, options);
}

export function solveLinked(links: Links, level: StrongLevel, options: StrongOptions): KvVerdict {
  return withUnknownWriters(links, level, (each) => solveOne(each, level, options));
}

function solveOne(links: Links, level: StrongLevel, options: StrongOptions): KvVerdict {
  const reporter = new Reporter(level, options.report ?? 'class');
  for (const bad of links.badReads) if (reporter.wants(bad.name)) reporter.add(describeBadRead(links, bad));
  if (reporter.finished) return reporter.verdict();
  const strict = level === 'strict-serializable';
  const asked = { snapshot: () => level === 'snapshot-isolation', strict };
  const problem = problemOf(links, asked);
  const solved = solve(problem, solveOptions(options));
  options.solved?.(solved.numbers);
  if (solved.answer === false) {
    const shrunk = shrink(links, asked, inHistory(problem, solved.core), options);
    const anomaly = typeof shrunk === 'string' ? undefined : describe(restrict(links, shrunk.core), shrunk, level);
    if (anomaly === undefined) return reporter.violated ? reporter.verdict() : undecided(level, shrunk === 'unsure' ? UNSURE : DEFECT);
    if (reporter.wants(anomaly.name)) reporter.add(anomaly);
  }
  if (reporter.violated) return reporter.verdict();
  if (solved.answer === 'unknown') return undecided(level, solved.reason);
  if (strict && problem.realTime === undefined)
    return undecided(level, 'the history has no begin and end times, so its real-time order is not known');
  return reporter.verdict();
}

/**
 * Describes the cycle that no order of writers avoids, if the forced edges alone show one. Returns undefined if the
 * search finds an order.
 */
function describe(links: Links, { core, least }: Shrunk, level: StrongLevel): KvAnomaly | undefined {
  const snapshot = level === 'snapshot-isolation';
  if (links.unclear.length === 0 && core.length <= SATURATED) {
    const problem = searchProblem(links, level === 'strict-serializable');
    const saturation = saturate(problem, snapshot);
    if (saturation.cycle !== undefined) {
      const name = nameCycle(links.history, saturation.cycle);
      const inferred = saturation.cycle.some((step) => step.because !== undefined);
      const levels = inferred ? NAME_LEVELS[name].filter((row) => CLAIMS[level].includes(row)) : NAME_LEVELS[name];
      const refutation = refutationAmong(links, core, levels);
      return { ...describeCycle(links, saturation.cycle, name, levels), ...(refutation !== undefined && { refutation }) };
    }
    if (core.length <= SEARCHED && placeTransactions(problem, saturation, snapshot, 1_000_000).answer === true) return undefined;
  }
  return describeCore(links, core, {
    name: NAMES[level],
    level,
    levels: NAME_LEVELS[NAMES[level]],
    fits: `into no ${ORDERS[level]}`,
    least,
    problem: { snapshot: () => snapshot, strict: level === 'strict-serializable' },
  });
}
