/**
 * Checks each transaction of a history at the level that is named for it (Bouajjani, Enea and Roman-Calvo, On the
 * Complexity of Checking Mixed Isolation Levels for SQL Transactions, CAV 2025). One order of all commits must keep
 * session order and reads, and every read must satisfy the axiom of its own transaction's level. The solver answers it.
 * A serializable transaction is one node, one of snapshot isolation two, and the demands of rc, ra and cc are edges
 * between writers (weak-levels.ts). docs/CHECKERS.md has the definitions. If all transactions have one level, that
 * level's checker answers.
 */
import { OWN, isAwditLevel } from '../../core/index-kv.ts';
import type { AskedLevel, KvAnomaly, KvHistory, KvVerdict, Level, MixedLevel } from '../../core/index.ts';
import { checkAwdit } from '../awdit/index.ts';
import { txnText } from '../mini/describe.ts';
import { linkOperations } from '../mini/link.ts';
import type { Links } from '../mini/link.ts';
import type { StrongOptions } from '../search/check-search.ts';
import { checkStrong } from './check-strong.ts';
import { solveLevels } from './solve-levels.ts';
import type { AskedLevels } from './solve-levels.ts';
import { undecided, withUnknownWriters } from './unknown-writers.ts';

type OwnVerdict = KvVerdict<AskedLevel>;

/** The level, among those that may be mixed, that a name stands for. The others have no axiom of this kind. */
const MIXED: Partial<Readonly<Record<Level, MixedLevel>>> = {
  'read-committed': 'rc',
  rc: 'rc',
  ra: 'ra',
  cc: 'cc',
  'snapshot-isolation': 'snapshot-isolation',
  serializable: 'serializable',
};

export function checkOwn(history: KvHistory, options: StrongOptions = {}): OwnVerdict {
  const links = linkOperations(history);
  const levels = levelsOf(links);
  if (typeof levels === 'string') return undecided(OWN, levels);
  const uniform = ofOneLevel(history, levels, options);
  if (uniform !== undefined && uniform.answer !== 'unknown') return uniform;
  return withUnknownWriters<AskedLevel>(links, OWN, (each) => solveOwn(each, levels, options));
}

/**
 * Returns the level of each transaction, including those that may count under some assumption about unknown outcomes. A
 * string is the reason why the levels are not known.
 */
function levelsOf({ history }: Links): readonly MixedLevel[] | string {
  const levels: MixedLevel[] = [];
  for (let t = 0; t < history.txnCount; t++) {
    const named = history.level?.(t);
    const level = named === undefined ? undefined : MIXED[named];
    if (level === undefined)
      return named === undefined
        ? `the history names no level of ${txnText(history, t)}`
        : `${txnText(history, t)} is at ${named}, which has no meaning beside other levels; those that have are ${Object.keys(MIXED).join(', ')}`;
    levels.push(level);
  }
  return levels;
}

/** Uses the checker of that level, which is linear in many cases. */
function ofOneLevel(history: KvHistory, levels: readonly MixedLevel[], options: StrongOptions): OwnVerdict | undefined {
  const [level] = levels;
  if (level === undefined || levels.some((each) => each !== level)) return undefined;
  const { report } = options;
  const verdict = isAwditLevel(level)
    ? checkAwdit(history, level, report === undefined ? {} : { report })
    : checkStrong(history, [level], options)[0];
  return { ...verdict, level: OWN, anomalies: verdict.anomalies.map(ofOwn) };
}

function ofOwn(anomaly: KvAnomaly<AskedLevel>): KvAnomaly<AskedLevel> {
  return { ...anomaly, levels: [OWN, ...anomaly.levels] };
}

function solveOwn(links: Links, levels: readonly MixedLevel[], options: StrongOptions): OwnVerdict {
  const asked: AskedLevels<AskedLevel> = {
    level: OWN,
    of: (t) => levels[t],
    name: 'NotAtOwnLevels',
    levels: [OWN],
    fits: 'into no order of commits that keeps each at its own level',
    called: (t) => `${txnText(links.history, t)} (${levels[t]})`,
    badRead: ofOwn,
  };
  return solveLevels(links, asked, options);
}
