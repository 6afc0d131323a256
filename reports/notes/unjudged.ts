/**
 * Counts of programs and statements without an answer. A report has them by sentence, for readers, and as data. Merged
 * reports of older versions have the sentences alone.
 */
import type { NotComparedPrograms, UncheckedStatement } from '../../core/verdict/index.ts';
import type { ExploreLevel } from '../explore/report.ts';
import { notComparedWords } from './not-compared.ts';

type Counts = Readonly<Record<string, number>>;

interface CheckedStatements {
  readonly judged: number;
  readonly unjudged: Readonly<Partial<Record<UncheckedStatement, number>>>;
}

/** The words of every reason why a statement was not checked. They are a clause that follows "as". */
const UNCHECKED: Readonly<Record<UncheckedStatement, string>> = {
  'asks-not-to-wait': 'it asks not to wait',
  'routines-act': 'triggers or functions read or write on their own',
  'tried-again': 'a transaction beside it, or its own, was tried again',
  'others-depend': 'other transactions get other replies without it',
  'lock-error': 'alone it meets an error of locks',
  'enough-runs': 'enough runs were spent on statements of its program',
};

/** Returns the counts of programs that were not compared with serial orders, as a report has them. */
export function programCounts(unjudgedData: readonly NotComparedPrograms[]): Required<Pick<ExploreLevel, 'unjudged' | 'unjudgedData'>> {
  return { unjudged: byWords(unjudgedData.map(({ reason, programs }) => [notComparedWords(reason), programs])), unjudgedData };
}

/** Adds up counts by reason. */
export function addPrograms(a: readonly NotComparedPrograms[], b: readonly NotComparedPrograms[]): readonly NotComparedPrograms[] {
  const sums = new Map<string, NotComparedPrograms>();
  for (const { reason, programs } of [...a, ...b]) {
    const key = JSON.stringify(reason);
    sums.set(key, { reason, programs: programs + (sums.get(key)?.programs ?? 0) });
  }
  return [...sums.values()];
}

/** Returns the counts of statements that were checked one by one, as a report has them. */
export function statementCounts({ judged, unjudged: unjudgedData }: CheckedStatements): ExploreLevel['statements'] {
  const entries = Object.entries(unjudgedData) as [UncheckedStatement, number][];
  return { judged, unjudged: byWords(entries.map(([code, count]) => [UNCHECKED[code], count])), unjudgedData };
}

function byWords(entries: readonly (readonly [words: string, count: number])[]): Counts {
  const counts: Record<string, number> = {};
  for (const [words, count] of entries) counts[words] = (counts[words] ?? 0) + count;
  return counts;
}
