/** What is printed of the cures that were tried: each word stands for what was seen, and what could not be tried is not said to fail. */
import { describe, expect, it } from 'vitest';
import { exploreText } from '../../../reports/index.ts';
import type { ExploreTogether, TriedCure } from '../../../reports/index.ts';
import { LEVEL, REPORT } from './fixture.ts';

const TRIED: TriedCure = {
  what: 'a lock',
  invariants: ['sums'],
  before: { differing: 2, programs: 9 },
  after: { differing: 0, programs: 9 },
  fresh: 5,
  stops: false,
};

function linesOf(...cures: readonly Partial<TriedCure>[]): string {
  const together: ExploreTogether = {
    name: 'a + b',
    answer: 'not safe',
    verdict: 'documented',
    differing: 2,
    failedInTurn: 0,
    programs: 4,
    of: 4,
    orders: 20,
    possible: 20,
    breaks: ['sums'],
    yours: [],
    unasked: [],
    cures: cures.map((cure) => ({ ...TRIED, ...cure })),
  };
  const text = exploreText({ ...REPORT, levels: [{ ...LEVEL, together: [together] }] }).replaceAll(/\s+/g, ' ');
  return text.slice(text.indexOf('tried with the same values'));
}

describe('the text of cures', () => {
  it.each<[Partial<TriedCure>, string]>([
    [{ stops: true, keeps: true }, 'stops it: a lock'],
    [{ keeps: true }, 'keeps the invariants: a lock'],
    [{ evens: true }, 'leaves no difference, and no invariant was broken before: a lock'],
    [{ unseen: true }, 'not seen with it in the orders that were run: a lock'],
    [{ stops: true, refuses: true }, 'stops it, and refuses transactions that succeed serially: a lock'],
    [{ keeps: true, refuses: true }, 'keeps the invariants, and refuses transactions that succeed serially: a lock'],
    [{ after: { differing: 1, programs: 9 } }, 'does not stop it: a lock'],
    [{ after: { differing: 1, programs: 9 }, refuses: true }, 'does not stop it: a lock'],
  ])('says of %j: %s', (cure, words) => {
    expect(linesOf(cure)).toContain(` ${words} (`);
  });

  it('never says "does not stop it", and no figures, of what could not be tried', () => {
    for (const more of [{}, { refuses: true as const }]) {
      const text = linesOf({ why: 'the first rows break it', after: { differing: 0, programs: 0 }, ...more });
      expect(text).toContain('not tried: a lock (the first rows break it)');
      expect(text).not.toMatch(/does not|stops it|programs before/);
    }
  });

  it('says what a program was counted by, and how many were drawn anew', () => {
    expect(linesOf({ stops: true })).toContain('(sums broken in 2 of 9 programs before, in 0 of 9 after, 5 of them new)');
    const { invariants: _, ...counted } = TRIED;
    expect(linesOf({ ...counted, invariants: undefined as never, fresh: 0, stops: true })).toContain(
      '(the race appeared in 2 of 9 programs before, in 0 of 9 after)',
    );
    expect(linesOf({ breaksInTurn: true })).toContain(
      'does not stop it: a lock (sums broken in 2 of 9 programs before, in 0 of 9 after, 5 of them new; its transactions break an invariant when run serially)',
    );
  });

  it('shows what stops it first, with its SQL, and the SQL of nothing that does not', () => {
    const text = linesOf(
      { what: 'third', why: 'no', sql: ['SELECT 3'] },
      { what: 'second', after: { differing: 1, programs: 9 }, sql: ['SELECT 2'] },
      { what: 'first', stops: true, sql: ['SELECT 1', 'SELECT 1 FOR UPDATE'] },
    );
    expect(['first', 'second', 'third'].map((what) => text.indexOf(what))).toEqual(
      ['first', 'second', 'third'].map((what) => text.indexOf(what)).toSorted((a, b) => a - b),
    );
    expect(text).toContain('SELECT 1; SELECT 1 FOR UPDATE;');
    expect(text).not.toMatch(/SELECT [23]/);
  });
});
