import { describe, expect, it } from 'vitest';
import { bisect } from '../../../../src/compare/bisect.ts';
import type { AskRelease, BisectCase } from '../../../../src/compare/bisect.ts';
import type { ConfirmedRun } from '../../../../src/compare/confirm-on.ts';
import { releasesBetween } from '../../../../src/compare/releases-between.ts';

const NEVER = new AbortController().signal;

/** What a release did each time; with `alike` fewer times. */
function run(key: string, alike = 5): ConfirmedRun {
  return { observed: { key, waits: '', ends: '' }, alike, waitsAlike: alike, of: 5 } as unknown as ConfirmedRun;
}

function caseOf(name: string): BisectCase {
  return { kind: 'outcome', candidate: { name } as unknown as BisectCase['candidate'], good: run('old'), bad: run('new') };
}

describe('bisect', () => {
  it.each(Array.from({ length: 12 }, (_, i) => i + 1))('finds the first of 13 releases that differs: %i', async (first) => {
    const asked: number[] = [];
    const ask: AskRelease = async (place, candidates) => {
      asked.push(place);
      return candidates.map(() => run(place < first ? 'old' : 'new'));
    };
    const [found] = await bisect([caseOf('a')], 13, ask, NEVER);
    expect(found).toMatchObject({ last: first - 1, first, unclear: [] });
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  it('asks a release once for all differences, and of each finds its own', async () => {
    const firsts = [3, 5, 9];
    const cases = firsts.map((first) => caseOf(String(first)));
    const asked: number[] = [];
    const found = await bisect(
      cases,
      11,
      async (place, candidates) => {
        asked.push(place);
        return candidates.map((candidate) => {
          const first = firsts[cases.findIndex((each) => each.candidate === candidate)]!;
          return run(place < first ? 'old' : 'new');
        });
      },
      NEVER,
    );
    expect(found.map(({ first }) => first)).toEqual(firsts);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('passes over releases that do neither, or not the same each time, and says which', async () => {
    const does: Readonly<Record<number, ConfirmedRun>> = { 2: run('third'), 3: run('new', 4) };
    const [found] = await bisect([caseOf('a')], 6, async (place) => [does[place] ?? run(place < 4 ? 'old' : 'new')], NEVER);
    expect(found).toMatchObject({ last: 1, first: 4 });
    expect(found!.unclear.toSorted((a, b) => a - b)).toEqual([2, 3]);
  });

  it('ends when it is interrupted, with what it has', async () => {
    const controller = new AbortController();
    const [found] = await bisect(
      [caseOf('a')],
      100,
      async () => {
        controller.abort();
        return [];
      },
      controller.signal,
    );
    expect(found).toMatchObject({ last: 0, first: 99 });
  });
});

describe('releases between two', () => {
  const known = [
    'postgres@12.10',
    'postgres@12.9',
    'postgres@13.1',
    'mariadb@10.2.11',
    'mariadb@10.11.5',
    'postgres@13',
    'postgres@13+standby',
  ].map((target) => ({ target, version: target === 'postgres@13' ? '13.1' : '', available: true }));

  it('are in the order of their numbers, each once, the ends by the names they were given', () => {
    expect(releasesBetween('postgres@12.9', 'postgres@13', known)).toEqual(['postgres@12.9', 'postgres@12.10', 'postgres@13']);
    expect(releasesBetween('postgres@12.9', 'postgres@13.1', known)).toEqual(['postgres@12.9', 'postgres@12.10', 'postgres@13.1']);
  });

  it('begin with the good one, which may be the newer one', () => {
    expect(releasesBetween('postgres@13.1', 'postgres@12.9', known)).toEqual(['postgres@13.1', 'postgres@12.10', 'postgres@12.9']);
  });

  it('of a series whose newest release is not known come after those that are', () => {
    const series = [...known, { target: 'mariadb@10.11', version: '10.11', available: true }];
    expect(releasesBetween('mariadb@10.2.11', 'mariadb@10.11', series)).toEqual(['mariadb@10.2.11', 'mariadb@10.11.5', 'mariadb@10.11']);
  });

  it('of two DBMSs, or of what cannot be started, are refused with what there is', () => {
    expect(() => releasesBetween('postgres@12.9', 'mariadb@10.2.11', known)).toThrow(/two DBMSs/);
    expect(() => releasesBetween('postgres@12.9', 'postgres@99', known)).toThrow(/--bad postgres@99 .*expected one of postgres@12\.9/);
    expect(() => releasesBetween('postgres@13', 'postgres@13', known)).toThrow(/same release/);
  });
});
