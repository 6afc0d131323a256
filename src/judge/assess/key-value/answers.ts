/**
 * Answers the levels of a key-value round, each by its own checker. AWDIT answers rc, ra and cc, the solver too where
 * values repeat. The linear algorithms of mini-transactions or the solver answer those from snapshot isolation up. The
 * checker of lightweight transactions answers strict serializability if there are compare-and-sets.
 */
import { checkAwditLevels, checkStrong, settleWeak, withIds } from '../../../../check/index.ts';
import { AWDIT_LEVELS, isAwditLevel } from '../../../../core/index.ts';
import type { KvHistory, KvVerdict, Level } from '../../../../core/index.ts';
import { kvHistoryOf } from './history.ts';
import type { ObservedKeyValues } from './history.ts';
import { linearizable } from './lightweight.ts';

/** Most conflicts of the solver for one level: a round must not wait long for its verdict. */
const OPTIONS = { report: 'class', budget: 20_000 } as const;
/** The strongest level first; each implies the next. */
const STRONG = ['strict-serializable', 'serializable', 'snapshot-isolation'] as const satisfies readonly Level[];

export function answersOf(observed: ObservedKeyValues): readonly KvVerdict[] {
  const kv = kvHistoryOf(observed);
  // The plain levels do not include session order, and real time contains it.
  const alone = { ...kv, sessionCount: kv.txnCount, sessionStart: Uint32Array.from({ length: kv.txnCount + 1 }, (_, t) => t) };
  const strong: KvVerdict[] = observed.lightweight ? [linearizable(observed)] : [];
  // The solver may take seconds, and a level that holds implies the next.
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
  const read = checkAwditLevels(kv, AWDIT_LEVELS, OPTIONS);
  return settleWeak(kv, read, holds, OPTIONS).map((settled, i) => {
    const verdict = withIds(settled, kv);
    if (settled === read[i]) return verdict;
    // Here the stronger levels do not include session order.
    return { ...verdict, anomalies: verdict.anomalies.map((anomaly) => ({ ...anomaly, levels: anomaly.levels.filter(isAwditLevel) })) };
  });
}
