/**
 * Forms that few DBMSs have, which the other programs are drawn without: they too show no edge that is not true, and every
 * item edge that is owed.
 */
import { expect, test } from 'vitest';
import { programsOfForms } from './programs.ts';
import { RULES } from './rules.ts';
import { shownLook } from './shown-look.ts';
import { compareAll, printTally } from './tally.ts';

test.each(RULES)('rare forms under the rule %s: the edges drawn are true ones', async (rule) => {
  const shown = shownLook();
  const tally = await compareAll(programsOfForms(rule), undefined, [shown]);
  printTally(`forms, ${rule}`, tally);
  expect(tally.complete).toBeGreaterThan(tally.programs / 3);
  // A level is called true only if it holds, and no dependency is missing among those it is shown for.
  shown.end(`forms, ${rule}`);
});
