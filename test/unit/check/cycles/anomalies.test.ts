/** A minimal history of every class and shape, with the levels it leaves standing. */
import { describe, expect, test } from 'vitest';
import { checkGraph } from '../../../../check/index.ts';
import type { CheckOptions } from '../../../../check/index.ts';
import type { AnomalyClass, Level, Shape } from '../../../../core/level/index.ts';
import type { Anomaly, Verdict } from '../../../../core/verdict/index.ts';
import { inferDependencies } from '../../../../infer/index.ts';
import { historyFromText } from '../../history-text.ts';
import type { TextOptions } from '../../history-text.ts';

const check = (text: string, options: TextOptions = {}, how: CheckOptions = {}): Verdict =>
  checkGraph(inferDependencies(historyFromText(text, options)), how);

interface Example {
  readonly name: string;
  readonly class: AnomalyClass;
  readonly shapes: readonly Shape[];
  readonly text: string;
  /** The strongest levels that still hold. */
  readonly holds: readonly Level[];
}

const EXAMPLES: readonly Example[] = [
  {
    name: 'dirty write',
    class: 'G0',
    shapes: ['dirty write'],
    holds: [],
    text: `t1: w x ,0.0,1.1; w y ,0.0,2.2,1.2; commit
           t2: w x ,0.0,1.1,2.1; w y ,0.0,2.2; commit`,
  },
  {
    name: 'aborted read',
    class: 'G1a',
    shapes: ['dirty read'],
    holds: ['read-uncommitted'],
    text: 't1: w x ,0.0,1.1; rollback\nt2: r x ,0.0,1.1; commit\nt3: r x ,0.0; w x ,0.0,3.1; commit\nt4: r x ,0.0,3.1; commit',
  },
  {
    name: 'intermediate read',
    class: 'G1b',
    shapes: ['intermediate read'],
    holds: ['read-uncommitted'],
    text: 't1: w x ,0.0,1.1; w x ,0.0,1.1,1.2; commit\nt2: r x ,0.0,1.1; commit',
  },
  {
    name: 'circular information flow',
    class: 'G1c',
    shapes: ['circular information flow'],
    holds: ['read-uncommitted'],
    text: `t1: w x ,0.0,1.1; r y ,0.0,2.1; commit
           t2: w y ,0.0,2.1; r x ,0.0,1.1; commit`,
  },
  {
    name: 'lost update',
    class: 'G-single-item',
    shapes: ['lost update'],
    holds: ['monotonic-atomic-view'],
    text: `t1: r x ,0.0; w x ,0.0,2.1,1.1; commit
           t2: w x ,0.0,2.1; commit`,
  },
  {
    name: 'lost update with a third writer in between',
    class: 'G-single-item',
    shapes: ['lost update'],
    holds: ['monotonic-atomic-view'],
    text: `t1: r x ,0.0; w1; commit
           t2: w1; commit
           t3: w x ,0.0,2.1,3.1; commit
           t4: r x ,0.0,2.1,3.1,1.1; commit`,
  },
  {
    name: 'read-write skew',
    class: 'G-single-item',
    shapes: ['read-write skew'],
    holds: ['monotonic-atomic-view', 'cursor-stability'],
    text: `t1: r x ,0.0; w2; commit
           t2: w x ,0.0,2.1; w2; commit
           t3: r y ,0.0,2.2,1.2; commit`,
  },
  {
    name: 'read skew',
    class: 'G-single-item',
    shapes: ['read skew', 'fractured read'],
    holds: ['monotonic-atomic-view', 'cursor-stability'],
    text: `t1: r x ,0.0; r y ,0.0,2.2; commit
           t2: w x ,0.0,2.1; w y ,0.0,2.2; commit`,
  },
  {
    name: 'observed transaction vanishes',
    class: 'G-single-item',
    shapes: ['read skew', 'fractured read', 'observed transaction vanishes'],
    holds: ['cursor-stability'],
    text: `t1: r y ,0.0,2.2; r x ,0.0; commit
           t2: w x ,0.0,2.1; w y ,0.0,2.2; commit`,
  },
  {
    name: 'non-repeatable read',
    class: 'G-single-item',
    shapes: ['non-repeatable read'],
    holds: ['monotonic-atomic-view', 'cursor-stability'],
    text: `t1: r x ,0.0; r x ,0.0,2.1; commit
           t2: w x ,0.0,2.1; commit`,
  },
  {
    name: 'fractured read over a third writer',
    class: 'G-single-item',
    shapes: ['fractured read'],
    holds: ['monotonic-atomic-view', 'cursor-stability'],
    text: `t1: r y ,0.0; r x ,0.0,2.1; commit
           t2: w x ,0.0,2.1; w y ,0.0,3.1,2.2; commit
           t3: w y ,0.0,3.1; commit`,
  },
  {
    name: 'long fork',
    class: 'G-nonadjacent-item',
    shapes: ['long fork'],
    holds: ['consistent-view', 'cursor-stability'],
    text: `t1: w x ,0.0,1.1; commit
           t2: w y ,0.0,2.1; commit
           t3: r x ,0.0,1.1 y ,0.0; commit
           t4: r x ,0.0 y ,0.0,2.1; commit`,
  },
  {
    name: 'write skew',
    class: 'G2-item',
    shapes: ['write skew'],
    holds: ['snapshot-isolation'],
    text: `t1: r y ,0.0; w x ,0.0,1.1; commit
           t2: r x ,0.0; w y ,0.0,2.1; commit`,
  },
  {
    name: 'causality violation',
    class: 'G-single-item',
    shapes: ['causality violation'],
    holds: ['monotonic-atomic-view', 'cursor-stability'],
    text: `t1: w x ,0.0,1.1; commit
           t2: r x ,0.0,1.1; w y ,0.0,2.1; commit
           t3: r x ,0.0; r y ,0.0,2.1; commit`,
  },
  {
    name: 'read your writes',
    class: 'G-single-item-session',
    shapes: ['read your writes'],
    holds: ['serializable'],
    text: 't1@s1: w x ,0.0,1.1; commit\nt2@s1: r x ,0.0; commit',
  },
  {
    name: 'monotonic reads',
    class: 'G-single-item-session',
    shapes: ['causality violation', 'monotonic reads'],
    holds: ['serializable'],
    text: 't1: w x ,0.0,1.1; commit\nt2@s1: r x ,0.0,1.1; commit\nt3@s1: r x ,0.0; commit',
  },
  {
    name: 'monotonic writes',
    class: 'G0-session',
    shapes: ['monotonic writes'],
    holds: ['serializable'],
    text: 't1@s1: w1; commit\nt2@s1: w1; commit\nt3: r x 9,2.1,1.1; commit',
  },
  {
    name: 'writes follow reads',
    class: 'G1c-session',
    shapes: ['writes follow reads'],
    holds: ['serializable'],
    text: 't1: w1; commit\nt2@s1: r x ,0.0,3.1,1.1; commit\nt3@s1: w1; commit',
  },
  {
    name: 'stale read',
    class: 'G-single-item-realtime',
    shapes: ['stale read'],
    holds: ['serializable'],
    text: 't1[0-10]: w x ,0.0,1.1; commit\nt2[20-30]: r x ,0.0; commit',
  },
  { name: 'internal inconsistency', class: 'internal', shapes: [], holds: [], text: 't1: w x ,0.0,1.1; r x ,0.0; commit' },
  { name: 'fork', class: 'fork', shapes: [], holds: [], text: 't1: w x ,0.0,1.1; commit\nt2: w x ,0.0,2.1; commit' },
];

const ADYA: readonly Level[] = [
  'read-uncommitted',
  'read-committed',
  'monotonic-atomic-view',
  'cursor-stability',
  'consistent-view',
  'repeatable-read',
  'snapshot-isolation',
  'serializable',
  'strict-serializable',
];

describe('a minimal example of', () => {
  test.each(EXAMPLES)('$name', ({ class: name, shapes, text, holds }) => {
    const verdict = check(text);
    const found = verdict.anomalies.find((a) => a.class === name && shapes.every((shape) => a.shapes.includes(shape)));
    expect(found, JSON.stringify(verdict.anomalies.map((a) => [a.class, a.shapes]))).toBeDefined();
    expect(found!.shapes).toEqual(shapes);
    const standing = ADYA.filter((level) => !verdict.levels.some((answer) => answer.level === level && answer.answer === false));
    for (const level of holds) expect(standing).toContain(level);
    if (holds.length === 0) expect(standing).toEqual([]);
    for (const level of standing)
      expect(
        holds.some((held) => IMPLIED[held].includes(level)),
        `${level} was not said to hold`,
      ).toBe(true);
  });
});

/** Written out, so as not to test the lattice with itself. */
const IMPLIED: Readonly<Record<Level, readonly Level[]>> = (() => {
  const ru: Level[] = ['read-uncommitted'];
  const rc: Level[] = ['read-committed', ...ru];
  const mav: Level[] = ['monotonic-atomic-view', ...rc];
  const cs: Level[] = ['cursor-stability', ...rc];
  const cv: Level[] = ['consistent-view', ...mav];
  const rr: Level[] = ['repeatable-read', ...mav, ...cs];
  const si: Level[] = ['snapshot-isolation', ...cv, ...cs];
  const ser: Level[] = ['serializable', ...rr, ...si];
  return {
    'read-uncommitted': ru,
    'read-committed': rc,
    'monotonic-atomic-view': mav,
    'cursor-stability': cs,
    'consistent-view': cv,
    'repeatable-read': rr,
    'snapshot-isolation': si,
    serializable: ser,
    'strict-serializable': ['strict-serializable', ...ser],
    rc: [],
    ra: [],
    cc: [],
  };
})();

describe('what is reported', () => {
  const shapesIn = (verdict: Verdict): Shape[] => [...new Set(verdict.anomalies.flatMap((a) => a.shapes))];

  test('two transactions that show several shapes of one class are named for each', () => {
    const shapes = shapesIn(
      check(`
      t1: r x ,0.0 z ,0.0; r y ,0.0,2.2; w x ,0.0,2.1,1.1; commit
      t2: w x ,0.0,2.1; w y ,0.0,2.2; w z ,0.0,2.3; commit`),
    );
    for (const shape of ['lost update', 'read skew', 'non-repeatable read', 'fractured read', 'read-write skew'] as const)
      expect(shapes).toContain(shape);
  });

  test('one anomaly of each class per component, every pair with report all, one with report first', () => {
    const skew = (a: number, x: string, y: string): string =>
      `t${a}: r ${y} ,0.0; w ${x} ,0.0,${a}.1; commit\nt${a + 1}: r ${x} ,0.0; w ${y} ,0.0,${a + 1}.1; commit`;
    const apart = `${skew(1, 'a', 'b')}\n${skew(3, 'c', 'd')}`;
    expect(check(apart).anomalies).toHaveLength(2);
    expect(check(apart, {}, { report: 'first' }).anomalies).toHaveLength(1);
    expect(check(apart, {}, { report: 'first' }).levels).toEqual(check(apart).levels);
    const together = `t1: r x ,0.0; w y ,0.0,1.1; commit\nt2: r y ,0.0 z ,0.0; w x ,0.0,2.1; commit\nt3: r x ,0.0; w z ,0.0,3.1; commit`;
    expect(check(together).anomalies).toHaveLength(1);
    expect(check(together, {}, { report: 'all' }).anomalies).toHaveLength(2);
  });

  test('every step of a cycle is explained with its row and its two statements', () => {
    const [anomaly] = check('t1: r y ,0.0; w x ,0.0,1.1; commit\nt2: r x ,0.0; w y ,0.0,2.1; commit').anomalies;
    expect(anomaly!.cycle.map((step) => step.explanation)).toEqual([
      "T1's statement 1 (select) read version 0.0 of row r0.0_0 of t, whose direct successor 2.1 was installed by T2's statement 2 (update).",
      "T2's statement 1 (select) read version 0.0 of row r0.0_1 of t, whose direct successor 1.1 was installed by T1's statement 2 (update).",
    ]);
    expect(anomaly!.explanation).toBe('Write skew (G2-item): T1 -rw-> T2 -rw-> T1, so none of them can come first.');
    expect(anomaly!.statements).toHaveLength(4);
  });

  test('a read is tagged with its read point, and with what its transaction did before it', () => {
    const { anomalies } = check('t1: r x ,0.0; ru x ,0.0,2.1; commit\nt2: w z ,0.0,2.2; w x ,0.0,2.1; commit');
    expect(anomalies[0]!.cycle.map(({ rel, readPoint, afterWrite }) => [rel, readPoint, afterWrite])).toEqual([
      ['rw', 'snapshot', undefined],
      ['wr', 'current', undefined],
    ]);
    const late = check('t1: w z ,0.0,1.1; r x ,0.0; r x ,0.0,2.1; commit\nt2: w x ,0.0,2.1; commit').anomalies[0]!;
    expect(late.cycle.every((step) => step.afterWrite === true)).toBe(true);
  });

  test('real-time order is one step however long its chain', () => {
    const idle = Array.from({ length: 20 }, (_, i) => `t${i + 10}[${20 + i}-${20 + i}]: r z ,0.0; commit`).join('\n');
    const [anomaly] = check(`t1[0-10]: w x ,0.0,1.1; commit\n${idle}\nt2[100-110]: r x ,0.0; commit`).anomalies;
    expect(anomaly!.cycle.map((step) => step.rel).sort()).toEqual(['rt', 'rw']);
  });
});

describe('answers', () => {
  test('nothing committed, nothing in common: unknown with the reason', () => {
    expect(check('t1: w x ,0.0,1.1; rollback').levels[0]).toEqual({
      level: 'read-uncommitted',
      answer: 'unknown',
      code: 'nothing',
      reason: 'nothing to judge: no transaction committed',
    });
    expect(check('t1: w x ,0.0,1.1; commit\nt2: w y ,0.0,2.1; commit').levels.every(({ answer }) => answer === 'unknown')).toBe(true);
    expect(check('t1: w x ,0.0,1.1; commit\nt2: r x ,0.0,1.1; commit').levels.every(({ answer }) => answer === true)).toBe(true);
  });

  test('rc, ra and cc are answered only where they are certainly violated, or on request', () => {
    const text = 't1: r x ,0.0; w x ,0.0,2.1,1.1; commit\nt2: w x ,0.0,2.1; commit';
    expect(check(text).levels.map(({ level }) => level)).toEqual(ADYA);
    expect(check(text, {}, { levels: ['rc', 'cc'] }).levels.map(({ level, answer }) => [level, answer])).toEqual([
      ['rc', 'unknown'],
      ['cc', 'unknown'],
    ]);
    const dirty = check('t1: w x ,0.0,1.1; rollback\nt2: r x ,0.0,1.1; commit').levels;
    expect(dirty.filter(({ level }) => ['rc', 'ra', 'cc'].includes(level)).map(({ answer }) => answer)).toEqual([false, false, false]);
  });

  test('a cycle of reads and session order alone violates rc too', () => {
    const text = 't1@s1: r x ,0.0,2.1; commit\nt2@s1: w x ,0.0,2.1; commit';
    const [anomaly] = check(text).anomalies;
    expect(anomaly!.class).toBe('G1c-session');
    expect(anomaly!.levels).toEqual(['strict-serializable', 'rc', 'ra', 'cc']);
  });

  test('a search that ran out of budget answers unknown for the levels it could violate, never true', () => {
    const { text } = EXAMPLES.find(({ name }) => name === 'long fork')!;
    const levels = (budget?: number): readonly string[] =>
      check(text, {}, budget === undefined ? {} : { budget }).levels.map(
        ({ level, answer, reason }) => `${level} ${answer}${reason?.includes('budget') ? ' budget' : ''}`,
      );
    const weak = ['read-uncommitted', 'read-committed', 'monotonic-atomic-view', 'cursor-stability'].map((level) => `${level} true`);
    const strong = ['repeatable-read', 'snapshot-isolation', 'serializable', 'strict-serializable'];
    expect(levels()).toEqual([...weak, 'consistent-view true', ...strong.map((level) => `${level} false`)]);
    expect(levels(0)).toEqual([...weak, 'consistent-view unknown budget', ...strong.map((level) => `${level} unknown budget`)]);
  });

  test('snapshot isolation and repeatable read are incomparable', () => {
    const answers = (text: string): unknown =>
      check(text, {}, { levels: ['repeatable-read', 'snapshot-isolation'] }).levels.map(({ answer }) => answer);
    expect(answers('t1: r y ,0.0; w x ,0.0,1.1; commit\nt2: r x ,0.0; w y ,0.0,2.1; commit')).toEqual([false, true]);
  });
});

describe('fingerprints', () => {
  const prints = (text: string): string[] =>
    check(text)
      .anomalies.map((a: Anomaly) => a.fingerprint)
      .sort();

  test('do not depend on names, order or statements off the cycle', () => {
    const one = prints('t1: r y ,0.0; w x ,0.0,1.1; commit\nt2: r x ,0.0; w y ,0.0,2.1; commit');
    expect(one).toEqual(['G2-item|rw:select>update:snapshot:0|rw:select>update:snapshot:1']);
    expect(prints('t9: r a ,0.0; r b ,0.0; w c ,0.0,9.1; commit\nt4@s1: r c ,0.0; r a ,0.0; w b ,0.0,4.1; commit')).toEqual(one);
  });

  test('tell statement kinds, read points and shared rows apart', () => {
    const skew = prints('t1: r y ,0.0; w x ,0.0,1.1; commit\nt2: r x ,0.0; w y ,0.0,2.1; commit');
    expect(prints('t1: rs y ,0.0; w x ,0.0,1.1; commit\nt2: r x ,0.0; w y ,0.0,2.1; commit')).not.toEqual(skew);
    expect(prints('t1: r y ,0.0; d1 x ,0.0; commit\nt2: r x ,0.0; w y ,0.0,2.1; commit')).not.toEqual(skew);
    const repeat = prints('t1: r x ,0.0; r x ,0.0,2.1; commit\nt2: w x ,0.0,2.1; commit');
    expect(repeat).not.toEqual(prints('t1: r x ,0.0; r y ,0.0,2.2; commit\nt2: w x ,0.0,2.1; w y ,0.0,2.2; commit'));
  });
});
