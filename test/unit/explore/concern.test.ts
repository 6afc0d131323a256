/** How much transactions change for one another, by what each comes to in every serial order. */
import { describe, expect, it } from 'vitest';
import { DECIDES, concernOf } from '../../../src/explore/concern.ts';
import type { Outcome, TxnResult } from '../../../src/explore/outcome.ts';

const done = (affected: number, ...rows: readonly string[]): TxnResult => ({
  end: 'committed',
  replies: [{ rows: rows.map((value) => [value]), affected: affected + rows.length }],
});
const stopped: TxnResult = { end: 'aborted', replies: [{ rows: [], affected: 0, stops: 'rollback' }] };
const of = (first: readonly TxnResult[], second: readonly TxnResult[], n = ['1', '1']): number =>
  concernOf([first, second].map((transactions, i): Outcome => ({ transactions, state: { t: [[n[i]!]] } })));

describe('the concern of transactions for one another', () => {
  it('is none where each does the same in every order', () => {
    expect(of([done(1), done(0, '5')], [done(1), done(0, '5')])).toBe(0);
  });

  it('is more where one writes other rows than where it reads them, and most where it comes to another end', () => {
    const reads = of([done(1), done(0, '5')], [done(1), done(0, '6')]);
    const writes = of([done(1), done(1)], [done(1), done(0)]);
    const ends = of([done(1), done(1)], [done(1), stopped]);
    expect([reads > 0, writes > reads, ends > writes]).toEqual([true, true, true]);
    expect([reads < DECIDES, writes < DECIDES, ends >= DECIDES]).toEqual([true, true, true]);
  });

  it('is more where both change for one another than where one does', () => {
    expect(of([done(1), stopped], [stopped, done(1)])).toBeGreaterThan(of([done(1), stopped], [done(1), done(1)]));
  });

  it('is of the rows that are left too, in whichever order they come', () => {
    expect(of([done(1), done(1)], [done(1), done(1)], ['1', '2'])).toBeGreaterThan(0);
  });

  it('tells an error in a transaction that goes on from none', () => {
    const failed: TxnResult = {
      end: 'committed',
      replies: [{ rows: [], affected: 0, error: { class: 'constraint', code: '23505', message: '' } }],
    };
    expect(of([done(1), done(0)], [done(1), failed])).toBeGreaterThanOrEqual(DECIDES);
  });
});
