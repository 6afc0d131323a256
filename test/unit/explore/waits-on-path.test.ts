import { expect, it } from 'vitest';
import { WaitsOnPath } from '../../../src/explore/waits-on-path.ts';

it('knows what followed the same steps in an earlier run, and nothing of others', () => {
  const waits = new WaitsOnPath();
  waits.beginRun();
  expect(waits.step(0)).toBeUndefined();
  waits.followed('reply');
  expect(waits.step(1)).toBeUndefined();
  waits.followed('wait');
  waits.beginRun();
  expect([waits.step(0), waits.step(1), waits.step(0)]).toEqual(['reply', 'wait', undefined]);
  waits.beginRun();
  expect([waits.step(1), waits.step(0)]).toEqual([undefined, undefined]);
});

it('keeps what followed last', () => {
  const waits = new WaitsOnPath();
  for (const followed of ['wait', 'reply'] as const) {
    waits.beginRun();
    waits.step(0);
    waits.followed(followed);
  }
  waits.beginRun();
  expect(waits.step(0)).toBe('reply');
});
