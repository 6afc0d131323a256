/**
 * The soundness of `true` and of "shown to hold for so many transactions", over small programs: all of their transactions are
 * seen whole more often. The tests of the other programs take the same look at theirs (shown-look.ts).
 */
import { test } from 'vitest';
import { compareProgram } from './compare.ts';
import type { Program } from './compare.ts';
import { RULES } from './rules.ts';
import { SHOWN_PROGRAMS, shownLook } from './shown-look.ts';

test.each(RULES)(
  'small programs under the rule %s: a level is called true only if it holds, and no dependency is missing among those it is shown for',
  async (rule) => {
    const programs = Array.from({ length: SHOWN_PROGRAMS }, (_, i): Program => ({
      seed: `small ${rule} ${i}`,
      rule,
      options: { sessions: { min: 2, max: 2 }, transactionsPerSession: { min: 1, max: 2 }, maxStatement: 2, savepointShare: 0 },
    }));
    const shown = shownLook();
    for (const [i, program] of programs.entries()) shown.at(await compareProgram(program), i);
    shown.end(`small ${rule}`);
  },
);
