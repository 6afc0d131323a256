/**
 * Looks for a key that met a row (docs/PREDICATES.md): against the truth, in programs that look for little else. An edge that
 * is not true, of any rule or with writes lost, is a problem of the comparison.
 */
import { expect, test } from 'vitest';
import { programsOfKeys } from './programs.ts';
import { RULES } from './rules.ts';
import { shownLook } from './shown-look.ts';
import { compareAll, printTally } from './tally.ts';

test.each(RULES)('keys that met a row under the rule %s: the edges drawn are true ones', async (rule) => {
  const shown = shownLook();
  const tally = await compareAll(programsOfKeys(rule), undefined, [shown]);
  printTally(`keys, ${rule}`, tally);
  expect(tally.keysDrawn).toBeGreaterThan(0);
  // A level is called true only if it holds, and no dependency is missing among those it is shown for.
  shown.end(`keys, ${rule}`);
});
