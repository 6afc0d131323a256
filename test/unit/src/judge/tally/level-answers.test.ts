/** The answers of many rounds as one: what was shown for some, what tested nothing, what nobody could decide. */
import { describe, expect, test } from 'vitest';
import type { LevelAnswer } from '../../../../../core/index.ts';
import { LevelAnswers } from '../../../../../src/judge/tally/level-answers.ts';

const level = 'serializable' as const;
const held: LevelAnswer = { level, answer: true, shown: { transactions: 10, of: 10 } };
const unseen: LevelAnswer = {
  level,
  answer: 'unknown',
  code: 'unseen',
  reason: 'r',
  shown: { transactions: 4, of: 10 },
  gaps: { join: 6, limit: 1 },
};
const nothing: LevelAnswer = { level, answer: 'unknown', code: 'nothing', reason: 'whatever it says' };
const undecided: LevelAnswer = { level, answer: 'unknown', reason: 'nothing but a budget that is used up' };

function folded(...answers: readonly LevelAnswer[]): LevelAnswer {
  const all = new LevelAnswers();
  for (const each of answers) all.add([each]);
  return all.list()[0]!;
}

describe('answers of rounds', () => {
  test('true only if every round that tested anything says so', () => {
    expect(folded(held, held)).toEqual({ level, answer: true, shown: { transactions: 20, of: 20 } });
    expect(folded(held, nothing)).toEqual({ level, answer: true, shown: { transactions: 10, of: 10 } });
    expect(folded(nothing, nothing)).toEqual({ level, answer: 'unknown', code: 'nothing', reason: 'whatever it says (2 rounds)' });
    expect(folded(held, unseen, { level, answer: false })).toEqual({ level, answer: false });
  });

  test('one round of which not all was seen: unknown, with the share over all rounds and what was not seen', () => {
    expect(folded(held, unseen, unseen)).toEqual({
      level,
      answer: 'unknown',
      code: 'unseen',
      shown: { transactions: 18, of: 30 },
      gaps: { join: 12, limit: 2 },
      reason:
        'no forbidden anomaly was found, but 12 of 30 transactions were not observed completely: 12 that looked for rows by a join, 2 that looked for rows with LIMIT or SKIP LOCKED',
    });
  });

  test('what could not be decided is told by its code, not by how its reason begins', () => {
    expect(folded(held, undecided)).toMatchObject({ answer: 'unknown', code: 'undecided', reason: undecided.reason });
  });
});
