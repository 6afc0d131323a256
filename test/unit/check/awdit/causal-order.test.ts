import { describe, expect, it } from 'vitest';
import { awditProgram, checkAwdit } from '../../../../check/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import { showHistory, toKv } from '../strong/random-history.ts';
import type { SmallOp, SmallTxn } from '../strong/random-history.ts';
import { runPair } from '../threads/run-pair.ts';
import { bruteForceWeak } from './brute-force.ts';

const committed = (session: number, t: number, ops: SmallOp[]): SmallTxn => ({
  session,
  outcome: 'committed',
  begin: 2 * t,
  end: 2 * t + 1,
  ops,
});

/** One after another, each read of one of the key's last three values, three times out of four of the newest. */
function staleHistory(seed: string, count: number): SmallTxn[] {
  const random = createRandom(seed);
  const values = Array.from({ length: 12 }, () => [0]);
  let counter = 0;
  return Array.from({ length: count }, (_, t) => {
    const ops: SmallOp[] = [];
    for (let key = random.int(0, 3); key < values.length; key += random.int(1, 6)) {
      const known = values[key]!;
      if (random.chance(0.5)) ops.push({ write: false, key, value: known.at(random.chance(0.75) ? -1 : -random.int(1, 3)) ?? 0 });
      else {
        known.push(++counter);
        ops.push({ write: true, key, value: counter });
      }
    }
    return committed(random.int(0, 7), t, ops);
  });
}

/**
 * Session 1 writes a and b, and session 0 reads at every step that nobody wrote a: each search goes back to the first
 * transaction. In the end session 0 reads b if `hears`, and what it read of a before and after cannot both be.
 */
function longSearches(steps: number, hears: boolean): SmallTxn[] {
  const a = 0;
  const b = 1;
  const writer = committed(1, 0, [
    { write: true, key: a, value: 1 },
    { write: true, key: b, value: 2 },
  ]);
  const readers = Array.from({ length: steps }, (_, i) => committed(0, i + 1, [{ write: false, key: a, value: 0 }]));
  const listener = committed(0, steps + 1, [{ write: false, key: b, value: hears ? 2 : 0 }]);
  const last = committed(0, steps + 2, [{ write: false, key: a, value: 0 }]);
  return [writer, ...readers, listener, last];
}

describe('cc where reads are of older values', () => {
  it('agrees with the brute force on 1500 histories of ten transactions in eight sessions', () => {
    const seen = { true: 0, false: 0 };
    for (let i = 0; i < 1500; i++) {
      const history = staleHistory(`stale ${i}`, 10);
      const expected = bruteForceWeak(history, 'cc');
      expect(checkAwdit(toKv(history), 'cc').answer, showHistory(history)).toBe(expected);
      seen[`${expected}`]++;
    }
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(300);
  });

  it('agrees with the brute force where two threads share the keys', () => {
    const seen = { true: 0, false: 0 };
    for (let i = 0; i < 500; i++) {
      const history = staleHistory(`shared ${i}`, 10);
      const expected = bruteForceWeak(history, 'cc');
      const [verdict] = runPair((threadGroup) => awditProgram(threadGroup, toKv(history), ['cc']));
      expect(verdict!.answer, showHistory(history)).toBe(expected);
      seen[`${expected}`]++;
    }
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(100);
  });

  for (const steps of [2, 2000])
    it(`answers the same whether searches suffice or clocks go on: ${steps} searches back to the first transaction`, () => {
      expect(checkAwdit(toKv(longSearches(steps, false)), 'cc').answer).toBe(true);
      expect(checkAwdit(toKv(longSearches(steps, true)), 'cc').answer).toBe(false);
    });
});
