import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkMini, checkSearch, checkSolver, checkStrong, isMini } from '../../../../check/index.ts';
import { smallHistory } from '../../../arbitraries/key-value-history.ts';
import { always } from '../../../property.ts';
import { bruteForce } from './brute-force.ts';
import type { BruteLevel } from './brute-force.ts';
import { showHistory, toKv, withGaps } from './random-history.ts';
import type { SmallTxn } from './random-history.ts';

const LEVELS: readonly BruteLevel[] = ['snapshot-isolation', 'serializable', 'strict-serializable'];
const COUNT = 10_000;

describe('strong levels against a brute force over executions', () => {
  test(`${COUNT} random small histories get the same verdicts, and none is unknown`, () => {
    // the mixture must stay a mixture, or the test could not fail
    const reached = {
      'answer true': 0.25,
      'answer false': 0.25,
      mini: 0.25,
      linear: { perCase: 1 },
      'with gaps': 0.1,
      search: 0.2,
      solver: 0.5,
    };
    always(fc.tuple(smallHistory(), fc.nat({ max: 27 })), { seed: 2, of: COUNT, least: 1000, reached }, ([txns, lot], reach) => {
      const history = toKv(txns);
      if (isMini(history).mini) reach('mini');
      const gaps = lot % 7 === 0;
      const search = lot % 4 === 0;
      const solver = lot % 3 !== 0;
      if (gaps) reach('with gaps');
      if (search) reach('search');
      if (solver) reach('solver');
      const verdicts = checkStrong(history, LEVELS);
      LEVELS.forEach((level, l) => {
        const expected = bruteForce(txns, level);
        expect(verdicts[l]!.answer, `${level}\n${showHistory(txns)}`).toBe(expected);
        expect(verdicts[l]!.anomalies.length > 0, `${level} has a witness`).toBe(!expected);
        reach(`answer ${expected}`);
        const linear = checkMini(history, level).answer;
        if (linear !== 'unknown') {
          reach('linear');
          expect(linear, `linear, ${level}\n${showHistory(txns)}`).toBe(expected);
        }
        if (gaps) expect(checkStrong(withGaps(history), [level])[0]!.answer, 'with gaps').toBe(expected);
        if (solver) expect(checkSolver(history, level).answer, `solver, ${level}\n${showHistory(txns)}`).toBe(expected);
        if (search) expect(checkSearch(history, level).answer, `search, ${level}\n${showHistory(txns)}`).toBe(expected);
      });
    });
  });

  test('the order in which a file lists the transactions of different sessions decides nothing', () => {
    const order = fc.array(fc.nat({ max: 3 }), { maxLength: 6, size: 'max' });
    const histories = fc
      .tuple(smallHistory({ mostTxns: 6 }), fc.nat({ max: 5 }), fc.nat({ max: 5 }), order)
      .map(([txns, one, other, turns]) => listedAnew(turns, withTimesExchanged(txns, one, other)));
    always(histories, { seed: 3, of: 3000, least: 500, reached: { 'serializable, but not in real time': 0.01 } }, (txns, reached) => {
      const verdicts = checkStrong(toKv(txns), LEVELS);
      const expected = LEVELS.map((level) => bruteForce(txns, level));
      expect(
        verdicts.map((verdict) => verdict.answer),
        showHistory(txns),
      ).toEqual(expected);
      if (expected[1] && !expected[2]) reached('serializable, but not in real time');
    });
  });
});

/** What is serializable may then be out of real time. */
function withTimesExchanged(txns: readonly SmallTxn[], one: number, other: number): readonly SmallTxn[] {
  const [a, b] = [one % txns.length, other % txns.length];
  const times = txns.map(({ begin, end }) => ({ begin, end }));
  return txns.map((txn, i) => ({ ...txn, ...times[i === a ? b : i === b ? a : i]! })).toSorted((x, y) => x.begin - y.begin);
}

/** Sessions one transaction at a time in any order, their own order kept. */
function listedAnew(order: readonly number[], txns: readonly SmallTxn[]): SmallTxn[] {
  const queues = [...new Set(txns.map((txn) => txn.session))].map((session) => txns.filter((txn) => txn.session === session));
  return txns.map((_, i) => {
    const left = queues.filter((each) => each.length > 0);
    return left[(order[i] ?? 0) % left.length]!.shift() as SmallTxn;
  });
}
