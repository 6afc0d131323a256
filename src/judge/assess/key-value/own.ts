/**
 * Judges a round of values with each transaction at its own level: the one that it names, or the round's. The answer
 * follows the definition alone. A vendor's promise for transactions of different levels is another matter.
 */
import { checkOwn, withIds } from '../../../../check/index.ts';
import { OWN } from '../../../../core/index.ts';
import type { AskedLevel, History, KvHistory, KvReportMode, KvVerdict } from '../../../../core/index.ts';
import { kvHistoryOf, observeKeyValues } from './history.ts';

const ONLY_VALUES = 'each transaction at its own level is answered for rounds of registers (key-value workloads but append)';

export function assessOwn(history: History, report: KvReportMode): KvVerdict<AskedLevel> {
  const kv = registersOfRound(history);
  if (kv === undefined) return { level: OWN, answer: 'unknown', reason: ONLY_VALUES, anomalies: [] };
  return withIds(checkOwn(kv, { report }), kv);
}

/** Undefined: the round has no registers. */
export function registersOfRound(history: History): KvHistory | undefined {
  const { contents } = history.round;
  return contents === undefined || contents === 'lists' ? undefined : kvHistoryOf(observeKeyValues(history));
}
