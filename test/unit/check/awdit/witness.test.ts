import { describe, expect, it } from 'vitest';
import { checkAwdit } from '../../../../check/index.ts';
import { KV_INITIAL } from '../../../../core/kv/index.ts';
import type { KvCycleStep, KvHistory } from '../../../../core/kv/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import { within } from '../../../budget.ts';
import { bruteForceWeak } from './brute-force.ts';
import { randomHistory, showHistory, toKv } from '../strong/random-history.ts';
import type { SmallTxn } from '../strong/random-history.ts';

const LEVELS = ['rc', 'ra', 'cc'] as const;

/** The history's transaction of a name t7, by its place in the list. */
function placeOf(history: KvHistory, txn: number): number {
  return Number((history.txnName?.(txn) ?? '').slice(1));
}

function readsFrom(reader: SmallTxn, key: number, writer: SmallTxn | undefined): boolean {
  return reader.ops.some(
    (op) =>
      !op.write &&
      op.key === key &&
      (writer === undefined ? op.value === 0 : writer.ops.some((other) => other.write && other.key === key && other.value === op.value)),
  );
}

/** Does a step say what is in the history? By the definitions, without the checker's own tables. */
function stepHolds(txns: readonly SmallTxn[], history: KvHistory, step: KvCycleStep): boolean {
  const from = step.from === KV_INITIAL ? undefined : txns[placeOf(history, step.from)]!;
  const to = step.to === KV_INITIAL ? undefined : txns[placeOf(history, step.to)]!;
  if (step.rel === 'so') return from === undefined || (from.session === to!.session && txns.indexOf(from) < txns.indexOf(to!));
  const key = Number(step.key);
  if (step.rel === 'wr') return readsFrom(to!, key, from);
  // inferred: somebody reads the key from `to`, and `from` writes the key
  const reader = txns[placeOf(history, ownReads(step).findLast((op) => op.key === step.key)!.txn)]!;
  return step.inferred === true && from!.ops.some((op) => op.write && op.key === key) && readsFrom(reader, key, to);
}

/** The reads that the edge itself rests on. Behind the writes of an inferred edge stand the steps by which its reader depends on `from`. */
function ownReads({ inferred, operations }: KvCycleStep): KvCycleStep['operations'] {
  const write = inferred === true ? operations.findIndex((op) => op.kind === 'write') : -1;
  return operations.slice(0, write < 0 ? operations.length : write).filter((op) => op.kind === 'read');
}

function without(txns: readonly SmallTxn[], history: KvHistory, operation: { txn: number; key: string; value: string | null }): SmallTxn[] {
  const place = placeOf(history, operation.txn);
  return txns.map((txn, i) =>
    i === place
      ? { ...txn, ops: txn.ops.filter((op) => op.write || String(op.key) !== operation.key || String(op.value) !== operation.value) }
      : txn,
  );
}

describe('witnesses of rc, ra and cc', () => {
  for (const level of LEVELS) {
    it(`${level}: every cycle is closed, every step is in the history, and without a read it rests on it is gone`, () => {
      const random = createRandom(`witness ${level}`);
      let cycles = 0;
      let passes = 0;
      const others: string[] = [];
      const cases = within(3000, { least: 600 });
      for (const i of cases) {
        const txns = randomHistory(random, { mini: i % 2 === 0, unknowns: false });
        const history = toKv(txns);
        const { anomalies } = checkAwdit(history, level);
        for (const anomaly of anomalies) {
          const message = `${anomaly.explanation}\n${showHistory(txns)}`;
          expect(anomaly.levels, message).toContain(level);
          expect(anomaly.explanation.length).toBeGreaterThan(20);
          anomaly.cycle.forEach((step, s) => {
            expect(anomaly.cycle[(s + 1) % anomaly.cycle.length]!.from, message).toBe(step.to);
            expect(stepHolds(txns, history, step), `${step.explanation}\n${message}`).toBe(true);
          });
        }
        if (anomalies.length !== 1 || anomalies[0]!.cycle.length === 0) continue;
        cycles++;
        for (const step of anomalies[0]!.cycle) {
          const read = ownReads(step).at(-1);
          if (read === undefined) continue;
          const rest = without(txns, history, read);
          const verdict = checkAwdit(toKv(rest), level);
          expect(verdict.answer).toBe(bruteForceWeak(rest, level));
          // the same edge may rest on another reader, never on this one
          expect(verdict.anomalies.map((other) => other.explanation)).not.toContain(anomalies[0]!.explanation);
          if (verdict.answer === true) passes++;
          else others.push(verdict.anomalies.map((other) => other.name).join('+'));
        }
      }
      expect(cycles).toBeGreaterThan(cases.ran / 30);
      // what still fails does so for another cycle, as the names say
      expect(passes, [...new Set(others)].join(', ')).toBeGreaterThan(others.length);
    });
  }

  it('prefers the fewest inferred edges', () => {
    const txns: SmallTxn[] = [
      { session: 0, outcome: 'committed', begin: 0, end: 1, ops: [{ write: true, key: 1, value: 1 }] },
      {
        session: 0,
        outcome: 'committed',
        begin: 2,
        end: 3,
        ops: [
          { write: true, key: 1, value: 2 },
          { write: true, key: 2, value: 3 },
        ],
      },
      {
        session: 1,
        outcome: 'committed',
        begin: 4,
        end: 5,
        ops: [
          { write: false, key: 2, value: 3 },
          { write: false, key: 1, value: 1 },
        ],
      },
    ];
    const [anomaly] = checkAwdit(toKv(txns), 'rc').anomalies;
    expect(anomaly?.cycle.map((step) => [step.rel, step.inferred ?? false])).toEqual(
      expect.arrayContaining([
        ['so', false],
        ['ww', true],
      ]),
    );
    expect(anomaly?.cycle.length).toBe(2);
    expect(anomaly?.explanation).toMatch(
      /transaction t2 of session s1 reads 2 = 3 from transaction t1 and then reads 1 = 1 from transaction t0; transaction t1 also writes 1 = 2, so transaction t1 must come before transaction t0/,
    );
  });
});
