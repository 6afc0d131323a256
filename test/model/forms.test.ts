/**
 * Forms that few DBMSs have, which the other programs are drawn without: they too show no edge that is not true, and every
 * item edge that is owed.
 */
import { expect, test } from 'vitest';
import { programsOfForms } from './programs.ts';
import { RULES } from './rules.ts';
import { compareAll, printTally } from './tally.ts';

test.each(RULES)('rare forms under the rule %s: the edges drawn are true ones', async (rule) => {
  const tally = await compareAll(programsOfForms(rule));
  printTally(`forms, ${rule}`, tally);
  expect(tally.complete).toBeGreaterThan(tally.programs / 3);
});
