/**
 * Answers rc, ra and cc where AWDIT left them open. A read of a value that several committed transactions wrote is a
 * choice of writer, which the solver makes. Biswas and Enea 2019 ask for some write-read relation that explains all
 * reads. It is NP-hard, so a level that a stronger one implies is not checked again.
 */
import { AWDIT_LEVELS, isAwditLevel } from '../../core/index-kv.ts';
import type { AwditLevel, KvAnomalyName, KvHistory, KvVerdict, Level } from '../../core/index.ts';
import { linkOperations } from '../mini/link.ts';
import { NAME_LEVELS } from '../mini/name-cycle.ts';
import type { StrongOptions } from '../search/check-search.ts';
import { solveLevels } from './solve-levels.ts';
import { withUnknownWriters } from './unknown-writers.ts';

/** The name of a reader's violation of a level, if none of its reads was bad by itself. */
const NAMES: Readonly<Record<AwditLevel, KvAnomalyName>> = { rc: 'NonMonotonicRead', ra: 'FracturedRead', cc: 'CausalityViolation' };

/** The budget of conflicts and demands. These levels are asked beside stronger ones, which cost more and tell less. */
const BUDGET = 2_000;

/**
 * `verdicts` are AWDIT's, among others. `holds` says that cc is known to hold. A level that is unknown for lack of
 * memory is not tried.
 */
export function settleWeak(
  history: KvHistory,
  verdicts: readonly KvVerdict[],
  holds: boolean,
  options: StrongOptions = {},
): readonly KvVerdict[] {
  if (options.maxMegabytes !== undefined) return verdicts;
  const settled = new Map<Level, KvVerdict>();
  let vouched = holds;
  for (const level of AWDIT_LEVELS.toReversed()) {
    const verdict = verdicts.find((each) => each.level === level);
    if (verdict?.answer === 'unknown') {
      const now: KvVerdict = vouched ? { level, answer: true, anomalies: [] } : chosenWriters(history, level, options);
      settled.set(level, now);
      options.answered?.(now);
    }
    vouched ||= (settled.get(level) ?? verdict)?.answer === true;
  }
  return verdicts.map((verdict) => (isAwditLevel(verdict.level) ? (settled.get(verdict.level) ?? verdict) : verdict));
}

function chosenWriters(history: KvHistory, level: AwditLevel, options: StrongOptions): KvVerdict {
  const asked = {
    level,
    of: () => level,
    name: NAMES[level],
    levels: NAME_LEVELS[NAMES[level]],
    fits: `into no order of commits that ${level} allows`,
    badRead: <T>(anomaly: T): T => anomaly,
  };
  return withUnknownWriters<Level>(linkOperations(history), level, (links) =>
    solveLevels<Level>(links, asked, { budget: BUDGET, ...options }),
  );
}
