import { expect, test } from 'vitest';
import type { Debt } from './debts.ts';
import { FULL_LENGTH, programsOfBreakage } from './programs.ts';
import { relationalLook } from './relational-look.ts';
import type { Breakage } from './rules.ts';
import { shownLook } from './shown-look.ts';
import { compareAll, printTally } from './tally.ts';

/** The effect that a breakage is planted for; every effect that was read has to be found with its class (compare.ts). */
const EFFECTS: Readonly<Record<Breakage, readonly Debt['name'][]>> = {
  'lost write': ['fork', 'stale read'],
  'stale read': ['stale read'],
  'dirty read': ['aborted read'],
  'fractured snapshot': ['fractured read'],
  'intermediate read': ['intermediate read'],
};

test.each(Object.keys(EFFECTS) as Breakage[])('every %s whose effect was read is found with its class', async (how) => {
  const [shown, relational] = [shownLook(), relationalLook(80)];
  const tally = await compareAll(programsOfBreakage(how), undefined, [shown, relational]);
  printTally(how, tally);
  if (FULL_LENGTH) for (const effect of EFFECTS[how]) expect(tally.debts[effect], effect).toBeGreaterThan(tally.programs / 20);
  // A level is called true only if it holds, and no dependency is missing among those it is shown for.
  shown.end(how);
  // AWDIT and scheduling agree with the cycle search.
  relational.end(how);
  if (FULL_LENGTH) expect(relational.counts.false['serializable'] ?? 0).toBeGreaterThan(0);
});
