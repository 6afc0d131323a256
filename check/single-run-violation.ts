/**
 * What a vendor promises of a single-run violation: the first row of its table that applies. No row: the documents are silent, and so is
 * the verdict of a dialect that was never run live.
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
