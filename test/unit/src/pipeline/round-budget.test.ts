/** When a run of rounds ends: a level at which nothing met has more time, so that a slow machine tests something too. */
import { expect, it } from 'vitest';
import { NO_COVERAGE } from '../../../../src/execute/index.ts';
import { isSpent } from '../../../../src/pipeline/round-budget.ts';

const NONE = NO_COVERAGE;
const EMPTY = { ...NO_COVERAGE, rounds: 1 };
const MET = { ...EMPTY, conflicts: { 'select-update rw': 1 } };

it.each([
  ['before its budget is spent', 9_999, 10_000, [MET, MET], false],
  ['with its budget, where something was tested at each level', 10_000, 10_000, [MET, MET], true],
  ['not without a round of each level, however late', 90_000, 10_000, [MET, NONE], false],
  ['with twice its budget, where nothing met at a level', 19_999, 10_000, [MET, EMPTY], false],
  ['with twice its budget, where nothing met at a level', 20_000, 10_000, [MET, EMPTY], true],
  ['half a minute behind a long budget at most', 629_999, 600_000, [EMPTY], false],
  ['half a minute behind a long budget at most', 630_000, 600_000, [EMPTY], true],
] as const)('ends %s: after %i of %i ms', (_, ms, budget, levels, spent) => {
  expect(isSpent(ms, budget, levels)).toBe(spent);
});
