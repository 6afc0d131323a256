import { describe, expect, it } from 'vitest';
import { checkAwdit } from '../../../../check/index.ts';
import { smallHistory } from '../../../arbitraries/key-value-history.ts';
import { always } from '../../../property.ts';
import { bruteForceWeak } from './brute-force.ts';
import { showHistory, toKv } from '../strong/random-history.ts';

const HISTORIES = 10_000;

describe('rc, ra and cc against a search for a commit order', () => {
  for (const level of ['rc', 'ra', 'cc'] as const) {
    it(`${level} agrees on ${HISTORIES} random small histories, and both answers occur often`, () => {
      always(smallHistory(), { seed: 1, of: HISTORIES, least: 2000, reached: { true: 0.2, false: 0.2 } }, (txns, reached) => {
        const expected = bruteForceWeak(txns, level);
        const verdict = checkAwdit(toKv(txns), level);
        expect(verdict.answer, showHistory(txns)).toBe(expected);
        expect(verdict.anomalies.length > 0, 'a false answer is explained').toBe(!expected);
        reached(`${expected}`);
      });
    });
  }
});
