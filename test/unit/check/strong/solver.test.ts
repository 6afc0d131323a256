/**
 * The solver where it is alone: general histories larger than a brute force, with and without a planted violation, and
 * what it does when its budget ends.
 */
import { describe, expect, test } from 'vitest';
import { KvHistoryBuilder, checkSearch, checkSolver, generateKv } from '../../../../check/index.ts';
import { OP, kvKey, kvValue } from '../../../../core/index-kv.ts';
import type { KvHistory, StrongLevel } from '../../../../core/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import { bruteForce } from './brute-force.ts';
import { randomHistory, showHistory, toKv } from './random-history.ts';
import type { SmallTxn } from './random-history.ts';

const LEVELS: readonly StrongLevel[] = ['snapshot-isolation', 'serializable', 'strict-serializable'];
const general = (distribution: 'uniform' | 'zipfian', transactions: number, plant?: 'LostUpdate' | 'WriteSkew' | 'LongFork'): KvHistory =>
  generateKv(
    { kind: 'general', sessions: 20, transactions, keys: transactions / 10, distribution, ...(plant === undefined ? {} : { plant }) },
    createRandom(`solver ${distribution} ${plant}`),
  );

const ofOneSession = (ops: string): SmallTxn => ({
  session: 0,
  outcome: 'committed',
  begin: 0,
  end: 0,
  ops: ops.split(' ').map((op) => ({ write: op.startsWith('w'), key: Number(op[1]), value: Number(op[2]) })),
});
/** Not serializable, by decisions alone. */
const FOUR = toKv(['r10 w11', 'w12', 'r11', 'w11'].map(ofOneSession), false);

describe('the solver', () => {
  test.each(['uniform', 'zipfian'] as const)('general histories of a serial execution with %s keys hold at every level', (distribution) => {
    for (const level of LEVELS) expect(checkSolver(general(distribution, 3000), level).answer, level).toBe(true);
  });

  test.each(['LostUpdate', 'WriteSkew', 'LongFork'] as const)('a planted %s is found, and the witness is what was planted', (plant) => {
    const history = general('zipfian', 3000, plant);
    for (const level of LEVELS) {
      const verdict = checkSolver(history, level);
      const broken = !(plant === 'WriteSkew' && level === 'snapshot-isolation');
      expect(verdict.answer, level).toBe(!broken);
      for (const anomaly of verdict.anomalies) {
        expect(anomaly.name).toBe(plant);
        expect(anomaly.transactions.every((t) => history.txnName?.(t).startsWith('planted'))).toBe(true);
      }
      expect(verdict.anomalies.length).toBe(broken ? 1 : 0);
    }
  });

  test('an execution of snapshots is snapshot isolated, and the search agrees on whether it is serializable', () => {
    let skewed = 0;
    for (let i = 0; i < 40; i++) {
      const history = generateKv(
        { kind: 'general', sessions: 6, transactions: 16, keys: 4, operations: 3, isolation: 'snapshot' },
        createRandom(`snapshots ${i}`),
      );
      expect(checkSolver(history, 'snapshot-isolation').answer).toBe(true);
      const serial = checkSolver(history, 'serializable').answer;
      expect(serial, `history ${i}`).toBe(checkSearch(history, 'serializable').answer);
      if (serial === false) skewed++;
    }
    expect(skewed).toBeGreaterThan(5);
  });

  test('no transaction can be left out of a witness that is no bad read', () => {
    const random = createRandom('minimal witnesses');
    let seen = 0;
    for (let i = 0; seen < 50 && i < 4000; i++) {
      const txns = randomHistory(random, { mini: false, unknowns: false });
      for (const level of LEVELS) {
        const history = toKv(txns);
        const [anomaly] = checkSolver(history, level, { report: 'first' }).anomalies;
        if (anomaly === undefined || !/^Not(Ser|Snap)|Skew|Fork|Lost|RealTime|Causality|Fractured|Session/.test(anomaly.name)) continue;
        const names = anomaly.transactions.map((t) => Number(history.txnName!(t).slice(1)));
        // an inferred edge rests on transactions beside the cycle
        if (anomaly.cycle.some((step) => step.inferred)) continue;
        seen++;
        const without = (left: number): SmallTxn[] => readable(txns.filter((_, t) => names.includes(t) && t !== left));
        for (const left of names)
          expect(bruteForce(without(left), level), `${level} ${anomaly.explanation}\n${showHistory(txns)}`).toBe(true);
      }
    }
    expect(seen).toBeGreaterThanOrEqual(50);
  });

  test('no transaction can be left out of the witness of a planted violation, whatever goes on beside it', () => {
    const plants = ['FracturedRead', 'CausalityViolation', 'LongFork', 'LostUpdate', 'WriteSkew', 'CyclicCO', 'RealTimeViolation'] as const;
    let seen = 0;
    for (const plant of plants) {
      for (let seed = 0; seed < 4; seed++) {
        const history = generateKv(
          { kind: 'general', sessions: 6, transactions: 120, keys: 12, operations: 4, plant },
          createRandom(`planted ${plant} ${seed}`),
        );
        for (const level of LEVELS) {
          for (const anomaly of checkSolver(history, level).anomalies) {
            seen++;
            const named = anomaly.refutation?.transactions ?? anomaly.transactions;
            const words = `${level} ${anomaly.explanation}`;
            expect(
              named.every((t) => history.txnName?.(t).startsWith('planted')),
              words,
            ).toBe(true);
            expect(bruteForce(readable(small(history, named)), level), words).toBe(false);
            for (const left of named)
              expect(
                bruteForce(
                  readable(
                    small(
                      history,
                      named.filter((t) => t !== left),
                    ),
                  ),
                  level,
                ),
                words,
              ).toBe(true);
          }
        }
      }
    }
    expect(seen).toBeGreaterThanOrEqual(50);
  });

  test('a witness whose search for a smaller one was given up says so', () => {
    const [least, given] = [undefined, 1].map(
      (witnessWork) => checkSolver(FOUR, 'serializable', witnessWork === undefined ? {} : { witnessWork }).anomalies[0]!,
    );
    expect(least!.explanation).toContain('the others fit if any one of them is left out.');
    expect(given!.explanation).toContain('some of them may be unnecessary, as the search for fewer reached its budget.');
    expect(given!.transactions).toEqual(expect.arrayContaining([...least!.transactions]));
  });

  test('what only decisions refute is written as cases, each of which ends in a cycle', () => {
    const [anomaly] = checkSolver(FOUR, 'serializable').anomalies;
    expect(anomaly!.name).toBe('NotSerializable');
    expect(anomaly!.explanation).toBe(
      'transaction t0, transaction t1, transaction t2, transaction t3 fit into no serial order, whichever order their writes had; the others fit if any one of them is left out. ' +
        '(1) If transaction t0 came before transaction t1: (1.1) If transaction t2 read what transaction t0 wrote: transaction t1 comes before transaction t2 in session s0; transaction t2 reads key 1 as 1, before transaction t1 writes 2 to it; which closes the cycle. ' +
        '(1.2) If transaction t2 read what transaction t3 wrote: transaction t2 comes before transaction t3 in session s0; transaction t2 reads key 1 as 1, which transaction t3 wrote; which closes the cycle. ' +
        '(2) If transaction t1 came before transaction t0: transaction t0 comes before transaction t1 in session s0; transaction t0 overwrites key 1, which transaction t1 wrote; which closes the cycle.',
    );
  });

  test('a writer of unknown outcome that a read may be of is taken both ways', () => {
    const built = (fresh: (builder: KvHistoryBuilder) => void): KvHistory => {
      const builder = new KvHistoryBuilder('zero');
      fresh(builder);
      return builder.finish();
    };
    const history = built((builder) => {
      const [a, b, c] = ['a', 'b', 'c'].map((name) => builder.txn(builder.session(name), name));
      builder.setStatus(b!, 0); // unknown
      builder.write(a!, 1, 7);
      builder.write(b!, 1, 7);
      builder.read(b!, 2, 5); // that nobody wrote: it cannot have committed
      builder.read(c!, 1, 7);
    });
    for (const level of ['snapshot-isolation', 'serializable'] as const) expect(checkSolver(history, level).answer).toBe(true);
  });

  test('beyond its budget it says unknown, and how far it came', () => {
    const history = general('zipfian', 3000);
    const answers = [0, 100_000].map((budget) => checkSolver(history, 'snapshot-isolation', { budget }));
    expect(answers[1]!.answer).toBe(true);
    expect(answers[0]!.answer).toBe('unknown');
    expect(answers[0]!.reason).toMatch(/^3000 transactions: an order broke \d+ reads/);
  });
});

/** Without reads of what nobody is left to have written. */
function readable(txns: readonly SmallTxn[]): SmallTxn[] {
  const values = new Set(txns.flatMap(({ ops }) => ops.filter((op) => op.write).map((op) => op.value)));
  return txns.map((txn) => ({ ...txn, ops: txn.ops.filter((op) => op.write || op.value === 0 || values.has(op.value)) }));
}

/** Transactions of a history as the brute force takes them. */
function small(history: KvHistory, txns: readonly number[]): SmallTxn[] {
  return txns.map((t) => ({
    session: history.sessionStart.findLastIndex((start) => start <= t),
    outcome: 'committed',
    begin: history.beginAt![t]!,
    end: history.endAt![t]!,
    ops: Array.from({ length: history.opEnd[t]! - history.opStart[t]! }, (_, i) => history.opStart[t]! + i).map((op) => ({
      write: history.kind[op] === OP.write,
      key: Number(kvKey(history, op)),
      value: Number(kvValue(history, op) ?? 0),
    })),
  }));
}
