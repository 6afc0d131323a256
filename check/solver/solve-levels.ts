/**
 * Searches for an order of commits that keeps session order and reads, and in which every read satisfies the axiom of
 * its own transaction's level (weak-levels.ts). It checks bad reads, then runs the solver. "violated" is a few
 * transactions refuted by themselves. check-own.ts asks it about a history that names its levels, settle-weak.ts about
 * one level where values repeat.
 */
import { isAwditLevel } from '../../core/index-kv.ts';
import type { AskedLevel, AwditLevel, KvAnomaly, KvAnomalyName, KvVerdict, Level, MixedLevel } from '../../core/index.ts';
import { Reporter } from '../mini/check-mini.ts';
import { describeBadRead } from '../mini/describe.ts';
import type { Links } from '../mini/link.ts';
import type { StrongOptions } from '../search/check-search.ts';
import { DEFECT, UNSURE } from './check-solver.ts';
import { describeCore } from './describe-core.ts';
import { inHistory, problemOf } from './problem-of.ts';
import { restrict, shrink } from './shrink.ts';
import { CLOCKS_AT_MOST, solve, solveOptions } from './solve.ts';
import { undecided } from './unknown-writers.ts';

/** The levels, and the words of a refutation. */
export interface AskedLevels<L extends AskedLevel> {
  /** The level that is answered. */
  readonly level: L;
  readonly of: (txn: number) => MixedLevel;
  readonly name: KvAnomalyName;
  /** The levels that a refutation rules out. */
  readonly levels: readonly L[];
  readonly fits: string;
  readonly called?: (txn: number) => string;
  /** Describes a bad read, which is one at every level. */
  readonly badRead: (anomaly: KvAnomaly) => KvAnomaly<L | Level>;
}

export function solveLevels<L extends AskedLevel>(links: Links, asked: AskedLevels<L>, options: StrongOptions): KvVerdict<L | Level> {
  const { level, of } = asked;
  const reporter = new Reporter<L>(level, options.report ?? 'class');
  for (const bad of links.badReads) {
    // A transaction of rc may see two versions.
    if (bad.name === 'NonRepeatableRead' && of(bad.txn) === 'rc') continue;
    if (reporter.wants(bad.name)) reporter.add(asked.badRead(describeBadRead(links, bad)));
  }
  if (reporter.finished) return reporter.verdict();
  const { sessionCount, txnCount } = links.history;
  if (sessionCount * txnCount * 4 > CLOCKS_AT_MOST && links.live.some((live, t) => live === 1 && of(t) === 'cc'))
    return reporter.violated
      ? reporter.verdict()
      : undecided(level, `no memory for the clocks of cc: ${txnCount} transactions in ${sessionCount} sessions`);
  const nodes = {
    snapshot: (t: number): boolean => of(t) === 'snapshot-isolation',
    weak: (t: number): AwditLevel | undefined => weakOf(of(t)),
    strict: false,
  };
  const problem = problemOf(links, nodes);
  const solved = solve(problem, solveOptions(options));
  if (solved.answer === false) {
    const shrunk = shrink(links, nodes, inHistory(problem, solved.core), options);
    if (typeof shrunk === 'string') return reporter.violated ? reporter.verdict() : undecided(level, shrunk === 'unsure' ? UNSURE : DEFECT);
    const { core, least } = shrunk;
    if (reporter.wants(asked.name)) reporter.add(describeCore<L>(restrict(links, core), core, { ...asked, problem: nodes, least }));
  }
  if (reporter.violated) return reporter.verdict();
  return solved.answer === 'unknown' ? undecided(level, solved.reason) : reporter.verdict();
}

function weakOf(level: MixedLevel): AwditLevel | undefined {
  return isAwditLevel(level) ? level : undefined;
}
