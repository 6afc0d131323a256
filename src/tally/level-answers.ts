/**
 * Folds the answers of many rounds into one per level: false wins, a round that could not be judged makes it unknown, so
 * does one of which not all was seen, and rounds that tested nothing count only when there were no others. Of how many
 * transactions a level was shown is summed over the rounds.
 */
import { GAPS, gapWords } from '../../core/index.ts';
import type { AskedLevel, GapName, Level, LevelAnswer, Shown } from '../../core/index.ts';

interface Folded {
  no: number;
  yes: number;
  unseen: number;
  readonly reasons: { readonly nothing: Map<string, number>; readonly undecided: Map<string, number> };
  transactions: number;
  of: number;
  /** Every round that could be judged says of how many transactions. */
  counted: boolean;
  readonly gaps: Partial<Record<GapName, number>>;
}

export class LevelAnswers<L extends AskedLevel = Level> {
  private readonly folded = new Map<L, Folded>();

  add(answers: readonly LevelAnswer<L>[]): void {
    for (const answer of answers) {
      let entry = this.folded.get(answer.level);
      if (entry === undefined)
        this.folded.set(
          answer.level,
          (entry = {
            no: 0,
            yes: 0,
            unseen: 0,
            reasons: { nothing: new Map(), undecided: new Map() },
            transactions: 0,
            of: 0,
            counted: true,
            gaps: {},
          }),
        );
      fold(entry, answer);
    }
  }

  list(): LevelAnswer<L>[] {
    return [...this.folded].map(([level, entry]): LevelAnswer<L> => {
      const { no, yes, unseen, reasons, gaps } = entry;
      if (no > 0) return { level, answer: false };
      const shown = shownOf(entry);
      if (reasons.undecided.size > 0)
        return { level, answer: 'unknown', code: 'undecided', reason: wordsOf(reasons.undecided), ...(shown && { shown }) };
      if (unseen > 0) return { level, answer: 'unknown', code: 'unseen', reason: unseenWords(entry), ...(shown && { shown }), gaps };
      if (yes > 0) return { level, answer: true, ...(shown && { shown }) };
      return { level, answer: 'unknown', code: 'nothing', reason: wordsOf(reasons.nothing) || 'nothing was checked' };
    });
  }
}

function fold(
  entry: Folded,
  { answer, code = 'undecided', reason = 'no reason given', shown, gaps = {} }: Omit<LevelAnswer, 'level'>,
): void {
  if (answer === false) entry.no++;
  else if (answer === true) entry.yes++;
  else if (code === 'unseen') entry.unseen++;
  else entry.reasons[code].set(reason, (entry.reasons[code].get(reason) ?? 0) + 1);
  if (answer === 'unknown' && code === 'nothing') return;
  if (shown === undefined) entry.counted = false;
  entry.transactions += shown?.transactions ?? 0;
  entry.of += shown?.of ?? 0;
  for (const { name } of GAPS) if (gaps[name] !== undefined) entry.gaps[name] = (entry.gaps[name] ?? 0) + gaps[name];
}

function shownOf({ counted, transactions, of }: Folded): Shown | undefined {
  return counted && of > 0 ? { transactions, of } : undefined;
}

function unseenWords({ transactions, of, gaps }: Folded): string {
  return `nothing forbidden was seen, but not all was seen of ${of - transactions} of ${of} transactions: ${gapWords(gaps)}`;
}

function wordsOf(reasons: ReadonlyMap<string, number>): string {
  return [...reasons].map(([reason, count]) => (count > 1 ? `${reason} (${count} rounds)` : reason)).join('; ');
}
