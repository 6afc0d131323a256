/** Families of several explorations of one catalogue, added up. */
import type { ExploreFamily } from '../../../../../core/verdict/index.ts';
import { describe, expect, it } from 'vitest';
import type { ExploreReport } from '../../../../../reports/index.ts';
import { mergedExplorations } from '../../../../../src/scale/merge/explored.ts';
import { LEVEL, REPORT } from '../../../explore/fixture.ts';

const FAMILY = {
  name: 'write skew, point',
  oracle: 'serial orders',
  difference: 'no serial order gives this',
  fingerprint: 'explored|serial orders|skew|write skew, point',
  verdict: 'bug',
  programs: 2,
  forms: { a: 2 },
  example: { program: 7 },
} as unknown as ExploreFamily;

let runs = 0;
const reportOf = (families: readonly ExploreFamily[]): ExploreReport => ({
  ...REPORT,
  startedAt: `run ${runs++}`,
  levels: [{ ...LEVEL, families }],
});
const merged = (...all: readonly (readonly ExploreFamily[])[]): readonly ExploreFamily[] =>
  mergedExplorations(all.map(reportOf)).levels[0]!.families;

describe('families of two explorations', () => {
  it('are one where all that names them is alike', () => {
    const other = { ...FAMILY, programs: 3, forms: { a: 1, b: 2 } };
    expect(merged([FAMILY], [other])).toEqual([{ ...FAMILY, programs: 5, forms: { a: 3, b: 2 } }]);
  });

  it.each([
    { verdict: 'documented' },
    { verdict: 'undocumented' },
    { name: 'long fork, point' },
    { oracle: 'dependencies' },
    { difference: 'another' },
    { fingerprint: 'explored|serial orders|skew|corpus/explored/a.spec' },
  ] as readonly Partial<ExploreFamily>[])('are two where they differ in %o', (change) => {
    const other = { ...FAMILY, ...change };
    const both = merged([FAMILY], [other]);
    expect(both.map(({ programs }) => programs)).toEqual([2, 2]);
    expect(new Set(both)).toEqual(new Set([FAMILY, other]));
  });

  it('of an older tool, which wrote no fingerprints, are one by all else', () => {
    const { fingerprint: _, ...old } = FAMILY;
    expect(merged([old], [{ ...old, verdict: 'documented' }], [old]).map(({ verdict, programs }) => [verdict, programs])).toEqual([
      ['bug', 4],
      ['documented', 2],
    ]);
  });

  it('have the example of the first program, whichever exploration found it', () => {
    const later = { ...FAMILY, example: { ...FAMILY.example, program: 9 } };
    for (const all of [
      [FAMILY, later],
      [later, FAMILY],
    ])
      expect(merged(...all.map((each) => [each])).map(({ example }) => example.program)).toEqual([7]);
  });

  it('stand in the order of the oracles, then of their first programs', () => {
    const at = (oracle: ExploreFamily['oracle'], program: number): ExploreFamily =>
      ({ ...FAMILY, name: `${oracle} ${program}`, oracle, example: { program } }) as unknown as ExploreFamily;
    const all = [at('dependencies', 1), at('run', 2), at('serial orders', 9), at('serial orders', 3)];
    expect(merged(all.slice(0, 2), all.slice(2)).map(({ name }) => name)).toEqual([
      'serial orders 3',
      'serial orders 9',
      'run 2',
      'dependencies 1',
    ]);
  });

  it('are a case of the corpus in as many programs as each of them', () => {
    const known = (programs: number): Pick<ExploreFamily, 'known'> => ({ known: { file: 'corpus/explored/a.spec', programs } });
    expect(merged([{ ...FAMILY, ...known(2) }], [{ ...FAMILY, ...known(1) }])[0]).toMatchObject({ programs: 4, ...known(3) });
    expect(merged([FAMILY], [{ ...FAMILY, ...known(1) }])[0], 'one of them only').toMatchObject({ programs: 4, ...known(1) });
  });
});

describe('counts of what was not judged', () => {
  const REASON = { code: 'many-ran-together', most: 4 } as const;
  const SENTENCE = 'more than 4 transactions ran together';
  const level = { ...LEVEL, unjudged: { [SENTENCE]: 2 }, statements: { judged: 1, unjudged: { 'it asks not to wait': 1 } } };
  const data = {
    ...level,
    unjudgedData: [{ reason: REASON, programs: 2 }],
    statements: { ...level.statements, unjudgedData: { 'asks-not-to-wait': 1 } },
  };
  const sum = (...levels: readonly ExploreReport['levels'][number][]) =>
    mergedExplorations(levels.map((each) => ({ ...reportOf([]), levels: [each] }))).levels[0]!;

  it('are added by sentence and by reason', () => {
    expect(sum(data, data)).toMatchObject({
      unjudged: { [SENTENCE]: 4 },
      unjudgedData: [{ reason: REASON, programs: 4 }],
      statements: { judged: 2, unjudged: { 'it asks not to wait': 2 }, unjudgedData: { 'asks-not-to-wait': 2 } },
    });
  });

  it('have sentences alone if one report is of an older version', () => {
    for (const both of [sum(data, level), sum(level, data)]) {
      expect(both).toMatchObject({ unjudged: { [SENTENCE]: 4 }, statements: { unjudged: { 'it asks not to wait': 2 } } });
      expect(both).not.toHaveProperty('unjudgedData');
      expect(both.statements).not.toHaveProperty('unjudgedData');
    }
  });
});
