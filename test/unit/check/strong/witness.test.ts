/**
 * A witness is enough: the transactions it names, and only their operations that it rests on, are violated by
 * themselves; and it is needed: a bad read mended, or one edge's evidence taken away, and that cycle is gone.
 */
import { describe, expect, test } from 'vitest';
import { checkStrong } from '../../../../check/index.ts';
import type { StrongLevel } from '../../../../core/level/index.ts';
import type { KvAnomaly, KvHistory } from '../../../../core/kv/index.ts';
import { KV_INITIAL, kvKey, kvValue } from '../../../../core/kv/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import { bruteForce } from './brute-force.ts';
import { randomHistory, showHistory, toKv } from './random-history.ts';
import type { SmallTxn } from './random-history.ts';

const LEVELS: readonly StrongLevel[] = ['snapshot-isolation', 'serializable', 'strict-serializable'];

describe('witnesses of the strong levels', () => {
  test('every step of a cycle rests on operations of the history, and the steps close', () => {
    forEachWitness(1500, (history, _txns, anomaly) => {
      anomaly.cycle.forEach((step, i) => {
        expect(step.to).toBe(anomaly.cycle[(i + 1) % anomaly.cycle.length]!.from);
        if (step.rel === 'so' || step.rel === 'rt') return;
        expect(step.operations.length).toBe(2);
        for (const operation of step.operations) {
          const ops = Array.from(
            { length: history.opEnd[operation.txn]! - history.opStart[operation.txn]! },
            (_, n) => history.opStart[operation.txn]! + n,
          );
          expect(
            ops.some(
              (op) =>
                String(kvKey(history, op)) === operation.key &&
                (operation.value === null || String(kvValue(history, op)) === operation.value),
            ),
          ).toBe(true);
        }
        const [from, to] = step.operations;
        expect([from!.txn, to!.txn]).toEqual([step.from, step.to]);
        if (step.rel === 'wr') expect([from!.kind, to!.kind, from!.key, from!.value]).toEqual(['write', 'read', to!.key, to!.value]);
        if (step.rel === 'ww') expect([from!.kind, to!.kind, from!.key]).toEqual(['write', 'write', to!.key]);
        if (step.rel === 'rw') expect([from!.kind, to!.kind, from!.key]).toEqual(['read', 'write', to!.key]);
      });
    });
  });

  test('the transactions that a cycle of known edges names violate the level by themselves', () => {
    let checked = 0;
    forEachWitness(1500, (_history, txns, anomaly, level) => {
      if (anomaly.cycle.length === 0) return;
      const named = new Set(anomaly.transactions);
      const inferred = anomaly.cycle.some((step) => step.inferred);
      if (inferred) return; // an inferred edge may rest on transactions beside the cycle
      const names = [...named].map((t) => _history.txnName!(t));
      const kept = txns.filter((_, i) => names.includes(`t${i}`));
      // what they read from the others is left out: it demands nothing of these
      const values = new Set(kept.flatMap((txn) => txn.ops.filter((op) => op.write).map((op) => op.value)));
      const core = kept.map((txn): SmallTxn => ({
        ...txn,
        ops: txn.ops.filter((op) => op.write || op.value === 0 || values.has(op.value)),
      }));
      // a rw edge whose version's writer is not on the cycle needs that writer to order the versions
      if (core.flatMap((txn) => txn.ops).length !== kept.flatMap((txn) => txn.ops).length) return;
      checked++;
      expect(bruteForce(core, level), `${level} ${anomaly.name}\n${showHistory(core)}\n${anomaly.explanation}`).toBe(false);
    });
    expect(checked).toBeGreaterThan(100);
  });

  test('with the evidence of any one step taken away, that cycle is not reported again', () => {
    let passes = 0;
    /** Histories with a second anomaly that shares steps with the first: which, and after which step was taken away. */
    const others: string[] = [];
    forEachWitness(3000, (history, txns, anomaly, level, only) => {
      if (anomaly.cycle.length === 0 || !only) return;
      for (const step of anomaly.cycle) {
        const changed = withoutEvidence(history, txns, step);
        if (changed === undefined) continue;
        const poorer = toKv(changed);
        const again = checkStrong(poorer, [level], { report: 'all' })[0]!;
        const same = again.anomalies.some(
          (other) => other.cycle.length > 0 && describeCycle(poorer, other) === describeCycle(history, anomaly),
        );
        expect(same, `${level}: ${anomaly.explanation}\nwithout ${step.explanation}\n${showHistory(changed)}`).toBe(false);
        if (again.answer === true) passes++;
        else others.push(`${anomaly.name} without ${step.rel}: ${again.anomalies.map((other) => other.name).join()}`);
        expect(again.answer, 'decided').not.toBe('unknown');
      }
    });
    // Most pass then. The rest has a second cycle in the same strongly connected component (one is reported of each).
    expect(passes, others.join('\n')).toBeGreaterThan(others.length);
    expect(others.every((line) => /: \w/.test(line))).toBe(true);
  });

  test('a bad read that is left out is not reported again', () => {
    forEachWitness(600, (history, txns, anomaly, level) => {
      if (
        anomaly.cycle.length > 0 ||
        anomaly.operations[0] === undefined ||
        (anomaly.name.startsWith('Not') && !/Own|Last/.test(anomaly.name))
      )
        return;
      const bad = anomaly.operations[0];
      const at = Number(history.txnName!(bad.txn).slice(1));
      const mended = txns.map((txn, i) =>
        i === at
          ? { ...txn, ops: txn.ops.filter((op) => op.write || String(op.key) !== bad.key || String(op.value) !== (bad.value ?? '0')) }
          : txn,
      );
      const again = checkStrong(toKv(mended), [level], { report: 'all' })[0]!;
      expect(again.anomalies.map((other) => other.explanation)).not.toContain(anomaly.explanation);
    });
  });
});

function forEachWitness(
  count: number,
  look: (history: KvHistory, txns: readonly SmallTxn[], anomaly: KvAnomaly, level: StrongLevel, only: boolean) => void,
): void {
  const random = createRandom('witnesses');
  for (let i = 0; i < count; i++) {
    const txns = randomHistory(random, { mini: i % 2 === 0, unknowns: false });
    const history = toKv(txns);
    for (const verdict of checkStrong(history, LEVELS, { report: 'all' }))
      for (const anomaly of verdict.anomalies) look(history, txns, anomaly, verdict.level as StrongLevel, verdict.anomalies.length === 1);
  }
}

/** The history without what one step rests on: a read dropped, a session split, an overlap in time. */
function withoutEvidence(history: KvHistory, txns: readonly SmallTxn[], step: KvAnomaly['cycle'][number]): readonly SmallTxn[] | undefined {
  if (step.from === KV_INITIAL || step.inferred) return undefined;
  const place = (t: number): number => Number(history.txnName!(t).slice(1));
  const to = place(step.to);
  if (step.rel === 'so') return txns.map((txn, i) => (i === to ? { ...txn, session: 99 } : txn));
  if (step.rel === 'rt') return txns.map((txn, i) => (i === to ? { ...txn, begin: -1 } : txn));
  const read = step.operations.find((operation) => operation.kind === 'read');
  if (read === undefined) return undefined;
  const reader = place(read.txn);
  return txns.map((txn, i) => (i === reader ? { ...txn, ops: txn.ops.filter((op) => op.write || String(op.key) !== read.key) } : txn));
}

function describeCycle(history: KvHistory, anomaly: KvAnomaly): string {
  const steps = anomaly.cycle.map((step) => `${history.txnName!(step.from)} ${step.rel} ${step.key ?? ''} ${history.txnName!(step.to)}`);
  return steps.toSorted().join(';');
}
