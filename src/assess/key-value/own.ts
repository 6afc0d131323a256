/**
 * A round of values with each transaction at its own level: the one that it names, or the round's. It is an answer of the
 * definition alone: what a vendor promises of transactions of different levels beside each other is another matter.
 */
import { checkOwn, withIds } from '../../../check/index.ts';
import { OWN } from '../../../core/index.ts';
import type { AskedLevel, History, KvReportMode, KvVerdict } from '../../../core/index.ts';
import { kvHistoryOf, observeKeyValues } from './history.ts';

const ONLY_VALUES = 'each transaction at its own level is answered for rounds of registers (--workload mini, general and lwt)';

export function assessOwn(history: History, report: KvReportMode): KvVerdict<AskedLevel> {
  if (history.round.contents !== 'values') return { level: OWN, answer: 'unknown', reason: ONLY_VALUES, anomalies: [] };
  const kv = kvHistoryOf(observeKeyValues(history));
  return withIds(checkOwn(kv, { report }), kv);
}
