/**
 * The soundness of `true` and of "shown to hold for so many transactions", over random programs of every rule and breakage.
 * ANOMALIST_SHOWN_PROGRAMS sets how many of each kind: 40, and 80 at night.
 */
import { expect, test } from 'vitest';
import type { Level } from '../../core/level/index.ts';
import { compareProgram } from './compare.ts';
import type { Program } from './compare.ts';
import { programsOfBreakage, programsOfForms, programsOfKeys, programsOfRule } from './programs.ts';
import { BREAKAGES, RULES } from './rules.ts';
import { SHOWN_LEVELS, seenWholeAt, shownProblems } from './shown.ts';

const PROGRAMS: number = Number(process.env['ANOMALIST_SHOWN_PROGRAMS'] ?? 40);

const KINDS: readonly (readonly [string, readonly Program[]])[] = [
  ...RULES.map((rule) => [rule, programsOfRule(rule).slice(0, PROGRAMS)] as const),
  // Fewer rows and transactions: all of them are seen whole more often.
  ...RULES.map(
    (rule) =>
      [
        `small ${rule}`,
        Array.from({ length: PROGRAMS }, (_, i): Program => ({
          seed: `small ${rule} ${i}`,
          rule,
          options: { sessions: { min: 2, max: 2 }, transactionsPerSession: { min: 1, max: 2 }, maxStatement: 2, savepointShare: 0 },
        })),
      ] as const,
  ),
  ...RULES.map((rule) => [`keys, ${rule}`, programsOfKeys(rule).slice(0, PROGRAMS)] as const),
  ...RULES.map((rule) => [`forms, ${rule}`, programsOfForms(rule).slice(0, PROGRAMS)] as const),
  ...BREAKAGES.map((how) => [how, programsOfBreakage(how).slice(0, PROGRAMS)] as const),
];

test.each(KINDS)(
  '%s: a level is called true only if it holds, and no dependency is missing among those it is shown for',
  async (name, programs) => {
    const problems: string[] = [];
    const held: Partial<Record<Level, number>> = {};
    let [pairs, whole, committed] = [0, 0, 0];
    for (const program of programs) {
      const comparison = await compareProgram(program);
      const found = shownProblems(comparison);
      problems.push(...found.problems.map((problem) => `${JSON.stringify(program)}: ${problem}`));
      for (const level of found.true) held[level] = (held[level] ?? 0) + 1;
      pairs += found.pairs;
      whole += seenWholeAt(comparison.graph, 'serializable').size;
      committed += comparison.graph.unobserved!.counts.reduce((sum, each) => sum + each, 0);
    }
    console.log(
      `${name}: ${programs.length} programs; called true: ${SHOWN_LEVELS.map((level) => `${level} ${held[level] ?? 0}`).join(', ')}; serializable shown for ${whole} of ${committed} transactions; ${pairs} true dependencies looked for`,
    );
    expect(problems.slice(0, 10), `${problems.length} problems in ${programs.length} programs`).toEqual([]);
    expect(pairs).toBeGreaterThan(0);
  },
);
