/** Small key-value histories (test/arbitraries/key-value-history.ts): one at random, as columns, as text. */
import * as fc from 'fast-check';
import { KvHistoryBuilder } from '../../../../check/index.ts';
import { TXN_STATUS } from '../../../../core/base/index.ts';
import type { Random } from '../../../../core/base/index.ts';
import type { KvHistory } from '../../../../core/kv/index.ts';
import { smallHistory } from '../../../arbitraries/key-value-history.ts';
import type { SmallOptions, SmallTxn } from '../../../arbitraries/key-value-history.ts';

export type { SmallOp, SmallTxn } from '../../../arbitraries/key-value-history.ts';

/** For tests that draw from a Random; one that breaks a test is not made smaller. */
export function randomHistory(random: Random, options: SmallOptions): SmallTxn[] {
  return fc.sample(smallHistory(options), { seed: random.int(0, 2 ** 31 - 1), numRuns: 1, unbiased: true })[0]!;
}

/** Columns, with times; sessions are named s0, s1 ... and transactions by their place in the list. */
export function toKv(txns: readonly SmallTxn[], timed = true): KvHistory {
  const builder = new KvHistoryBuilder('zero');
  txns.forEach((txn, i) => {
    const t = builder.txn(builder.session(`s${txn.session}`), `t${i}`, TXN_STATUS[txn.outcome]);
    if (timed) builder.setTimes(t, txn.begin, txn.outcome === 'unknown' ? Infinity : txn.end);
    for (const op of txn.ops) {
      if (op.write) builder.write(t, op.key, op.value);
      else builder.read(t, op.key, op.value);
    }
  });
  return builder.finish();
}

/** One line a transaction, for failure messages. */
export function showHistory(txns: readonly SmallTxn[]): string {
  return txns
    .map(
      (txn, i) =>
        `t${i} s${txn.session} [${txn.begin},${txn.end}] ${txn.outcome}: ${txn.ops.map((op) => `${op.write ? 'w' : 'r'}(${op.key},${op.value})`).join(' ')}`,
    )
    .join('\n');
}

/** The same history with gaps between transactions, as readers that fill columns block by block leave them. */
export function withGaps(history: KvHistory): KvHistory {
  const gap = 3;
  const opStart = history.opStart.map((start, t) => start + gap * (t + 1));
  const opEnd = history.opEnd.map((end, t) => end + gap * (t + 1));
  const spread = <T extends Uint8Array | Int32Array>(column: T, made: T, filler: number): T => {
    made.fill(filler);
    for (let t = 0; t < history.txnCount; t++) made.set(column.subarray(history.opStart[t], history.opEnd[t]), opStart[t]);
    return made;
  };
  const size = history.opCount + gap * (history.txnCount + 2);
  return {
    ...history,
    opStart,
    opEnd,
    kind: spread(history.kind, new Uint8Array(size), 1), // as if the gaps were writes
    keyLow: spread(history.keyLow, new Int32Array(size), 0),
    valueLow: spread(history.valueLow, new Int32Array(size), 1),
  };
}
