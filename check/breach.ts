/**
 * What a vendor promises of a breach: the first row of its table that applies. No row: the documents are silent, and so is
 * the verdict of a dialect that was never run live.
 */
import type { BreachJudgement, BreachKind, BreachRow, Dialect, Level } from '../core/index.ts';

export function judgeBreach(
  { kind, reading }: { readonly kind: BreachKind; readonly reading?: BreachRow['reading'] },
  level: Level,
  { breaches, ranLive }: Pick<Dialect, 'breaches' | 'ranLive'>,
): BreachJudgement {
  const row = breaches.find(
    (each) =>
      each.kind === kind &&
      (each.levels === undefined || each.levels.includes(level)) &&
      (each.reading === undefined || each.reading === reading),
  );
  if (row === undefined) return { verdict: 'undocumented' };
  return { verdict: row.verdict === 'bug' && !ranLive ? 'undocumented' : row.verdict, row };
}
