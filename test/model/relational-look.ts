/**
 * Looks at the first programs of a kind by two roads to one answer: AWDIT and the scheduling of mini-transactions over the row
 * versions of model histories, beside the cycle search over their dependency graphs.
 */
import { expect } from 'vitest';
import { checkRelational } from '../../check/index.ts';
import type { RelationalVerdict } from '../../check/index.ts';
import type { Level } from '../../core/level/index.ts';
import { SECONDS } from '../budget.ts';
import type { Program } from './compare.ts';
import { LEAST_SHARE } from './programs.ts';
import type { Look } from './tally.ts';

/** The first third shows each level's violations. The others have their turn at night, or where ANOMALIST_PROGRAMS says how many run. */
const SHARE = LEAST_SHARE === 1 || SECONDS > 0 ? 1 : 1 / 3;

export interface RelationalCounts {
  histories: number;
  judged: number;
  /** The order of versions was known, so scheduling had a say. */
  ordered: number;
  /** A cycle or another anomaly was found. */
  found: number;
  /** AWDIT says yes to all three although the cycle search found something. */
  chosen: number;
  readonly false: Partial<Record<Level, number>>;
}

export function relationalLook(most: number): Look & { readonly counts: RelationalCounts } {
  const counts: RelationalCounts = { histories: 0, judged: 0, ordered: 0, found: 0, chosen: 0, false: {} };
  const defects: string[] = [];
  return {
    counts,
    at: ({ graph, program }, index) => {
      if (index >= Math.ceil(most * SHARE)) return;
      const verdict = checkRelational(graph);
      for (const { data } of verdict.defects) defects.push(`${JSON.stringify(program)}: ${data.about}: ${data.reason}`);
      add(counts, verdict);
      awditFalseIsFound(verdict, program);
    },
    end: (name) => {
      console.log(`${name}: ${JSON.stringify(counts)}`);
      expect(defects.slice(0, 5)).toEqual([]);
      expect(counts.histories).toBeGreaterThan(0);
    },
  };
}

function add(counts: RelationalCounts, { anomalies, awdit, levels, undetermined }: RelationalVerdict): void {
  counts.histories++;
  if (awdit.length > 0) counts.judged++;
  if (undetermined === undefined) counts.ordered++;
  if (anomalies.length > 0) counts.found++;
  if (anomalies.length > 0 && awdit.length > 0 && awdit.every(({ answer }) => answer === true)) counts.chosen++;
  for (const { level, answer } of levels)
    if (COUNTED.includes(level) && answer === false) counts.false[level] = (counts.false[level] ?? 0) + 1;
}

export const COUNTED: readonly Level[] = ['rc', 'ra', 'cc', 'snapshot-isolation', 'serializable', 'strict-serializable'];

/** No AWDIT false without a finding of the cycle search, said apart from what checkRelational makes of it. */
function awditFalseIsFound(verdict: RelationalVerdict, program: Program): void {
  for (const { level, answer } of verdict.awdit) {
    if (answer === false && verdict.undetermined === undefined)
      expect(verdict.anomalies.length, `${level} of ${JSON.stringify(program)}`).toBeGreaterThan(0);
  }
}
