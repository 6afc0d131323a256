/** Broken invariants of two runs at one level: what one run holds against the server stands, whatever the other could not tell. */
import { describe, expect, it } from 'vitest';
import type { InvariantVerdict } from '../../../../../core/level/index.ts';
import type { InvariantReport, LevelReport } from '../../../../../core/verdict/index.ts';
import { postgres } from '../../../../../dialects/index.ts';
import { mergedLevels } from '../../../../../src/scale/merge/levels.ts';
import { Collected } from '../../../../../src/pipeline/collected.ts';

const [LEVEL] = new Collected(
  'x',
  postgres.levels.filter(({ level }) => level === 'serializable'),
  {},
).tallies.map((tally) => tally.report()) as [LevelReport];

/** From the worst on; `undefined` is one that held. */
const VERDICTS: readonly (InvariantVerdict | undefined)[] = ['bug', 'undocumented', 'documented', 'yours', 'unknown', undefined];

const invariant = (verdict: InvariantVerdict | undefined, round = 1, more: Partial<InvariantReport> = {}): InvariantReport => ({
  name: 'sum kept',
  rounds: 3,
  broken: verdict === undefined ? 0 : 2,
  ruledOut: false,
  ...(verdict !== undefined && { verdict, first: { round, rows: `rows of ${verdict}` } }),
  ...more,
});

const merged = (...all: readonly (readonly InvariantReport[] | undefined)[]): readonly InvariantReport[] =>
  mergedLevels(all.map((invariants) => [{ ...LEVEL, ...(invariants && { invariants }) }]))[0]!.invariants ?? [];

describe('an invariant of two runs', () => {
  const pairs = VERDICTS.flatMap((worse, i) => VERDICTS.slice(i + 1).map((milder) => [worse, milder] as const));
  it.each(pairs)('is %s beside %s, whichever run comes first', (worse, milder) => {
    const [one, other] = [invariant(worse), invariant(milder)];
    for (const all of [
      [one, other],
      [other, one],
    ]) {
      const [told] = merged(...all.map((each) => [each]));
      expect(told).toEqual({ ...one, rounds: 6, broken: one.broken + other.broken });
    }
  });

  it('is that of the earlier round where both verdicts are alike', () => {
    const [early, late] = [invariant('bug', 4), invariant('bug', 9)];
    expect(merged([late], [early])[0]!.first).toEqual(early.first);
    expect(merged([early], [late])[0]!.first).toEqual(early.first);
  });

  it('is ruled out where it was in one of them', () => {
    for (const [a, b] of [
      [true, false],
      [false, true],
    ] as const)
      expect(merged([invariant('unknown', 1, { ruledOut: a })], [invariant('unknown', 1, { ruledOut: b })])[0]!.ruledOut).toBe(true);
    expect(merged([invariant('unknown')], [invariant('unknown')])[0]!.ruledOut).toBe(false);
  });

  it('stands as it is where only one of them has it', () => {
    const other = invariant('yours', 1, { name: 'another' });
    expect(merged([invariant('bug')], [other])).toEqual([invariant('bug'), other]);
    expect(merged(undefined, [other])).toEqual([other]);
  });
});
