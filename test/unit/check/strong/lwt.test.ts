import { describe, expect, test } from 'vitest';
import { checkLwt, checkMini, isLwt } from '../../../../check/index.ts';
import { OP } from '../../../../core/kv/index.ts';
import type { Random } from '../../../../core/base/index.ts';
import type { KvHistory } from '../../../../core/kv/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import { bruteForce } from './brute-force.ts';
import { showHistory, toKv } from './random-history.ts';
import type { SmallTxn } from './random-history.ts';

describe('lightweight transactions', () => {
  test('5,000 small histories are linearizable exactly when the brute force finds an order', () => {
    const random = createRandom('lwt');
    const seen = { true: 0, false: 0 };
    for (let i = 0; i < 5000; i++) {
      const txns = randomLwt(random);
      const history = withoutInitialReads(toKv(txns));
      expect(isLwt(history)).toEqual({ lwt: true });
      const expected = bruteForce(txns, 'strict-serializable');
      const verdict = checkLwt(history);
      expect(verdict.answer, showHistory(txns)).toBe(expected);
      expect(verdict.anomalies.length > 0).toBe(!expected);
      // one operation a transaction: linearizability is strict serializability
      expect(checkMini(toKv(txns), 'strict-serializable').answer, showHistory(txns)).toBe(expected);
      seen[`${expected}`]++;
    }
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(1000);
  });

  test('a history of other transactions is refused, not judged', () => {
    const history = toKv([
      {
        session: 0,
        outcome: 'committed',
        begin: 0,
        end: 1,
        ops: [
          { write: false, key: 0, value: 0 },
          { write: true, key: 1, value: 1 },
        ],
      },
    ]);
    expect(checkLwt(history)).toMatchObject({ answer: 'unknown' });
  });

  test('a chain of 200,000 operations on one key needs no recursion', () => {
    const txns = Array.from({ length: 200_000 }, (_, i): SmallTxn => ({
      session: i % 7,
      outcome: 'committed',
      begin: 2 * i,
      end: 2 * i + 1,
      ops: [
        { write: false, key: 0, value: i },
        { write: true, key: 0, value: i + 1 },
      ],
    }));
    expect(checkLwt(toKv(txns)).answer).toBe(true);
    expect(checkMini(toKv(txns), 'strict-serializable').answer).toBe(true);
  });
});

/** An insert reads "nothing" here so that the brute force knows what it means; each operation has a session of its own. */
function randomLwt(random: Random): SmallTxn[] {
  const txns: SmallTxn[] = [];
  let value = 1;
  const count = random.int(2, 7);
  for (let i = 0; i < count; i++) {
    const key = random.int(0, 1);
    const values = [0, ...txns.flatMap((txn) => txn.ops.filter((op) => op.write && op.key === key).map((op) => op.value))];
    // mostly the newest value, so that chains get long
    const old = random.chance(0.8) ? values[values.length - 1]! : random.pick(values);
    const ops = [{ write: false, key, value: old }];
    if (random.chance(0.7)) ops.push({ write: true, key, value: value++ });
    txns.push({
      session: i,
      outcome: random.chance(0.1) ? random.pick(['aborted', 'unknown'] as const) : 'committed',
      begin: 0,
      end: 0,
      ops,
    });
  }
  txns.forEach((txn, i) => {
    txn.begin = Math.max(0, 4 * i + random.int(-6, 6));
    txn.end = txn.begin + random.int(0, 10);
  });
  return txns;
}

/** Half of the reads of nothing before a write are dropped: an insert if not exists writes alone. */
function withoutInitialReads(history: KvHistory): KvHistory {
  const opStart = history.opStart.slice();
  for (let t = 0; t < history.txnCount; t++) {
    const op = opStart[t]!;
    const insert = history.opEnd[t]! - op === 2 && history.valueLow[op] === 0 && history.kind[op] === OP.read;
    if (insert && t % 2 === 0) opStart[t] = op + 1;
  }
  // what stays of a dropped read belongs to no transaction
  return { ...history, opStart };
}
