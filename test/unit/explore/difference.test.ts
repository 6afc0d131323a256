/** What a difference is to the vendor before any class is named: the promise table, and the errors that documents allow. */
import { describe, expect, it } from 'vitest';
import { judge } from '../../../check/index.ts';
import type { AnomalyClass, ErrorRow, Level } from '../../../core/index.ts';
import { postgres } from '../../../dialects/postgres/index.ts';
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

  it('that no snapshot gives is no bug of PostgreSQL where an upsert found its key freed, but at SERIALIZABLE', () => {
    const judged = (level: Level, freedKey?: true): string =>
      judgeDifference(
        { kind: 'no snapshot', codes: [], ...(freedKey && { freedKey }) },
        { judge: (anomaly) => judge(anomaly, level, {}, postgres.promises), errors: [] },
      ).verdict;
    expect([judged('repeatable-read'), judged('repeatable-read', true)]).toEqual(['bug', 'undocumented']);
    expect([judged('serializable'), judged('serializable', true)]).toEqual(['bug', 'bug']);
  });

  it('with the error of a constraint is documented where all its errors are, and else no document speaks of it', () => {
    for (const kind of ['skew, an error', 'an error'] as const) {
      const judged = (codes: readonly string[], documents = allowing([])): ReturnType<typeof judgeDifference> =>
        judgeDifference({ kind, codes }, documents);
      expect(judged([UNIQUE])).toMatchObject({
        verdict: 'documented',
        row: { says: expect.stringContaining('unique constraints') as string },
      });
      expect(judged([UNIQUE, FOREIGN_KEY]).verdict).toBe('undocumented');
      // It was told of none, though a serial order tells it of one.
      expect(judged([]).verdict).toBe('undocumented');
      expect(judged([UNIQUE], allowing([], [])).verdict).toBe('undocumented');
    }
  });
});
