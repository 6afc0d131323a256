import { describe, expect, it } from 'vitest';
import { checkAwdit } from '../../../../check/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import { within } from '../../../budget.ts';
import { bruteForceWeak } from './brute-force.ts';
import { randomHistory, showHistory, toKv } from '../strong/random-history.ts';

const HISTORIES = 10_000;

describe('rc, ra and cc against a search for a commit order', () => {
  for (const level of ['rc', 'ra', 'cc'] as const) {
    it(`${level} agrees on ${HISTORIES} random small histories, and both answers occur often`, () => {
      const answers = { true: 0, false: 0 };
      const random = createRandom(`weak levels ${level}`);
      const cases = within(HISTORIES, { least: 1000 });
      for (const i of cases) {
        const txns = randomHistory(random, { mini: i % 2 === 0 });
        const expected = bruteForceWeak(txns, level);
        const verdict = checkAwdit(toKv(txns), level);
        expect(verdict.answer, `${level}, history ${i}\n${showHistory(txns)}`).toBe(expected);
        expect(verdict.anomalies.length > 0, `${level}, history ${i}: a false answer is explained`).toBe(!expected);
        answers[expected ? 'true' : 'false']++;
      }
      expect(answers.true).toBeGreaterThan(cases.ran / 5);
      expect(answers.false).toBeGreaterThan(cases.ran / 5);
    });
  }
});
