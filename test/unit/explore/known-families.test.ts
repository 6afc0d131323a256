/** Which families of an exploration are known: to corpus/explored by how their programs are made, to a file by their fingerprints. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExploreFamily, KnownInCorpus, Program, PromiseVerdict } from '../../../core/index.ts';
import { DIALECTS } from '../../../dialects/index.ts';
import type { ExploreReport } from '../../../reports/index.ts';
import { exploreExit } from '../../../src/app/commands/explored-exit.ts';
import { differenceGroups } from '../../../src/explore/difference-families.ts';
import type { ExploredProgram } from '../../../src/explore/explore-program.ts';
import { familyFingerprint, kindOfFamily } from '../../../src/explore/fingerprint.ts';
import type { KnownPrograms } from '../../../src/explore/known.ts';
import { isKnownFamily, readKnown, withAccepted } from '../../../src/pipeline/known.ts';
import type { Known } from '../../../src/pipeline/known.ts';
import { LEVEL, REPORT } from './fixture.ts';

const PRINT = 'explored|serial orders|skew|write skew, point';

interface Made {
  /** null: an older tool wrote none. */
  readonly fingerprint?: string | null;
  readonly programs?: number;
  readonly known?: KnownInCorpus;
}

const family = (verdict: PromiseVerdict, { fingerprint = PRINT, programs = 2, known }: Made = {}): ExploreFamily =>
  ({
    name: 'write skew, point',
    verdict,
    programs,
    ...(fingerprint !== null && { fingerprint }),
    ...(known && { known }),
  }) as unknown as ExploreFamily;

const reportOf = (...families: readonly ExploreFamily[]): ExploreReport => ({ ...REPORT, levels: [{ ...LEVEL, families }] });

function read(content: unknown): Known {
  const dir = mkdtempSync(join(tmpdir(), 'anomalist-'));
  try {
    writeFileSync(join(dir, 'known'), typeof content === 'string' ? content : JSON.stringify(content));
    return readKnown(join(dir, 'known'));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

describe('the fingerprint of a family', () => {
  const words = { oracle: 'serial orders', kind: 'skew', name: 'write skew, point' } as const;

  it('is its oracle, its difference and what its programs have in common, whatever else these are made of', () => {
    const prints = [{ world: 'two rows', 'writes 1': 'delete' }, { world: 'two tables' }].map((made) => familyFingerprint({ made }, words));
    expect(prints).toEqual([PRINT, PRINT]);
    for (const other of [{ oracle: 'run' }, { kind: 'no snapshot' }, { name: 'long fork, point' }] as const)
      expect(familyFingerprint({ made: {} }, { ...words, ...other })).not.toBe(PRINT);
  });

  it("tells a user's own transactions from what the tool draws, and stands in a list of fingerprints whatever they are called", () => {
    const own = familyFingerprint({ made: { transactions: 'a' } }, { ...words, name: ' a#1 | 50% + b\n' });
    expect(own).toBe('transactions|serial orders|skew|%20a%231 %7C 50%25 + b%0A');
    expect([...read(`${own} # accepted\n`)]).toEqual([own]);
    expect(isKnownFamily(family('bug', { fingerprint: own }), read(own))).toBe(true);
  });

  it('has a kind: of what is drawn all but the name, of own transactions all of it', () => {
    expect(kindOfFamily(PRINT)).toBe('explored|serial orders|skew');
    expect(kindOfFamily('transactions|serial orders|skew|book + book')).toBe('transactions|serial orders|skew|book + book');
  });
});

describe('programs that are a case of the corpus', () => {
  const dialect = DIALECTS[0]!;
  const level = dialect.levels.find(({ level: name }) => name === 'serializable')!;
  const CASE: KnownPrograms = { file: 'corpus/explored/a.spec', dbms: dialect.name, level: 'serializable', reads: ['upsert of nothing'] };
  const explored = (number: number, read: string): ExploredProgram =>
    ({
      program: { number, made: { skeleton: 'write skew', 'reads 1': read, 'writes 1': 'delete' }, transactions: [] } as unknown as Program,
      found: [
        { difference: { kind: 'skew', codes: [], answers: [] }, played: { transcript: [], outcome: { transactions: [] } }, breaks: [] },
      ],
    }) as unknown as ExploredProgram;
  const groups = differenceGroups(
    [explored(1, 'upsert of nothing'), explored(2, 'point'), explored(3, 'upsert of nothing')],
    { source: { nameOf: () => ({ family: 'write skew', form: '' }) }, judge: () => ({ verdict: 'bug' }), dialect, level },
    [CASE],
  );

  it('are a family of their own, so that no program of another cause is known with them', () => {
    expect(groups.map(({ name, knownIn, members }) => [name, knownIn, members.map(({ program }) => program.number)])).toEqual([
      ['write skew', CASE.file, [1, 3]],
      ['write skew', undefined, [2]],
    ]);
  });
});

describe('differences of one kind', () => {
  it('are two families where the documents say two things of them', () => {
    const [dialect] = DIALECTS;
    const played = { transcript: [], outcome: { transactions: [] } };
    const explored = (number: number, freedKey?: true): ExploredProgram =>
      ({
        program: { number, made: {}, transactions: [] } as unknown as Program,
        found: [{ difference: { kind: 'no snapshot', codes: [], answers: [], ...(freedKey && { freedKey }) }, played, breaks: [] }],
      }) as unknown as ExploredProgram;
    const groups = differenceGroups([explored(1, true), explored(2), explored(3, true)], {
      source: { nameOf: () => ({ family: 'upserts', form: '' }) },
      judge: ({ freedKey }) => ({ verdict: freedKey === true ? 'documented' : 'bug' }),
      dialect: dialect!,
      level: dialect!.levels[0]!,
    });
    expect(groups.map(({ judgement, members }) => [judgement.verdict, members.map(({ program }) => program.number)])).toEqual([
      ['documented', [1, 3]],
      ['bug', [2]],
    ]);
  });
});

describe('the exit code of an exploration', () => {
  const corpus = { file: 'corpus/explored/a.spec', programs: 2 };
  const codes = (report: ExploreReport, known?: Known): readonly number[] =>
    (['bug', 'new', 'any'] as const).map((failOn) => exploreExit(report, failOn, known));

  it('is that of what nobody knows: a case of the corpus is not new, and not if one of its programs is no case of it', () => {
    expect(codes(reportOf(family('bug')))).toEqual([1, 1, 1]);
    expect(codes(reportOf(family('bug', { known: corpus })))).toEqual([1, 0, 1]);
    expect(codes(reportOf(family('bug', { known: corpus, programs: 3 })))).toEqual([1, 1, 1]);
    expect(codes(reportOf(family('bug', { known: corpus }), family('bug')))).toEqual([1, 1, 1]);
    expect(codes(reportOf(family('undocumented')))).toEqual([0, 1, 1]);
    expect(codes(reportOf(family('documented')))).toEqual([0, 0, 1]);
  });

  it('is clean where the file has each fingerprint', () => {
    const known = read(`${PRINT}\n`);
    expect(codes(reportOf(family('bug')), known)).toEqual([0, 0, 1]);
    expect(codes(reportOf(family('bug', { fingerprint: `${PRINT}s` })), known)).toEqual([1, 1, 1]);
    expect(codes(reportOf(family('bug', { fingerprint: null })), known), 'of an older tool').toEqual([1, 1, 1]);
  });

  it('goes on with a failure and with nothing that was judged', () => {
    expect(codes({ ...reportOf(family('bug', { known: corpus })), endedEarly: 'gone' })).toEqual([1, 2, 1]);
    expect(codes({ ...REPORT, levels: [] })).toEqual([3, 3, 3]);
    const nothing = [
      { ...LEVEL, orders: 0 },
      { ...LEVEL, unjudged: { why: LEVEL.programs } },
    ];
    for (const level of nothing)
      for (const levels of [
        [LEVEL, level],
        [level, LEVEL],
      ])
        expect(codes({ ...REPORT, levels })).toEqual([3, 3, 3]);
  });
});

describe('a file of known findings has those of an exploration', () => {
  const bug = { verdict: 'bug', fingerprint: PRINT };
  const documented = { verdict: 'documented', fingerprint: PRINT };

  it.each([
    ['an explore.json', { levels: [{ families: [bug] }] }, ['explored']],
    ['the findings.json of a run', { findings: [], explored: { levels: [{ findings: [bug] }] } }, ['rounds', 'explored']],
    ['what campaign findings --json says', { findings: [], explored: [{ family: bug }] }, ['rounds', 'explored']],
  ])('%s: with the verdict that it had', (_, file, tellsOf) => {
    const known = read(file);
    expect(known.tellsOf).toEqual(tellsOf);
    expect([family('bug'), family('undocumented'), family('documented')].map((each) => isKnownFamily(each, known))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('of what the documents allow the kind is known, of own transactions no other ones', () => {
    const known = read({ levels: [{ families: [documented, { ...documented, fingerprint: 'transactions|serial orders|skew|a + b' }] }] });
    const allowed = (fingerprint: string): boolean => isKnownFamily(family('documented', { fingerprint }), known);
    expect(allowed('explored|serial orders|skew|long fork, range')).toBe(true);
    expect(allowed('explored|serial orders|no snapshot|long fork, range')).toBe(false);
    expect(allowed('transactions|serial orders|skew|a + b')).toBe(true);
    expect(allowed('transactions|serial orders|skew|a + c')).toBe(false);
    expect(isKnownFamily(family('bug', { fingerprint: 'explored|serial orders|skew|long fork, range' }), known)).toBe(false);
  });

  it('what it tells of as a whole is a baseline: what else the documents allow there is new', () => {
    const own = family('documented', { fingerprint: 'transactions|serial orders|skew|a + c' });
    const exit = (file: unknown): number => exploreExit(reportOf(own), 'new', read(file));
    expect(exit({ levels: [{ families: [] }] })).toBe(1);
    expect(exit({ findings: [] })).toBe(0);
    expect(exit('a|b\n')).toBe(0);
  });

  it('is read where an older tool wrote no fingerprints', () => {
    expect([...read({ levels: [{ families: [{ verdict: 'bug', name: 'write skew' }] }] })]).toEqual([]);
    expect([
      ...read({ findings: [{ fingerprint: 'a|b', verdict: 'bug' }], explored: { levels: [{ findings: [{ verdict: 'bug' }] }] } }),
    ]).toEqual(['bug a|b']);
  });

  it('is refused where it holds neither', () => {
    for (const content of [{}, { levels: {} }, { levels: [{}] }, { explored: {} }])
      expect(() => read(content)).toThrow(/holds no findings/);
  });
});

it('marks what the file has, and what an earlier command was given as known no more', () => {
  const before = { ...family('bug', { fingerprint: 'explored|run|damaged tables|a' }), accepted: true as const };
  const { families } = withAccepted(reportOf(before, family('bug')), new Set([PRINT])).levels[0]!;
  expect(families.map(({ accepted }) => accepted)).toEqual([undefined, true]);
});
