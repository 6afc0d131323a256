import { describe, expect, it } from 'vitest';
import { UsageError, check } from '../../../src/index.ts';
import type { Answer, Level } from '../../../src/index.ts';

const read = (key: number, value: number | null): { kind: 'read'; key: number; value: number | null } => ({ kind: 'read', key, value });
const write = (key: number, value: number): { kind: 'write'; key: number; value: number } => ({ kind: 'write', key, value });

describe('the library', () => {
  it('answers every level of a serial history with true', () => {
    const { levels, anomalies } = check({ sessions: [[{ ops: [read(1, 0), write(1, 1)] }], [{ ops: [read(1, 1), write(1, 2)] }]] });
    expect(levels).toEqual({ rc: true, ra: true, cc: true, 'snapshot-isolation': true, serializable: true });
    expect(anomalies).toEqual([]);
  });

  it('finds a lost update, which causal consistency allows and snapshot isolation forbids', () => {
    const { levels, anomalies } = check({ sessions: [[{ ops: [read(1, 0), write(1, 1)] }], [{ ops: [read(1, null), write(1, 2)] }]] });
    expect(levels).toEqual({ rc: true, ra: true, cc: true, 'snapshot-isolation': false, serializable: false });
    expect(anomalies.map((anomaly) => anomaly.name)).toContain('LostUpdate');
  });

  it('uses the times for strict serializability', () => {
    const stale = { sessions: [[{ ops: [write(1, 1)], beginAt: 0, endAt: 10 }], [{ ops: [read(1, 0)], beginAt: 20, endAt: 30 }]] };
    expect(check(stale, { levels: ['serializable', 'strict-serializable'] }).levels).toEqual({
      serializable: true,
      'strict-serializable': false,
    });
  });

  it('answers each transaction at its own level where levels are named', () => {
    const skew = (one: Level, other: Level): Answer | undefined =>
      check({ sessions: [[{ level: one, ops: [read(1, 0), write(2, 1)] }], [{ level: other, ops: [read(2, 0), write(1, 1)] }]] }).levels
        .own;
    expect([skew('serializable', 'serializable'), skew('serializable', 'read-committed')]).toEqual([false, true]);
    expect(() => skew('serialisable' as Level, 'rc')).toThrow('session 0, transaction 0: got level "serialisable"');
  });

  it('refuses what is no 64-bit integer, with its place', () => {
    expect(() => check({ sessions: [[{ ops: [read(1, 0.5)] }]] })).toThrow(UsageError);
    expect(() => check({ sessions: [[{ ops: [read(1, 0.5)] }]] })).toThrow('session 0, transaction 0, operation 0');
  });
});
