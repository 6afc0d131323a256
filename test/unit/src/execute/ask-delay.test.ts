import { describe, expect, it } from 'vitest';
import { AskDelay } from '../../../../src/execute/ask-delay.ts';

function delayOf(replies: readonly number[], questions: readonly number[] = []): AskDelay {
  const delay = new AskDelay();
  for (const ms of replies) delay.replied(ms);
  for (const ms of questions) delay.answered(ms);
  return delay;
}

describe('the time before the server is asked who waits', () => {
  it('is one millisecond where replies are quick, and before the first one', () => {
    expect(delayOf([]).ms()).toBe(1);
    expect(delayOf([0.1, 0.2, 0.3], [0.4]).ms()).toBe(1);
  });

  it('is a multiple of the median reply time, which one slow reply does not change', () => {
    expect(delayOf([4, 4, 4]).ms()).toBe(12);
    expect(delayOf([4, 4, 9_000, 4]).ms()).toBe(12);
  });

  it('is no shorter than a question takes', () => {
    expect(delayOf([0.2], [30]).ms()).toBe(30);
  });

  it('follows the last replies', () => {
    const quick = Array.from({ length: 31 }, () => 0.1);
    expect(delayOf([...Array.from({ length: 100 }, () => 10), ...quick]).ms()).toBe(1);
  });

  it('has a bound', () => {
    expect(delayOf([600_000], [600_000]).ms()).toBe(50);
    expect(delayOf([10]).ms('reply')).toBe(50);
  });

  it('is shortest where a wait is expected, and longer where a reply is', () => {
    const delay = delayOf([2]);
    expect([delay.ms('wait'), delay.ms(), delay.ms('reply')]).toEqual([1, 6, 24]);
  });
});
