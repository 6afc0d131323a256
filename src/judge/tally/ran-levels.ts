/**
 * The answers of a record's rounds, by the level that the rounds ran at. A run has rounds of several levels in turn. A
 * lost update at READ COMMITTED says nothing about the rounds at SERIALIZABLE. So a level is answered by the rounds that
 * ran at it or at a stronger one (core/level.ts has the order). The results of weaker rounds, and of rounds at levels
 * that cannot be compared, stand in rows of their own.
 */
import { LEVELS, weakerOrEqual } from '../../../core/index.ts';
import type { Level, LevelAnswer } from '../../../core/index.ts';
import { LevelAnswers } from './level-answers.ts';

/** The results of the rounds of one level. */
export interface RanAt {
  readonly level: Level;
  readonly rounds: number;
  readonly transactions: number;
  readonly levels: readonly LevelAnswer[];
}

export class RanLevels {
  private readonly ran = new Map<Level, { rounds: number; transactions: number; readonly answers: LevelAnswers }>();
  private readonly kept = new LevelAnswers();

  add(level: Level, transactions: number, answers: readonly LevelAnswer[]): void {
    const row = this.ran.get(level) ?? { rounds: 0, transactions: 0, answers: new LevelAnswers() };
    this.ran.set(level, row);
    row.rounds++;
    row.transactions += transactions;
    row.answers.add(answers);
    const covered = weakerOrEqual(level);
    this.kept.add(answers.filter((answer) => covered.has(answer.level)));
  }

  /** Returns the rows, the weakest level first. */
  rows(): readonly RanAt[] {
    return LEVELS.flatMap(({ level }) => {
      const row = this.ran.get(level);
      return row === undefined ? [] : [{ level, rounds: row.rounds, transactions: row.transactions, levels: row.answers.list() }];
    });
  }

  /** Returns an answer for each asked level; undefined: for those that some round ran at or above. */
  answers(asked: readonly Level[] | undefined): readonly LevelAnswer[] {
    const known = this.kept.list();
    if (asked === undefined || this.ran.size === 0) return known;
    return asked.map(
      (level) => known.find((answer) => answer.level === level) ?? { level, answer: 'unknown', reason: this.whyNone(level) },
    );
  }

  private whyNone(level: Level): string {
    const ran = [...this.ran.keys()];
    if (ran.some((each) => weakerOrEqual(each).has(level))) return `the checkers of what ran in these rounds do not answer ${level}`;
    return `no round ran at ${level} or at a level that includes it (they ran at ${ran.join(', ')}, which is answered apart)`;
  }
}
