/** What a difference is to the vendor before any class is named: the promise table, and the errors that documents allow. */
import { describe, expect, it } from 'vitest';
import { judge } from '../../../check/index.ts';
import type { AnomalyClass, ErrorRow, Level } from '../../../core/level/index.ts';
import { postgres } from '../../../dialects/postgres/index.ts';
import { KINDS } from '../../../src/explore/difference-kinds.ts';
import type { DifferenceKind } from '../../../src/explore/difference-kinds.ts';
import { judgeDifference } from '../../../src/explore/difference.ts';
import type { Documents } from '../../../src/explore/difference.ts';

const allowing = (allowed: readonly AnomalyClass[], errors: readonly ErrorRow[] = postgres.allowedErrors ?? []): Documents => ({
  judge: ({ class: of }) => ({ verdict: allowed.includes(of) ? 'documented' : 'bug' }),
  errors,
});
const UNIQUE = '23505';
const FOREIGN_KEY = '23503';

describe('a difference', () => {
  it('is a bug only where all that it may be is ruled out', () => {
    expect(judgeDifference({ kind: 'skew', codes: [] }, allowing([])).verdict).toBe('bug');
    expect(judgeDifference({ kind: 'skew', codes: [] }, allowing(['G2'])).verdict).toBe('documented');
    expect(judgeDifference({ kind: 'no snapshot', codes: [] }, allowing(['G2'])).verdict).toBe('bug');
  });

  it('that no snapshot gives is no bug of PostgreSQL where a write found its key freed, but at SERIALIZABLE', () => {
    const judged = (level: Level, freedKey?: true): string =>
      judgeDifference(
        { kind: 'no snapshot', codes: [], ...(freedKey && { freedKey }) },
        { judge: (anomaly) => judge(anomaly, level, {}, postgres.promises), errors: [] },
      ).verdict;
    expect([judged('repeatable-read'), judged('repeatable-read', true)]).toEqual(['bug', 'undocumented']);
    expect([judged('serializable'), judged('serializable', true)]).toEqual(['bug', 'bug']);
  });

  it('with the error of a constraint is documented where all its errors are and each met a row of who overlapped, and else no document speaks of it', () => {
    for (const kind of ['skew, an error', 'skew, actions, an error', 'an error', 'a change, an error'] as const) {
      const judged = (
        codes: readonly string[],
        documents = allowing([]),
        overlapping: { readonly overlapping?: true } = { overlapping: true },
      ): ReturnType<typeof judgeDifference> => judgeDifference({ kind, codes, ...overlapping }, documents);
      expect(judged([UNIQUE])).toMatchObject({
        verdict: 'documented',
        row: { says: expect.stringContaining('unique constraints') as string },
      });
      expect(judged([UNIQUE], allowing([]), {}).verdict).toBe('undocumented');
      expect(judged([UNIQUE, FOREIGN_KEY]).verdict).toBe('undocumented');
      expect(judged([]).verdict).toBe('undocumented');
      expect(judged([UNIQUE], allowing([], [])).verdict).toBe('undocumented');
      const { when: _, ...always } = postgres.allowedErrors![0]!;
      expect(judged([UNIQUE], allowing([], [always]), {}).verdict).toBe('documented');
    }
  });

  it('of which tables themselves are a part may be anything, so that whatever is allowed may be it', () => {
    for (const of of ['G2', 'G-single', 'G0'] as const) {
      expect(judgeDifference({ kind: 'a change', codes: [] }, allowing([of])).verdict).toBe('documented');
      expect(judgeDifference({ kind: 'a change, an error', codes: [] }, allowing([of])).verdict).toBe('documented');
    }
    expect(judgeDifference({ kind: 'a change, no snapshot', codes: [] }, allowing(['G2'])).verdict).toBe('bug');
    expect(judgeDifference({ kind: 'a change, no snapshot', codes: [] }, allowing(['G0'])).verdict).toBe('documented');
  });

  it('is undocumented, not a bug, where the documents speak of what it may be and do not settle it', () => {
    const judge = ({ class: of }: { readonly class: AnomalyClass }): { readonly verdict: 'bug' | 'undocumented' } => ({
      verdict: of === 'G2' || of === 'fork' ? 'undocumented' : 'bug',
    });
    for (const kind of Object.keys(KINDS) as readonly DifferenceKind[])
      expect(judgeDifference({ kind, codes: [] }, { judge, errors: [] }).verdict, kind).toBe('undocumented');
  });

  it('is not settled where the documents allow what snapshots give and nothing else, or the other way round', () => {
    for (const kind of ['unsettled, actions', 'unsettled, rows alike'] as const) {
      expect(judgeDifference({ kind, codes: [] }, allowing(['G2']))).toMatchObject({
        verdict: 'undocumented',
        says: expect.stringContaining('which of the two') as string,
      });
      expect(judgeDifference({ kind, codes: [] }, allowing(['G2', 'G-single'])).verdict).toBe('documented');
      expect(judgeDifference({ kind, codes: [] }, allowing([])).verdict).toBe('bug');
    }
  });
});
