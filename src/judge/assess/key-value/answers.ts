/**
 * The levels of a key-value round, each by its own checker: AWDIT rc, ra and cc, the solver where values repeat; the
 * linear algorithms of mini-transactions or the solver those from snapshot isolation up; that of lightweight transactions
 * strict serializability where there are compare-and-sets.
 */
import { checkAwditLevels, checkStrong, settleWeak, withIds } from '../../../../check/index.ts';
import { AWDIT_LEVELS, isAwditLevel } from '../../../../core/index.ts';
import type { KvHistory, KvVerdict, Level } from '../../../../core/index.ts';
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
  const read = checkAwditLevels(kv, AWDIT_LEVELS, OPTIONS);
  return settleWeak(kv, read, holds, OPTIONS).map((settled, i) => {
    const verdict = withIds(settled, kv);
    if (settled === read[i]) return verdict;
    // the levels above say nothing of sessions here
    return { ...verdict, anomalies: verdict.anomalies.map((anomaly) => ({ ...anomaly, levels: anomaly.levels.filter(isAwditLevel) })) };
  });
}
