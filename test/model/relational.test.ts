/**
 * Two roads to one answer: AWDIT and the scheduling of mini-transactions over the row versions of model histories,
 * beside the cycle search over their dependency graphs.
 */
import { expect, test } from 'vitest';
import { checkRelational } from '../../check/index.ts';
import type { RelationalVerdict } from '../../check/index.ts';
import type { Level } from '../../core/level/index.ts';
import { within } from '../budget.ts';
import { compareProgram } from './compare.ts';
import type { Program } from './compare.ts';
import { FULL_LENGTH, LEAST_SHARE, programsOfBreakage, programsInPaperMode, programsOfRule } from './programs.ts';
import { BREAKAGES, RULES } from './rules.ts';

const COUNTED: readonly Level[] = ['rc', 'ra', 'cc', 'snapshot-isolation', 'serializable', 'strict-serializable'];

/** The first third shows each level's violations. */
const LEAST = LEAST_SHARE === 1 ? 1 : 1 / 3;

interface Counts {
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

async function count(
  name: string,
  programs: readonly Program[],
  each: (verdict: RelationalVerdict, program: Program) => void = () => {},
): Promise<Counts> {
  const counts: Counts = { histories: 0, judged: 0, ordered: 0, found: 0, chosen: 0, false: {} };
  const defects: string[] = [];
  for (const i of within(programs.length, { least: Math.ceil(programs.length * LEAST) })) {
    const program = programs[i]!;
    const { graph } = await compareProgram(program);
    const verdict = checkRelational(graph);
    for (const { data } of verdict.defects) defects.push(`${JSON.stringify(program)}: ${data.about}: ${data.reason}`);
    counts.histories++;
    if (verdict.awdit.length > 0) counts.judged++;
    if (verdict.undetermined === undefined) counts.ordered++;
    if (verdict.anomalies.length > 0) counts.found++;
    if (verdict.anomalies.length > 0 && verdict.awdit.length > 0 && verdict.awdit.every(({ answer }) => answer === true)) counts.chosen++;
    for (const { level, answer } of verdict.levels) {
      if (COUNTED.includes(level) && answer === false) counts.false[level] = (counts.false[level] ?? 0) + 1;
    }
    each(verdict, program);
  }
  console.log(`${name}: ${JSON.stringify(counts)}`);
  expect(defects.slice(0, 5)).toEqual([]);
  return counts;
}

/** No AWDIT false without a finding of the cycle search, said apart from what checkRelational makes of it. */
function awditFalseIsFound(verdict: RelationalVerdict, program: Program): void {
  for (const { level, answer } of verdict.awdit) {
    if (answer === false && verdict.undetermined === undefined)
      expect(verdict.anomalies.length, `${level} of ${JSON.stringify(program)}`).toBeGreaterThan(0);
  }
}

test('on histories of every rule AWDIT and scheduling agree with the cycle search', async () => {
  for (const rule of RULES) {
    const counts = await count(rule, programsOfRule(rule).slice(0, 150), awditFalseIsFound);
    expect(counts.ordered).toBeGreaterThan(counts.histories / 3);
    if (rule === 'serial' || rule === 'serializable') expect(counts.false).toEqual({});
    if (rule === 'snapshot')
      for (const level of ['rc', 'ra', 'cc', 'snapshot-isolation'] as const) expect(counts.false[level] ?? 0, level).toBe(0);
    if (rule !== 'read-committed') continue;
    // each statement sees a newer snapshot than the one before: monotonic, not atomic
    expect(counts.false['rc'] ?? 0).toBe(0);
    if (FULL_LENGTH) for (const level of COUNTED) if (level !== 'rc') expect(counts.false[level] ?? 0, level).toBeGreaterThan(0);
  }
});

test.each(BREAKAGES)('on histories broken by a %s AWDIT and scheduling agree with the cycle search', async (how) => {
  const counts = await count(how, programsOfBreakage(how).slice(0, 80), awditFalseIsFound);
  if (FULL_LENGTH) expect(counts.false['serializable'] ?? 0).toBeGreaterThan(0);
});

test.each(RULES)("in the paper's mode AWDIT and scheduling do not contradict the cycle search on %s histories", async (rule) => {
  await count(`paper, ${rule}`, programsInPaperMode(rule).slice(0, 60), awditFalseIsFound);
});
