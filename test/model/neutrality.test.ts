import { expect, test } from 'vitest';
import { instrument } from '../../instrument/index.ts';
import { createRandom, generateCase } from '../../schema-gen/index.ts';
import { within } from '../budget.ts';
import { MODEL_CAPABILITIES } from './capabilities.ts';
import { RULES } from './rules.ts';
import { runModel } from './run-model.ts';

const CASES = 600;

test('instrumented and bare statements give the same rows, counts, errors and waits under the same interleaving', () => {
  let replies = 0;
  let waits = 0;
  const cases = within(CASES, { least: 60 });
  for (const i of cases) {
    const rule = RULES[i % RULES.length]!;
    const testCase = generateCase(`neutral ${i}`, {
      sessions: { min: 2, max: 4 },
      transactionsPerSession: { min: 2, max: 3 },
      maxStatement: 6,
    });
    const [bare, exact] = (['none', 'exact'] as const).map((mode) =>
      runModel(instrument(testCase, { mode, capabilities: MODEL_CAPABILITIES }), { rule, random: createRandom(`neutral ${i} run`) }),
    );
    expect(exact!.transcript, `case ${i} under ${rule}`).toEqual(bare!.transcript);
    replies += exact!.transcript.length;
    waits += exact!.transcript.filter((line) => line.includes('blocked')).length;
  }
  console.log(`neutrality: ${cases.ran} cases, ${replies} replies alike, ${waits} of them waits`);
  expect(waits).toBeGreaterThan(cases.ran / 5);
});
