/** Sums up the events of a run while it goes on. The server and the page use the same code. */
import type { FindingSeen, LevelProgress, ProgressBegin, ProgressEvent } from '../../../../core/verdict/index.ts';

export interface RunProgress {
  readonly begin?: ProgressBegin;
  readonly seconds: number;
  readonly levels: readonly LevelProgress[];
  /** Gives the number of transactions at each time, for the curve of their rate. */
  readonly curve: readonly (readonly [seconds: number, transactions: number])[];
  readonly findings: readonly FindingSeen[];
  readonly words: readonly string[];
  readonly notes: readonly string[];
  readonly end?: { readonly exit: number; readonly why?: string };
}

export const NO_PROGRESS: RunProgress = { seconds: 0, levels: [], curve: [], findings: [], words: [], notes: [] };

/** A curve with more points loses every second one. */
const MOST_POINTS = 400;

export function progressed(before: RunProgress, events: readonly ProgressEvent[]): RunProgress {
  let { begin, seconds, levels, words, end } = before;
  const [curve, findings, notes] = [[...before.curve], [...before.findings], [...before.notes]];
  for (const each of events) {
    if (each.event === 'begin') begin = each;
    else seconds = each.seconds;
    if (each.event === 'rounds') {
      levels = each.levels;
      curve.push([each.seconds, transactionsOf(each.levels)]);
    } else if (each.event === 'finding') findings.push(each);
    else if (each.event === 'words') words = each.words;
    else if (each.event === 'note') notes.push(each.note);
    else if (each.event === 'end') end = { exit: each.exit, ...(each.why !== undefined && { why: each.why }) };
  }
  return { ...(begin && { begin }), seconds, levels, curve: thinned(curve), findings, words, notes, ...(end && { end }) };
}

export function transactionsOf(levels: readonly Pick<LevelProgress, 'transactions'>[]): number {
  return levels.reduce((sum, { transactions }) => sum + transactions, 0);
}

function thinned<T>(points: readonly T[]): readonly T[] {
  return points.length <= MOST_POINTS ? points : thinned(points.filter((_, i) => i % 2 === 0 || i === points.length - 1));
}
