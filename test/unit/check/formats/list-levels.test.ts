/** The levels of random list histories, each held against its definition over every order of the appends that no list shows. */
import { describe, expect, test } from 'vitest';
import { assessForeign } from '../../../../src/judge/assess/foreign.ts';
import { randomLists } from '../../../arbitraries/list-history.ts';
import { always } from '../../../property.ts';
import { BRUTE_LEVELS, bruteForceLists } from './brute-force-lists.ts';
import { shownLists } from './shown-lists.ts';

describe('levels of list histories', () => {
  test('20,000 random ones: each level is answered as its definition says, over all orders of unread appends', () => {
    always(
      randomLists(),
      { seed: 31, of: 20_000, least: 2_000, reached: { 'an order is open': 0.3, holds: 0.2, violated: 0.2 } },
      (history, reached) => {
        const met = bruteForceLists(history);
        if (met === undefined) return reached('too many orders');
        const judged = assessForeign({ kind: 'list', history }, { levels: BRUTE_LEVELS });
        if (judged.kind !== 'list') throw new Error('a list history');
        for (const { level, answer, code, reason } of judged.verdict.levels) {
          if (code === 'nothing') reached('nothing');
          const said = code === 'nothing' ? true : answer;
          expect(said, `${level}: ${reason ?? ''}\n${shownLists(history)}`).toBe(met.has(level as (typeof BRUTE_LEVELS)[number]));
        }
        if (judged.verdict.levels.some(({ answer }) => answer === false)) reached('violated');
        else reached('holds');
        reached('an order is open');
      },
    );
  });
});
