/** A key-value history without a committed transaction cannot confirm a level: there is nothing to judge. */
import { TXN_STATUS } from '../../../core/index-kv.ts';
import type { AskedLevel, KvHistory, KvVerdict } from '../../../core/index.ts';

export function unlessNothing<L extends AskedLevel>({ status }: KvHistory, verdicts: readonly KvVerdict<L>[]): readonly KvVerdict<L>[] {
  if (status.includes(TXN_STATUS.committed)) return verdicts;
  return verdicts.map((verdict) =>
    verdict.answer === true
      ? { ...verdict, answer: 'unknown', code: 'nothing', reason: 'nothing to judge: no transaction committed' }
      : verdict,
  );
}
