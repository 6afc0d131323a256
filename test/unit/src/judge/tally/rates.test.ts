// Rates of a level: what is counted while transactions run, and a bounded number of samples.
import { describe, expect, it } from 'vitest';
import { MOST_SAMPLES, RateMeter } from '../../../../../src/judge/tally/rates.ts';
import { played } from '../assess/key-value/simulate.ts';

describe('rates', () => {
  const history = played([{ ops: 'r1=0' }, { ops: 'r1=0' }, { ops: 'r1=0', outcome: 'aborted' }, { ops: 'r1=0', outcome: 'unknown' }]);
  const { beginAt, endAt } = history.transactions;
  const from = Math.min(...beginAt.filter((at) => !Number.isNaN(at)));
  const to = Math.max(...endAt.filter((at) => !Number.isNaN(at)));
  /** The same round with a clock of so many seconds. */
  const lasting = (seconds: number, start: number): typeof history => {
    const at = (time: number): number => (start + ((time - from) / (to - from)) * seconds) * 1e9;
    return { ...history, transactions: { ...history.transactions, beginAt: beginAt.map(at), endAt: endAt.map(at) } };
  };

  it('say commits per second while transactions ran, the share without a commit, and the longest wait for a verdict', () => {
    const meter = new RateMeter();
    expect(meter.rates()).toBeUndefined();
    meter.round(lasting(2, 10), 12.5e9);
    meter.round(lasting(2, 20), 23e9);
    expect(meter.rates()).toEqual({
      commitsPerSecond: 1,
      abortRate: 0.5,
      verdictSeconds: 1,
      samples: [
        { atSeconds: 12, commitsPerSecond: 1, abortRate: 0.5 },
        { atSeconds: 22, commitsPerSecond: 1, abortRate: 0.5 },
      ],
    });
  });

  it('count a round in which nothing committed', () => {
    const meter = new RateMeter();
    meter.round(
      played([
        { ops: 'r1=0', outcome: 'aborted' },
        { ops: 'r1=0', outcome: 'aborted' },
      ]),
      1e9,
    );
    expect(meter.rates()).toMatchObject({
      commitsPerSecond: 0,
      abortRate: 1,
      verdictSeconds: 0,
      samples: [{ commitsPerSecond: 0, abortRate: 1 }],
    });
    meter.round(lasting(2, 10), 13e9);
    expect(meter.rates()).toMatchObject({ abortRate: 0.667, verdictSeconds: 1 });
    expect(meter.rates()!.samples.every(({ atSeconds }) => Number.isFinite(atSeconds))).toBe(true);
  });

  it('keep a bounded number of samples, whose last is of the last round', () => {
    const meter = new RateMeter();
    for (let i = 0; i < 1000; i++) meter.round(lasting(0.5, i), (i + 1) * 1e9);
    const { samples, commitsPerSecond } = meter.rates()!;
    expect(samples.length).toBeLessThanOrEqual(MOST_SAMPLES);
    expect(samples.length).toBeGreaterThan(MOST_SAMPLES / 4);
    expect(samples.at(-1)!.atSeconds).toBe(999.5);
    expect(commitsPerSecond).toBe(4);
    expect(samples.every((sample) => sample.commitsPerSecond === 4)).toBe(true);
  });
});
