import { describe, expect, test } from 'vitest';
import { PLANTABLE, checkStrong, generateKv, isMini } from '../../../check/index.ts';
import type { StrongLevel } from '../../../core/level/index.ts';
import { DISTRIBUTIONS } from '../../../core/base/index.ts';
import { createRandom } from '../../../schema-gen/index.ts';

const LEVELS: readonly StrongLevel[] = ['snapshot-isolation', 'serializable', 'strict-serializable'];

describe('generated key-value histories', () => {
  for (const distribution of DISTRIBUTIONS) {
    test(`mini-transactions with ${distribution} keys satisfy every strong level`, () => {
      const history = generateKv({ kind: 'mini', sessions: 10, transactions: 2000, keys: 50, distribution }, createRandom(distribution));
      expect(isMini(history)).toEqual({ mini: true });
      expect(checkStrong(history, LEVELS).map((verdict) => verdict.answer)).toEqual([true, true, true]);
      expect(history.txnCount).toBe(2000);
    });
  }

  test('general histories from a serial execution satisfy every strong level', () => {
    for (let seed = 0; seed < 20; seed++) {
      const history = generateKv(
        { kind: 'general', sessions: 5, transactions: 60, keys: 12, operations: 5 },
        createRandom(`general ${seed}`),
      );
      expect(checkStrong(history, LEVELS).map((verdict) => verdict.reason ?? verdict.answer)).toEqual([true, true, true]);
    }
  });

  test('snapshot executions satisfy snapshot isolation, and some are not serializable', () => {
    let skewed = 0;
    for (let seed = 0; seed < 20; seed++) {
      const history = generateKv(
        { kind: 'mini', sessions: 8, transactions: 600, keys: 4, isolation: 'snapshot' },
        createRandom(`snapshot ${seed}`),
      );
      const [snapshot, serial] = checkStrong(history, LEVELS);
      expect(snapshot!.answer).toBe(true);
      if (serial!.answer === false) skewed++;
    }
    expect(skewed).toBeGreaterThan(5);
  });

  for (const plant of PLANTABLE) {
    test(`a planted ${plant} is found under its name, at its levels and no weaker one`, () => {
      const history = generateKv({ kind: 'mini', sessions: 6, transactions: 500, keys: 30, plant }, createRandom(`plant ${plant}`));
      for (const verdict of checkStrong(history, LEVELS, { report: 'all' })) {
        const names = verdict.anomalies.map((anomaly) => anomaly.name);
        const forbidden = verdict.anomalies[0]?.levels.includes(verdict.level) ?? false;
        expect(verdict.answer, `${verdict.level}: ${names.join()}`).toBe(!forbidden);
        if (forbidden) expect(names).toEqual([plant]);
        else expect(names).toEqual([]);
      }
      expect(checkStrong(history, ['strict-serializable'])[0]!.answer).toBe(false);
    });
  }
});
