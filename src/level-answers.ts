/**
 * Folds the answers of many rounds into one per level: false wins, a round that could not be judged makes it unknown,
 * and rounds that tested nothing count only when there were no others.
 */
import type { Level, LevelAnswer } from '../core/index.ts';

export class LevelAnswers {
  private readonly folded = new Map<Level, { no: number; yes: number; unknown: Map<string, number> }>();

  add(answers: readonly LevelAnswer[]): void {
    for (const { level, answer, reason } of answers) {
      const entry = this.folded.get(level) ?? { no: 0, yes: 0, unknown: new Map<string, number>() };
      this.folded.set(level, entry);
      if (answer === true) entry.yes++;
      else if (answer === false) entry.no++;
      else entry.unknown.set(reason ?? 'no reason given', (entry.unknown.get(reason ?? 'no reason given') ?? 0) + 1);
    }
  }

  list(): LevelAnswer[] {
    return [...this.folded].map(([level, { no, yes, unknown }]): LevelAnswer => {
      if (no > 0) return { level, answer: false };
      const reasons = [...unknown].filter(([reason]) => yes === 0 || !TESTED_NOTHING.test(reason));
      if (reasons.length === 0 && yes > 0) return { level, answer: true };
      return { level, answer: 'unknown', reason: reasons.map(([reason, count]) => (count > 1 ? `${reason} (${count} rounds)` : reason)).join('; ') || 'nothing was checked' };
    });
  }
}

/** Reasons that say "this round had nothing to judge", which a neighbouring round can make good. */
const TESTED_NOTHING = /^nothing /;
