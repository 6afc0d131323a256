import { expect, test } from 'vitest';
import type { Debt } from './debts.ts';
import { FULL_LENGTH, programsOfBreakage } from './programs.ts';
import type { Breakage } from './rules.ts';
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
  const tally = await compareAll(programsOfBreakage(how));
  printTally(how, tally);
  if (FULL_LENGTH) for (const effect of EFFECTS[how]) expect(tally.debts[effect], effect).toBeGreaterThan(tally.programs / 20);
});
