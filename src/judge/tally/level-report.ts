/** Makes a level's report from the sums of its rounds, in one run or in several. */
import { OWN } from '../../../core/index.ts';
import type { AnswerSums, AskedLevel, Level, LevelAnswer, LevelReport } from '../../../core/index.ts';
import { unexplainedWords } from '../../../reports/index-notes.ts';
import { testedNothing } from '../../execute/index.ts';
import { answerOf } from './level-answers.ts';

export interface LevelSums extends Omit<LevelReport, 'answers' | 'sums' | 'mixed' | 'inconclusive'> {
  readonly sums: readonly AnswerSums<AskedLevel>[];
  /** The levels of the transactions in one round. */
  readonly mixed?: readonly Level[] | undefined;
}

export function levelReport({ mixed, sums, ...sum }: LevelSums): LevelReport {
  const told = sums.map(answerOf);
  const answers = told.filter((answer): answer is LevelAnswer => answer.level !== OWN);
  const own = told.find(({ level }) => level === OWN) ?? { level: OWN, answer: 'unknown', reason: 'no round was judged' };
  const inconclusive = whyInconclusive(sum, mixed === undefined ? answers : [...answers, own]);
  return {
    ...sum,
    ...(mixed !== undefined && { mixed: { levels: mixed, own } }),
    answers,
    sums,
    ...(inconclusive === undefined ? {} : { inconclusive }),
  };
}

/**
 * Returns why the level is inconclusive: nothing was tested, a result was seen that no rule explains, or a checker could
 * not decide. Each answer itself says what was not observed.
 */
function whyInconclusive(
  { coverage, predicates }: Pick<LevelReport, 'coverage' | 'predicates'>,
  answers: readonly LevelAnswer<AskedLevel>[],
): string | undefined {
  if (testedNothing(coverage)) return 'no two committed transactions conflicted while they overlapped: nothing was tested';
  const reasons = answers.flatMap(({ level, answer, code, reason = '' }) =>
    answer === 'unknown' && code !== 'unseen' ? [`${level}: ${reason}`] : [],
  );
  if (predicates !== undefined && predicates.unexplained.count > 0) reasons.unshift(unexplainedWords(predicates.unexplained));
  return reasons.length === 0 ? undefined : reasons.join('; ');
}
