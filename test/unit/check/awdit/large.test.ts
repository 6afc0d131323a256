import { describe, expect, it } from 'vitest';
import { checkAwdit } from '../../../../check/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import type { Random } from '../../../../core/base/index.ts';
import { bruteForceWeak } from './brute-force.ts';
import { showHistory, toKv } from '../strong/random-history.ts';
import type { SmallOp, SmallTxn } from '../strong/random-history.ts';

const LEVELS = ['rc', 'ra', 'cc'] as const;

/** A few transactions of any length, run one after another on snapshots that may lag; then some reads are changed. */
function longHistory(random: Random, longest: number, txns: number): SmallTxn[] {
  const keys = random.int(2, random.chance(0.5) ? 8 : 120);
  const sessions = random.int(1, 4);
  const versions: number[][] = [Array.from({ length: keys }, () => 0)];
  const lag = random.chance(0.5) ? 0 : 2;
  const seen = Array.from({ length: sessions }, () => 0);
  let counter = 0;
  const history: SmallTxn[] = [];
  for (let t = 0; t < txns; t++) {
    const session = random.int(0, sessions - 1);
    const newest = versions.length - 1;
    const at = Math.max(seen[session]!, newest - random.int(0, lag));
    const view = [...versions[at]!];
    const next = [...versions[newest]!];
    const ops: SmallOp[] = [];
    const reads = random.chance(0.5) ? 0.9 : 0.5;
    for (let o = random.int(1, longest); o > 0; o--) {
      const key = random.int(0, keys - 1);
      if (random.chance(reads)) ops.push({ write: false, key, value: view[key]! });
      else {
        view[key] = next[key] = ++counter;
        ops.push({ write: true, key, value: counter });
      }
    }
    versions.push(next);
    seen[session] = versions.length - 1;
    history.push({ session, outcome: 'committed', begin: 2 * t, end: 2 * t + 1, ops });
  }
  const lasts = new Map<number, number[]>();
  for (const txn of history) {
    const last = new Map(txn.ops.filter((op) => op.write).map((op) => [op.key, op.value]));
    for (const [key, value] of last) lasts.set(key, [...(lasts.get(key) ?? [0]), value]);
  }
  const all = history.flatMap((txn) => txn.ops.filter((op) => !op.write));
  for (let n = random.pick([0, 0, 1, 1, 2, 4]); n > 0 && all.length > 0; n--) {
    const read = random.pick(all);
    read.value = random.pick(lasts.get(read.key) ?? [0]);
  }
  return history;
}

describe('long transactions', () => {
  for (const [longest, txns, count] of [
    [40, 6, 600],
    [150, 5, 250],
    [8, 14, 600],
  ] as const) {
    it(`of up to ${longest} operations: rc, ra and cc agree with the brute force on ${count} histories`, () => {
      const random = createRandom(`long ${longest}`);
      const seen = { true: 0, false: 0 };
      for (let i = 0; i < count; i++) {
        const history = longHistory(random, longest, txns);
        const kv = toKv(history);
        for (const level of LEVELS) {
          const expected = bruteForceWeak(history, level);
          expect(checkAwdit(kv, level).answer, `${level}, history ${i}\n${showHistory(history)}`).toBe(expected);
          seen[`${expected}`]++;
        }
      }
      expect(Math.min(seen.true, seen.false)).toBeGreaterThan(count / 5);
    });
  }
});

describe('the order of the file', () => {
  it('changes no verdict: sessions one after another, last one first', () => {
    const random = createRandom('orders');
    for (let i = 0; i < 400; i++) {
      const history = longHistory(random, 8, 12);
      const bySession = history.toSorted((a, b) => b.session - a.session);
      for (const level of LEVELS)
        expect(checkAwdit(toKv(bySession), level).answer, `${level}\n${showHistory(history)}`).toBe(
          checkAwdit(toKv(history), level).answer,
        );
    }
  });
});

describe('values', () => {
  it('of any width and spread give the same verdicts as a counter', () => {
    const random = createRandom('values');
    for (let i = 0; i < 300; i++) {
      const history = longHistory(random, 8, 8);
      const spread = history.map((txn) => ({
        ...txn,
        ops: txn.ops.map((op) => ({ ...op, value: op.value === 0 ? 0 : op.value * 1_000_003 })),
      }));
      const wide = history.map((txn) => ({
        ...txn,
        ops: txn.ops.map((op) => ({ ...op, value: op.value === 0 ? 0 : op.value * 2 ** 40 - 2 ** 45 })),
      }));
      // with keys of 64 bits too
      const keys = wide.map((txn) => ({ ...txn, ops: txn.ops.map((op) => ({ ...op, key: op.key * 2 ** 34 - 7 })) }));
      for (const level of LEVELS) {
        const answer = checkAwdit(toKv(history), level).answer;
        for (const other of [spread, wide, keys])
          expect(checkAwdit(toKv(other), level).answer, `${level}\n${showHistory(other)}`).toBe(answer);
      }
    }
  });
});
