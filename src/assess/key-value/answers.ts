/**
 * The levels of a key-value round, each by its own checker: AWDIT rc, ra and cc, the solver where values repeat; the
 * linear algorithms of mini-transactions or the solver those from snapshot isolation up; that of lightweight transactions
 * strict serializability where there are compare-and-sets.
 */
import { checkAwditLevels, checkOwn, checkStrong, withIds } from '../../../check/index.ts';
import { AWDIT_LEVELS } from '../../../core/index.ts';
import type { AwditLevel, KvHistory, KvVerdict, Level } from '../../../core/index.ts';
import { kvHistoryOf } from './history.ts';
import type { ObservedKeyValues } from './history.ts';
import { linearizable } from './lightweight.ts';

/** Conflicts that the solver may find per level: a round must not wait long for its verdict. */
const OPTIONS = { report: 'class', budget: 20_000 } as const;
/** From the strongest; each contains the next. */
const STRONG = ['strict-serializable', 'serializable', 'snapshot-isolation'] as const satisfies readonly Level[];

export function answersOf(observed: ObservedKeyValues): readonly KvVerdict[] {
  const kv = kvHistoryOf(observed);
  // the plain levels say nothing of sessions, and real time contains their order
  const alone = { ...kv, sessionCount: kv.txnCount, sessionStart: Uint32Array.from({ length: kv.txnCount + 1 }, (_, t) => t) };
  const strong: KvVerdict[] = observed.lightweight ? [linearizable(observed)] : [];
  // the solver may cost seconds: a level that holds vouches for the next
  for (const level of STRONG)
    if (strong[0]?.level !== level)
      strong.unshift(
        strong[0]?.answer === true ? { level, answer: true, anomalies: [] } : withIds(checkStrong(alone, [level], OPTIONS)[0]!, kv),
      );
  const causal = strong.some(({ level, answer }) => level === 'strict-serializable' && answer === true);
  return [...weak(kv, causal), ...strong];
}

/** `holds`: cc is known to hold. */
function weak(kv: KvHistory, holds: boolean): readonly KvVerdict[] {
  const verdicts: KvVerdict[] = [];
  for (const verdict of checkAwditLevels(kv, AWDIT_LEVELS, OPTIONS).toReversed()) {
    const settled = verdict.answer === 'unknown' && !holds ? bySolver(kv, verdict.level as AwditLevel) : withIds(verdict, kv);
    holds ||= settled.answer === true;
    verdicts.unshift(settled);
  }
  return verdicts;
}

/** A read of a value that several transactions wrote is a choice there. */
function bySolver(kv: KvHistory, level: AwditLevel): KvVerdict {
  const verdict = withIds(checkOwn({ ...kv, level: () => level }, OPTIONS), kv);
  const levels: readonly Level[] = AWDIT_LEVELS.slice(AWDIT_LEVELS.indexOf(level));
  return { ...verdict, level, anomalies: verdict.anomalies.map((anomaly) => ({ ...anomaly, levels })) };
}
