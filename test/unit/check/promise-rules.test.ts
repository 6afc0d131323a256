/** Which rows of a promise table apply to a cycle, one condition each, on cycles written out. */
import { describe, expect, test } from 'vitest';
import { judge } from '../../../check/index.ts';
import type { PromiseRow } from '../../../core/level/index.ts';
import type { Anomaly, CycleStep } from '../../../core/verdict/index.ts';

const ROW = {
  level: 'repeatable-read',
  classes: ['G-single'],
  says: 'so',
  source: 'a document',
  version: '1',
  date: '2026-01-01',
} as const;

type Step = Pick<CycleStep, 'rel'> & Partial<CycleStep>;

function anomaly(steps: readonly Step[], shapes: Anomaly['shapes'] = []): Anomaly {
  const cycle = steps.map((step, i): CycleStep => ({ from: i + 1, to: ((i + 1) % steps.length) + 1, explanation: '', ...step }));
  return { class: 'G-single', shapes, levels: [], transactions: [], statements: [], cycle, explanation: '', fingerprint: '' };
}

const applies = (when: NonNullable<PromiseRow['when']>, ...steps: readonly Step[]): boolean =>
  judge(anomaly(steps), 'repeatable-read', {}, [{ ...ROW, when, verdict: 'bug' }]).verdict === 'bug';

const rw: Step = { rel: 'rw', readPoint: 'snapshot', fromStatement: 1, toStatement: 11 };
const wr: Step = { rel: 'wr', readPoint: 'snapshot', fromStatement: 12, toStatement: 1 };
const ww: Step = { rel: 'ww', fromStatement: 11, toStatement: 12 };
const current = (step: Step): Step => ({ ...step, readPoint: 'current' });

describe('snapshot reads only', () => {
  const only = (...steps: readonly Step[]): boolean => {
    const yes = applies('snapshot reads only', ...steps);
    expect(applies('a current read or write', ...steps)).toBe(!yes);
    return yes;
  };

  test('every read is a plain one with nothing of its transaction before it', () => {
    expect(only(rw, wr)).toBe(true);
    expect(only(rw, current(wr))).toBe(false);
    expect(only({ ...rw, afterWrite: true }, wr)).toBe(false);
  });

  test('no reader is entered by its own write, wherever the cycle is said to begin', () => {
    expect(only(rw, ww)).toBe(false);
    expect(only(ww, rw)).toBe(false);
    expect(only({ ...rw, rel: 'rwp' }, ww)).toBe(false);
    expect(only(rw, ww, wr)).toBe(true);
  });

  test('there is a read', () => {
    expect(only(ww, ww)).toBe(false);
  });

  test('an order that was inferred rests on reads', () => {
    expect(only(rw, { ...ww, inferred: true, readPoint: 'current' }, wr)).toBe(false);
    expect(only(rw, { ...ww, inferred: true, readPoint: 'snapshot' }, wr)).toBe(true);
  });
});

describe('one plain SELECT', () => {
  const one = (...steps: readonly Step[]): boolean => applies('one plain SELECT', ...steps);

  test('has read the old side and the new one, by rows or by conditions', () => {
    expect(one(rw, wr)).toBe(true);
    expect(one(rw, ww, { ...wr, rel: 'wrp' })).toBe(true);
    expect(one({ ...rw, rel: 'rwp' }, wr)).toBe(true);
  });

  test('not two of them', () => {
    expect(one(rw, { ...wr, toStatement: 2 })).toBe(false);
    expect(one({ ...rw, rel: 'rwp', fromStatement: 2 }, wr)).toBe(false);
  });

  test('not one that is not known', () => {
    const { fromStatement: _, ...from } = rw;
    const { toStatement: __, ...to } = wr;
    expect(one(from, to)).toBe(false);
  });

  test('not one that locks, on either side', () => {
    expect(one(current(rw), wr)).toBe(false);
    expect(one(rw, current(wr))).toBe(false);
  });

  test('not where the reader came in by a write or by an order of sessions', () => {
    expect(one(rw, { ...ww, toStatement: 1, readPoint: 'snapshot' })).toBe(false);
    expect(one(rw, { rel: 'so', toStatement: 1, readPoint: 'snapshot' })).toBe(false);
  });

  test('and not where nobody read an old side', () => {
    expect(one(wr, ww)).toBe(false);
  });
});

describe('other conditions', () => {
  test('locking reads only: every read is current, none has queries within, and there is one', () => {
    expect(applies('locking reads only', current(rw), current(wr))).toBe(true);
    expect(applies('locking reads only', current(rw), wr)).toBe(false);
    expect(applies('locking reads only', { ...current(rw), inner: 'transaction' }, current(wr))).toBe(false);
    expect(applies('locking reads only', ww, ww)).toBe(false);
  });

  test('compare-and-sets only: every read is one, and there is one', () => {
    const set = { ...current(rw), compareAndSet: true } as const;
    expect(applies('compare-and-sets only', set, ww)).toBe(true);
    expect(applies('compare-and-sets only', set, wr)).toBe(false);
    expect(applies('compare-and-sets only', ww, ww)).toBe(false);
  });

  test('an autocommit locking SELECT with a subquery: not one within a transaction', () => {
    const when = 'an autocommit locking SELECT with a subquery';
    expect(applies(when, { ...current(rw), inner: 'autocommit' }, wr)).toBe(true);
    expect(applies(when, { ...current(rw), inner: 'transaction' }, wr)).toBe(false);
  });
});

describe('of several rows', () => {
  const skew = anomaly([rw, wr], ['read skew']);
  const verdict = (rows: readonly PromiseRow[], configuration: Readonly<Record<string, string>> = {}): string =>
    judge(skew, 'repeatable-read', configuration, rows).verdict;
  const bug: PromiseRow = { ...ROW, verdict: 'bug' };
  const documented: PromiseRow = { ...ROW, verdict: 'documented' };

  test('one applies that names any of the shapes, and every one of the settings', () => {
    expect(verdict([{ ...bug, shapes: ['lost update', 'read skew'] }])).toBe('bug');
    expect(verdict([{ ...bug, shapes: ['lost update'] }])).toBe('undocumented');
    expect(verdict([{ ...bug, configuration: { a: 'ON', b: 'ON' } }], { a: 'ON', b: 'OFF' })).toBe('undocumented');
    expect(verdict([{ ...bug, configuration: { a: 'ON', b: 'ON' } }], { a: 'ON', b: 'ON' })).toBe('bug');
  });

  test('the one that says more wins, whether by a shape, a read point or a setting, whatever it says', () => {
    for (const more of [{ shapes: ['read skew'] }, { when: 'snapshot reads only' }, { configuration: { a: 'ON' } }] as const) {
      for (const rows of [
        [bug, { ...documented, ...more }],
        [{ ...documented, ...more }, bug],
      ])
        expect(verdict(rows, { a: 'ON' })).toBe('documented');
      const two: PromiseRow = { ...ROW, ...more, verdict: 'undocumented', configuration: { a: 'ON', b: 'ON' } };
      for (const rows of [
        [{ ...bug, ...more }, two],
        [two, { ...bug, ...more }],
      ])
        expect(verdict(rows, { a: 'ON', b: 'ON' })).toBe('undocumented');
    }
  });

  test('of those that say as much the one that rules it out wins, and of equal ones the first is cited', () => {
    for (const rows of [
      [bug, documented],
      [documented, bug],
    ])
      expect(verdict(rows)).toBe('bug');
    const [first, second] = [
      { ...bug, source: 'the first' },
      { ...bug, source: 'the second' },
    ];
    expect(judge(skew, 'repeatable-read', {}, [first, second]).row).toBe(first);
  });
});
