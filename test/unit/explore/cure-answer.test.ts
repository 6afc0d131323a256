/** The answer to a cure: what is said of it, from what the programs showed without it and with it. */
import { describe, expect, it } from 'vitest';
import { cureAnswer, evidenceOf, targetOf } from '../../../src/explore/cure-answer.ts';
import type { CureAnswer, CureTarget, Evidence, ProgramEvidence, Trial } from '../../../src/explore/cure-answer.ts';
import type { ExploredProgram } from '../../../src/explore/explore-program.ts';

const KEPT: ProgramEvidence = { program: 0, differs: false, breaks: [], own: [], unasked: false, whole: true, failedInTurn: 0 };
const DIFFERS: Partial<ProgramEvidence> = { differs: true };
const BROKEN: Partial<ProgramEvidence> = { differs: true, breaks: ['sums'] };
const FAILS = 'its transactions fail even alone';

const evidence = (...programs: readonly Partial<ProgramEvidence>[]): Evidence => ({
  programs: programs.map((each, program) => ({ ...KEPT, program, ...each })),
});

const trial = (before: readonly Partial<ProgramEvidence>[], after: readonly Partial<ProgramEvidence>[]): Trial => ({
  before: evidence(...before),
  after: evidence(...after),
});

/** Of a file with an invariant, the target as it follows from what was seen before. */
function answered(...trials: readonly Trial[]): CureAnswer {
  return cureAnswer({ trials, target: targetOf(trials.map(({ before }) => before)), declared: true });
}

function undeclared(...trials: readonly Trial[]): CureAnswer {
  return cureAnswer({ trials, target: new Set(), declared: false });
}

describe('the answer to a cure', () => {
  it('stops what the programs break if each ran in every order and shows nothing, those drawn anew too', () => {
    expect(answered(trial([BROKEN, {}], [{}, {}]), trial([BROKEN], [{}]))).toEqual({
      invariants: ['sums'],
      before: { differing: 2, programs: 3 },
      after: { differing: 0, programs: 3 },
      fresh: 1,
      stops: true,
      keeps: true,
    });
  });

  it('counts programs that broke the invariant, not those that showed another difference', () => {
    const { before, after, stops, keeps } = answered(trial([DIFFERS, BROKEN, {}], [{}, BROKEN, {}]));
    expect([before, after, stops, keeps]).toEqual([{ differing: 1, programs: 3 }, { differing: 1, programs: 3 }, false, undefined]);
  });

  it('stops nothing where a program that is drawn anew still breaks it, whatever it showed before', () => {
    for (const before of [BROKEN, DIFFERS, {}]) {
      const answer = answered(trial([BROKEN], [{}]), trial([before], [BROKEN]));
      expect([answer.stops, answer.keeps, answer.why, answer.after]).toEqual([false, undefined, undefined, { differing: 1, programs: 2 }]);
    }
  });

  it('stops nothing where a program breaks it that did not run without the cure', () => {
    expect(answered(trial([BROKEN, { dropped: FAILS }], [{}, BROKEN])).stops).toBe(false);
  });

  it('keeps the invariants where a difference is left that breaks none', () => {
    const { stops, keeps, why } = answered(trial([BROKEN, {}], [DIFFERS, {}]));
    expect([stops, keeps, why]).toEqual([false, true, undefined]);
    expect(answered(trial([BROKEN, {}], [{}, DIFFERS])).stops).toBe(false);
  });

  it('says nothing of invariants that the server could not be asked for, where a difference is left', () => {
    const { stops, keeps, why } = answered(trial([BROKEN], [{ ...DIFFERS, unasked: true }]));
    expect([stops, keeps, why]).toEqual([false, undefined, 'the server could not say whether an invariant holds']);
    // If a serial order explains everything, the invariant is as in that order.
    expect(answered(trial([BROKEN], [{ unasked: true }])).stops).toBe(true);
    expect(answered(trial([BROKEN], [{ ...DIFFERS }])).why).toBeUndefined();
  });

  it('stops nothing of a file with invariants of which none was broken: no difference is left, no more', () => {
    const { stops, keeps, evens, invariants } = answered(trial([DIFFERS], [{}]), trial([{}], [{}]));
    expect([stops, keeps, evens, invariants]).toEqual([false, undefined, true, undefined]);
    expect(undeclared(trial([DIFFERS], [{}]), trial([{}], [{}]))).toMatchObject({ stops: true });
    expect(undeclared(trial([DIFFERS], [{}]))).not.toHaveProperty('keeps');
    expect(undeclared(trial([DIFFERS, {}], [{}, DIFFERS]))).toMatchObject({ stops: false, after: { differing: 1, programs: 2 } });
  });

  it('is not seen again where some order of some program was not run', () => {
    for (const after of [
      [{ whole: false }, {}],
      [{}, { whole: false }],
    ]) {
      const { stops, keeps, unseen, why } = answered(trial([BROKEN, {}], after));
      expect([stops, keeps, unseen, why]).toEqual([false, undefined, true, undefined]);
    }
  });

  it.each<[string, readonly Trial[], string]>([
    ['nothing ran', [{ before: evidence(BROKEN), after: { programs: [], unable: 'no room' } }], 'no room'],
    ['it stopped in the middle', [{ before: evidence(BROKEN), after: { ...evidence({}), unable: 'gone' } }], 'gone'],
    ['nothing could be drawn anew', [trial([BROKEN], [{}]), { before: { programs: [], unable: 'gone' }, after: evidence() }], 'gone'],
    ['a program is missing', [trial([BROKEN, {}], [{}])], 'it ended before'],
    ['every program that broke it is dropped', [trial([BROKEN, {}], [{ dropped: FAILS }, {}])], FAILS],
    ['no program showed anything', [trial([{}], [{}])], 'no program showed anything without it'],
  ])('says nothing where %s', (_, trials, why) => {
    const answer = cureAnswer({ trials, target: new Set(['sums']), declared: true });
    expect([answer.stops, answer.keeps, answer.unseen, answer.evens, answer.why]).toEqual([false, undefined, undefined, undefined, why]);
  });

  it('stops what is left to run, and forbids the rest, where one of the programs that broke it is dropped', () => {
    const { stops, refuses, why } = answered(trial([BROKEN, BROKEN], [{}, { dropped: FAILS }]));
    expect([stops, refuses, why]).toEqual([true, true, undefined]);
  });

  it('says that it does not, of what it was seen not to, even if the rest could not be run', () => {
    const stopped: Trial = { before: evidence(BROKEN, BROKEN), after: { ...evidence(BROKEN), unable: 'gone' } };
    expect(answered(stopped)).toMatchObject({ stops: false, after: { differing: 1, programs: 1 } });
    expect(answered(stopped)).not.toHaveProperty('why');
  });

  it('forbids what goes well in turn where more fails one after the other, or a program has nothing left to run', () => {
    const refuses = (before: Partial<ProgramEvidence>, after: Partial<ProgramEvidence>): true | undefined =>
      answered(trial([BROKEN, before], [{}, after])).refuses;
    expect(refuses({}, { failedInTurn: 1 })).toBe(true);
    expect(refuses({ failedInTurn: 1 }, { failedInTurn: 1 })).toBeUndefined();
    expect(refuses({ failedInTurn: 2 }, { failedInTurn: 1 })).toBeUndefined();
    expect(refuses({}, { dropped: FAILS })).toBe(true);
    expect(refuses({ dropped: FAILS }, { dropped: FAILS })).toBeUndefined();
    // One program more that fails does not make up for one that fails no more.
    expect(answered(trial([{ ...BROKEN, failedInTurn: 1 }, {}], [{}, { failedInTurn: 1 }])).refuses).toBe(true);
  });

  it('is none where the transactions break an invariant one after the other with it', () => {
    const own = answered(trial([BROKEN], [{ own: ['sums'] }]));
    expect([own.stops, own.keeps, own.breaksInTurn]).toEqual([false, undefined, true]);
    // One of several programs is enough.
    for (const after of [
      [{}, { own: ['sums'] }],
      [{ own: ['sums'] }, {}],
    ])
      expect(answered(trial([BROKEN, {}], after))).toMatchObject({ stops: false, breaksInTurn: true });
    expect(answered(trial([{ ...BROKEN, own: ['other'] }], [{ own: ['other'] }]))).toMatchObject({ stops: true });
  });
});

describe('evidence', () => {
  const explored = (transactions: string, more: Partial<ExploredProgram>): ExploredProgram =>
    ({
      program: { number: 7, made: { transactions } },
      found: [],
      violations: [],
      own: [],
      failed: new Map(),
      whole: true,
      failedInTurn: 0,
      ...more,
    }) as unknown as ExploredProgram;

  it('is of the transactions alone, a violation within one run being a difference', () => {
    const found = [{ breaks: ['sums'] }, { breaks: [] }] as unknown as ExploredProgram['found'];
    const all = [
      explored('a + b', { found, own: [{ invariant: 'other', order: [] }], failed: new Map([['third', 'why']]), failedInTurn: 2 }),
      explored('a + b', { violations: [{}] as unknown as ExploredProgram['violations'], whole: false }),
      explored('a + b', { dropped: FAILS }),
      explored('b + b', { found }),
    ];
    expect(evidenceOf(all, 'a + b')).toEqual([
      { program: 7, differs: true, breaks: ['sums'], own: ['other'], unasked: true, whole: true, failedInTurn: 2 },
      { program: 7, differs: true, breaks: [], own: [], unasked: false, whole: false, failedInTurn: 0 },
      { program: 7, differs: false, breaks: [], own: [], unasked: false, whole: true, failedInTurn: 0, dropped: FAILS },
    ]);
  });

  it('makes of every invariant that was broken the target', () => {
    const target: CureTarget = targetOf([evidence(BROKEN, DIFFERS), evidence({ ...DIFFERS, breaks: ['other', 'sums'] })]);
    expect([...target]).toEqual(['sums', 'other']);
    expect(targetOf([evidence(DIFFERS)]).size).toBe(0);
  });
});
