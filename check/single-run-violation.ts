/**
 * Compares a single-run violation with the vendor's promise. The first applicable row of its table decides. Without a
 * row the documents are silent. A dialect that was never run live gets that verdict too.
 */
import type { SingleRunJudgement, SingleRunViolationKind, SingleRunViolationRow, Dialect, Level } from '../core/index.ts';

export function judgeViolation(
  { kind, reading }: { readonly kind: SingleRunViolationKind; readonly reading?: SingleRunViolationRow['reading'] },
  level: Level,
  { singleRunViolations, ranLive }: Pick<Dialect, 'singleRunViolations' | 'ranLive'>,
): SingleRunJudgement {
  const row = singleRunViolations.find(
    (each) =>
      each.kind === kind &&
      (each.levels === undefined || each.levels.includes(level)) &&
      (each.reading === undefined || each.reading === reading),
  );
  if (row === undefined) return { verdict: 'undocumented' };
  return { verdict: row.verdict === 'bug' && !ranLive ? 'undocumented' : row.verdict, row };
}
