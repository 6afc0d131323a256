/**
 * Combines the answers of many rounds into one per level. `false` wins. A round that could not be judged, or whose reads
 * were not all observed, makes the level unknown. Rounds that tested nothing count only if there were no others. The
 * number of transactions for which a level was shown is summed over the rounds. Sums can be added, so several runs are
 * reported like one.
 */
import { UNOBSERVED, unobservedWords } from '../../../core/index.ts';
import type { AnswerSums, AskedLevel, UnobservedCounts, UnobservedName, Level, LevelAnswer, Shown } from '../../../core/index.ts';
import { addCounts } from './add-counts.ts';

export class LevelAnswers<L extends AskedLevel = Level> {
  private readonly byLevel = new Map<L, AnswerSums<L>>();

  add(answers: readonly LevelAnswer<L>[]): void {
    this.addSums(answers.map(sumsOf));
  }

  addSums(all: readonly AnswerSums<L>[]): void {
    for (const sums of all) {
      const before = this.byLevel.get(sums.level);
      this.byLevel.set(sums.level, before === undefined ? sums : added(before, sums));
    }
  }

  sums(): readonly AnswerSums<L>[] {
    return [...this.byLevel.values()];
  }

  list(): LevelAnswer<L>[] {
    return this.sums().map(answerOf);
  }
}

/** The sums of one round. */
function sumsOf<L extends AskedLevel>({
  level,
  answer,
  code = 'undecided',
  reason = 'no reason given',
  shown,
  gaps = {},
}: LevelAnswer<L>): AnswerSums<L> {
  const unknown = answer === 'unknown' ? code : undefined;
  const counts = unknown !== 'nothing';
  const because = (which: typeof code): Readonly<Record<string, number>> => (unknown === which ? { [reason]: 1 } : {});
  return {
    level,
    no: answer === false ? 1 : 0,
    yes: answer === true ? 1 : 0,
    unseen: unknown === 'unseen' ? 1 : 0,
    nothing: because('nothing'),
    undecided: because('undecided'),
    transactions: counts ? (shown?.transactions ?? 0) : 0,
    of: counts ? (shown?.of ?? 0) : 0,
    counted: !counts || shown !== undefined,
    gaps: counts ? gaps : {},
  };
}

function added<L extends AskedLevel>(a: AnswerSums<L>, b: AnswerSums<L>): AnswerSums<L> {
  return {
    level: a.level,
    no: a.no + b.no,
    yes: a.yes + b.yes,
    unseen: a.unseen + b.unseen,
    nothing: addCounts(a.nothing, b.nothing),
    undecided: addCounts(a.undecided, b.undecided),
    transactions: a.transactions + b.transactions,
    of: a.of + b.of,
    counted: a.counted && b.counted,
    gaps: addedUnobserved(a.gaps, b.gaps),
  };
}

function addedUnobserved(a: UnobservedCounts, b: UnobservedCounts): UnobservedCounts {
  const sum: Partial<Record<UnobservedName, number>> = {};
  for (const { name } of UNOBSERVED) if (a[name] !== undefined || b[name] !== undefined) sum[name] = (a[name] ?? 0) + (b[name] ?? 0);
  return sum;
}

export function answerOf<L extends AskedLevel>(sums: AnswerSums<L>): LevelAnswer<L> {
  const { level, no, yes, unseen, nothing, undecided, gaps } = sums;
  if (no > 0) return { level, answer: false };
  const shown = shownOf(sums);
  if (Object.keys(undecided).length > 0)
    return { level, answer: 'unknown', code: 'undecided', reason: wordsOf(undecided), ...(shown && { shown }) };
  if (unseen > 0) return { level, answer: 'unknown', code: 'unseen', reason: unseenWords(sums), ...(shown && { shown }), gaps };
  if (yes > 0) return { level, answer: true, ...(shown && { shown }) };
  return { level, answer: 'unknown', code: 'nothing', reason: wordsOf(nothing) || 'nothing was checked' };
}

function shownOf({ counted, transactions, of }: Pick<AnswerSums, 'counted' | 'transactions' | 'of'>): Shown | undefined {
  return counted && of > 0 ? { transactions, of } : undefined;
}

function unseenWords({ transactions, of, gaps }: Pick<AnswerSums, 'transactions' | 'of' | 'gaps'>): string {
  return `no forbidden anomaly was found, but ${of - transactions} of ${of} transactions were not observed completely: ${unobservedWords(gaps)}`;
}

/** The most frequent reason first, so that the order in which rounds were added does not matter. */
function wordsOf(reasons: Readonly<Record<string, number>>): string {
  return Object.entries(reasons)
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([reason, count]) => (count > 1 ? `${reason} (${count} rounds)` : reason))
    .join('; ');
}
