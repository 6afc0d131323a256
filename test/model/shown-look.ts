/**
 * Looks at the first programs of a kind for the soundness of `true` and of "shown to hold for so many transactions".
 * ANOMALIST_SHOWN_PROGRAMS sets how many of each kind: 40, and 80 at night.
 */
import { expect } from 'vitest';
import type { Level } from '../../core/level/index.ts';
import { SHOWN_LEVELS, seenWholeAt, shownProblems } from './shown.ts';
import type { Look } from './tally.ts';

export const SHOWN_PROGRAMS: number = Number(process.env['ANOMALIST_SHOWN_PROGRAMS'] ?? 40);

export function shownLook(): Look {
  const problems: string[] = [];
  const held: Partial<Record<Level, number>> = {};
  let [programs, pairs, whole, committed] = [0, 0, 0, 0];
  return {
    at: (comparison, index) => {
      if (index >= SHOWN_PROGRAMS) return;
      const found = shownProblems(comparison);
      problems.push(...found.problems.map((problem) => `${JSON.stringify(comparison.program)}: ${problem}`));
      for (const level of found.true) held[level] = (held[level] ?? 0) + 1;
      programs++;
      pairs += found.pairs;
      whole += seenWholeAt(comparison.graph, 'serializable').size;
      committed += comparison.graph.unobserved!.counts.reduce((sum, each) => sum + each, 0);
    },
    end: (name) => {
      console.log(
        `${name}: ${programs} programs; called true: ${SHOWN_LEVELS.map((level) => `${level} ${held[level] ?? 0}`).join(', ')}; serializable shown for ${whole} of ${committed} transactions; ${pairs} true dependencies looked for`,
      );
      expect(problems.slice(0, 10), `${problems.length} problems in ${programs} programs`).toEqual([]);
      expect(pairs).toBeGreaterThan(0);
    },
  };
}
