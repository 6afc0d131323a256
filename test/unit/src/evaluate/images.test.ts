/** What the columns of a version held when it was written: said by the write, or shown by the final read, which may be too late. */
import { expect, test } from 'vitest';
import { HistoryBuilder } from '../../../../core/history/index.ts';
import type { Column } from '../../../../core/sql/index.ts';
import type { Image } from '../../../../core/history/index.ts';
import { rowImages } from '../../../../src/evaluate/images.ts';
import { eventsFromText, roundOf } from '../../history-text.ts';

const COLUMNS: readonly Column[] = ['k', 'up'].map((name) => ({ name, type: { kind: 'text' }, nullable: false }));

/** T1 writes x, and the final read shows what is in it; `written`: what the write returned. */
function altered(untracked: readonly string[], shown: Image, written?: Image): boolean | undefined {
  const builder = new HistoryBuilder(roundOf());
  for (const event of eventsFromText('t1: w x ,0.0,1.1; commit\nt9: z x ,0.0,1.1; commit')) {
    if (event.e === 'ok' && event.w !== undefined && written !== undefined) builder.add({ ...event, i: [written] });
    else if (event.e === 'ok' && event.r !== undefined) builder.add({ ...event, result: [shown] });
    else builder.add(event);
  }
  const [version, ...more] = rowImages(builder.finish(), 't', COLUMNS, new Set(untracked)).versions;
  expect({ txn: version?.txn, seq: version?.seq, more }).toEqual({ txn: 1, seq: 1, more: [] });
  return version?.altered ?? false;
}

test('a version that the final read alone shows may have been changed by a foreign key before that', () => {
  expect(altered(['up'], ['a', 'default'])).toBe(true);
});

test('nothing but a foreign key changes it in silence', () => {
  expect(altered([], ['a', 'b'])).toBe(false);
});

test('one that its write described is as it was, or is seen to have changed', () => {
  expect(altered(['up'], ['a', 'b'], ['a', 'b'])).toBe(false);
  expect(altered(['up'], ['a', 'default'], ['a', 'b'])).toBe(true);
});
