import { describe, expect, test } from 'vitest';
import { checkMini, checkSearch, checkSolver, checkStrong, isMini } from '../../../../check/index.ts';
import type { Random } from '../../../../core/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import { within } from '../../../budget.ts';
import { bruteForce } from './brute-force.ts';
import type { BruteLevel } from './brute-force.ts';
import { randomHistory, showHistory, toKv, withGaps } from './random-history.ts';
import type { SmallTxn } from './random-history.ts';

const LEVELS: readonly BruteLevel[] = ['snapshot-isolation', 'serializable', 'strict-serializable'];
const COUNT = 10_000;

describe('strong levels against a brute force over executions', () => {
  test(`${COUNT} random small histories get the same verdicts, and none is unknown`, () => {
    const random = createRandom('strong levels');
    const seen = { true: 0, false: 0, mini: 0, linear: 0 };
    const cases = within(COUNT, { least: 1000 });
    for (const i of cases) {
      const txns = randomHistory(random, { mini: i % 2 === 0 });
      const history = toKv(txns);
      if (isMini(history).mini) seen.mini++;
      const verdicts = checkStrong(history, LEVELS);
      LEVELS.forEach((level, l) => {
        const expected = bruteForce(txns, level);
        expect(verdicts[l]!.answer, `${level}, history ${i}\n${showHistory(txns)}`).toBe(expected);
        expect(verdicts[l]!.anomalies.length > 0, `${level} has a witness, history ${i}`).toBe(!expected);
        seen[`${expected}`]++;
        const linear = checkMini(history, level).answer;
        if (linear !== 'unknown') {
          seen.linear++;
          expect(linear, `linear, ${level}, history ${i}\n${showHistory(txns)}`).toBe(expected);
        }
        if (i % 7 === 0) expect(checkStrong(withGaps(history), [level])[0]!.answer, 'with gaps').toBe(expected);
        if (i % 3 !== 0) expect(checkSolver(history, level).answer, `solver, ${level}, history ${i}\n${showHistory(txns)}`).toBe(expected);
        if (i % 4 === 0) expect(checkSearch(history, level).answer, `search, ${level}, history ${i}\n${showHistory(txns)}`).toBe(expected);
      });
    }
    // the mixture must stay a mixture, or the test could not fail
    expect(seen.true).toBeGreaterThan(cases.ran / 4);
    expect(seen.false).toBeGreaterThan(cases.ran / 4);
    expect(seen.mini).toBeGreaterThan(cases.ran / 4);
    expect(seen.linear).toBeGreaterThan(cases.ran);
  });

  test('the order in which a file lists the transactions of different sessions decides nothing', () => {
    const random = createRandom('order of the file');
    let late = 0;
    const cases = within(3000, { least: 500 });
    for (const i of cases) {
      const txns = listedAnew(random, randomHistory(random, { mini: i % 3 !== 0, mostTxns: 6 }));
      const verdicts = checkStrong(toKv(txns), LEVELS);
      const expected = LEVELS.map((level) => bruteForce(txns, level));
      expect(verdicts.map((verdict) => verdict.answer), showHistory(txns)).toEqual(expected);
      if (expected[1] && !expected[2]) late++;
    }
    // serializable, but not in real time
    expect(late).toBeGreaterThan(cases.ran / 100);
  });
});

/** Sessions one transaction at a time in any order, their own order kept. */
function listedAnew(random: Random, txns: readonly SmallTxn[]): SmallTxn[] {
  const queues = [...new Set(txns.map((txn) => txn.session))].map((session) => txns.filter((txn) => txn.session === session));
  return txns.map(() => {
    const queue = random.pick(queues.filter((each) => each.length > 0));
    return queue.shift() as SmallTxn;
  });
}
