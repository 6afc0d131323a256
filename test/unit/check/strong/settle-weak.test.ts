/** rc, ra and cc where values repeat, against the definition tried in every order of commits. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkAwditLevels, formatNamed, settleWeak } from '../../../../check/index.ts';
import { AWDIT_LEVELS } from '../../../../core/level/index.ts';
import type { KvHistory, KvVerdict } from '../../../../core/kv/index.ts';
import { verifyRefutation } from '../../../../src/judge/findings/verify-refutation/verify-refutation.ts';
import { smallHistory } from '../../../arbitraries/key-value-history.ts';
import { always } from '../../../property.ts';
import { bruteForceOwn } from './brute-force-own.ts';
import { showHistory, toKv } from './random-history.ts';
import type { SmallTxn } from './random-history.ts';

const COUNT = 10_000;

function judge(history: KvHistory): readonly KvVerdict[] {
  return settleWeak(history, checkAwditLevels(history, AWDIT_LEVELS), false);
}

function few(): fc.Arbitrary<readonly SmallTxn[]> {
  return fc.tuple(smallHistory({ mostTxns: 7 }), fc.integer({ min: 1, max: 3 })).map(([txns, values]) => {
    for (const { ops } of txns) for (const op of ops) if (op.value !== 0 && op.value !== 999) op.value = 1 + (op.value % values);
    return txns;
  });
}

describe('the weak levels of repeated values', () => {
  const plume = (text: string): KvHistory => {
    const parsed = formatNamed('plume').read([{ name: 'h', bytes: new TextEncoder().encode(`${text.replaceAll(' ', '\n')}\n`) }]);
    if (parsed.kind !== 'kv') throw new Error('a register history');
    return parsed.history;
  };
  // whichever of two wrote the 7 that was read, it wrote key 2 (and in the last one read from who did) too
  const cases: readonly (readonly [what: string, text: string, answers: readonly boolean[], name: string])[] = [
    ['one of both explains it', 'w(1,7,1,1) w(2,1,1,1) w(1,7,2,2) r(1,7,3,3) r(2,0,3,3)', [true, true, true], ''],
    ['new, then old', 'w(1,7,1,1) w(2,1,1,1) w(1,7,2,2) w(2,2,2,2) r(1,7,3,3) r(2,0,3,3)', [false, false, false], 'NonMonotonicRead'],
    ['old, then new', 'w(1,7,1,1) w(2,1,1,1) w(1,7,2,2) w(2,2,2,2) r(2,0,3,3) r(1,7,3,3)', [true, false, false], 'FracturedRead'],
    [
      'a cause is missing',
      'w(2,1,1,1) w(2,2,2,2) r(2,1,3,3) w(1,7,3,3) r(2,2,4,4) w(1,7,4,4) r(1,7,5,5) r(2,0,5,5)',
      [true, true, false],
      'CausalityViolation',
    ],
  ];
  test.each(cases)('%s', (_, text, answers, name) => {
    const verdicts = judge(plume(text));
    expect(verdicts.map(({ answer }) => answer)).toEqual(answers);
    const [witness] = verdicts.flatMap(({ anomalies }) => anomalies);
    expect(witness?.name ?? '').toBe(name);
    if (witness !== undefined) expect(witness.levels).toEqual([...AWDIT_LEVELS.slice(answers.indexOf(false)), ...STRONG]);
  });

  test('stay open where memory is limited, which the solver does not keep', () => {
    const history = plume(cases[1]![1]);
    const verdicts = settleWeak(history, checkAwditLevels(history, AWDIT_LEVELS), false, { maxMegabytes: 1000 });
    expect(verdicts.map(({ answer }) => answer)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  test(`${COUNT} random small histories get the verdict of the definition, and none is unknown`, () => {
    const reached = { 'settled true': 0.1, 'settled false': 0.01, 'a case distinction': 0.01, rc: 0.001, ra: 0.001, cc: 0.001 };
    always(few(), { seed: 11, of: COUNT, least: 800, reached }, (txns, reach) => {
      const history = toKv(txns);
      const open = checkAwditLevels(history, AWDIT_LEVELS).filter(({ answer }) => answer === 'unknown');
      for (const { level, answer, anomalies } of judge(history)) {
        if (!AWDIT_LEVELS.some((each) => each === level)) throw new Error(level);
        const expected = bruteForceOwn(txns.map((txn) => ({ ...txn, level: level as (typeof AWDIT_LEVELS)[number] })));
        expect(answer, `${level}\n${showHistory(txns)}`).toBe(expected);
        if (!open.some((each) => each.level === level)) continue;
        reach(`settled ${expected}`);
        if (!expected) reach(level);
        expect(anomalies.length > 0, showHistory(txns)).toBe(!expected);
        for (const anomaly of anomalies.filter(({ refutation }) => refutation !== undefined)) {
          reach('a case distinction');
          expect(verifyRefutation(JSON.parse(JSON.stringify(anomaly)), history)).toMatchObject({ holds: true });
        }
      }
    });
  });
});

const STRONG = ['snapshot-isolation', 'serializable', 'strict-serializable'] as const;
