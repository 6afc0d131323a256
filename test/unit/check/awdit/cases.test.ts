import { describe, expect, it } from 'vitest';
import { KvHistoryBuilder, checkAwdit, checkAwditLevels, parsePlume } from '../../../../check/index.ts';
import type { AwditLevel } from '../../../../core/level/index.ts';
import { TXN_STATUS } from '../../../../core/base/index.ts';
import type { KvHistory } from '../../../../core/kv/index.ts';

const LEVELS = ['rc', 'ra', 'cc'] as const;

function plume(text: string): KvHistory {
  const bytes = new TextEncoder().encode(text.trim().split(/\s+/).join('\n') + '\n');
  let at = 0;
  return parsePlume((buffer) => {
    const part = bytes.subarray(at, at + buffer.length);
    buffer.set(part);
    at += part.length;
    return part.length;
  });
}

function verdicts(history: KvHistory): string {
  return checkAwditLevels(history, LEVELS)
    .map(({ answer }) => (answer === 'unknown' ? '?' : answer ? 'T' : 'F'))
    .join('');
}

function names(history: KvHistory, level: AwditLevel): readonly string[] {
  return checkAwdit(history, level).anomalies.map((anomaly) => anomaly.name);
}

describe('what AWDIT itself gets wrong', () => {
  it('a reader with three reads of one writer in a row still violates READ COMMITTED (line 19 of Algorithm 1)', () => {
    const history = plume('w(1,1,0,0) w(2,2,0,1) w(1,2,0,1) r(2,2,1,2) r(1,2,1,2) r(1,2,1,2) r(1,1,1,2)');
    expect(verdicts(history)).toBe('FFF');
    expect(names(history, 'rc')).toEqual(['NonMonotonicRead']);
  });

  it('the same with more reads than are compared pairwise', () => {
    const filler = Array.from({ length: 40 }, (_, i) => `r(${100 + i},0,1,2)`).join(' ');
    expect(verdicts(plume(`w(1,1,0,0) w(2,2,0,1) w(1,2,0,1) r(2,2,1,2) r(1,2,1,2) ${filler} r(1,2,1,2) r(1,1,1,2)`))).toBe('FFF');
  });

  it('the initial transaction comes first: a session that wrote a key cannot read its initial value', () => {
    expect(verdicts(plume('w(0,1,0,0) r(0,0,0,1)'))).toBe('TFF');
  });

  it('one session of 262,144 transactions does not overflow a stack, even on a cycle', () => {
    const builder = new KvHistoryBuilder('zero');
    const session = builder.session('only');
    for (let i = 0; i < 262_144; i++) {
      const t = builder.txn(session);
      builder.read(t, 0, i);
      builder.write(t, 0, i + 1);
    }
    const other = builder.txn(builder.session('other'));
    builder.read(other, 0, 262_144);
    builder.read(other, 0, 1);
    expect(verdicts(builder.finish())).toBe('FFF');
  });

  it('the causal check keeps no edge per read and session: 200 sessions that all see each other', () => {
    const builder = new KvHistoryBuilder('zero');
    let value = 0;
    for (let round = 0; round < 60; round++) {
      for (let s = 0; s < 200; s++) {
        const t = builder.txn(builder.session(`s${s}`));
        builder.read(t, s % 5, round === 0 && s < 5 ? 0 : value - 4);
        builder.write(t, s % 5, ++value);
      }
    }
    expect(checkAwdit(builder.finish(), 'cc').answer).toBe(true);
  });
});

describe('Read Consistency', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['ThinAirRead', 'r(1,9,1,1)'],
    ['AbortedRead', 'w(1,1,1,-1) r(1,1,2,2)'],
    ['IntermediateRead', 'w(1,1,1,1) w(1,2,1,1) r(1,1,2,2)'],
    ['FutureRead', 'r(1,1,1,1) w(1,1,1,1)'],
    ['NotMyOwnWrite', 'w(1,1,1,1) r(1,0,1,1)'],
    ['NotMyOwnWrite', 'w(1,5,2,2) w(1,1,1,1) r(1,5,1,1)'],
    ['NotMyLastWrite', 'w(1,1,1,1) w(1,2,1,1) r(1,1,1,1)'],
  ];
  for (const [name, text] of cases) {
    it(`${name}: ${text}`, () => {
      const history = plume(text);
      for (const level of LEVELS) expect(names(history, level)).toEqual([name]);
    });
  }

  it('every failing read is reported, is left out, and the check goes on', () => {
    const history = plume('r(1,9,1,1) r(2,8,1,1) w(3,1,2,2) w(3,2,2,3) w(4,2,2,3) r(4,2,3,4) r(3,1,3,4)');
    expect(names(history, 'rc')).toEqual(['ThinAirRead', 'ThinAirRead', 'NonMonotonicRead']);
    expect(checkAwdit(history, 'rc', { report: 'class' }).anomalies.map((anomaly) => anomaly.name)).toEqual([
      'ThinAirRead',
      'NonMonotonicRead',
    ]);
    expect(checkAwdit(history, 'rc', { report: 'class' }).more).toEqual({ ThinAirRead: 1 });
    expect(names(history, 'rc').length).toBe(3);
    expect(checkAwdit(history, 'rc', { report: 'first' }).anomalies.length).toBe(1);
  });

  it('after a causality cycle rc and ra go on and cc stops', () => {
    const history = plume('r(1,1,1,1) w(2,1,1,1) r(2,1,2,2) w(1,1,2,2) w(3,1,3,3) r(3,0,3,4)');
    expect(names(history, 'rc')).toEqual(['CyclicCO']);
    expect(names(history, 'ra')).toEqual(['CyclicCO', 'SessionGuaranteeViolation']);
    expect(names(history, 'cc')).toEqual(['CyclicCO']);
  });

  it('a key that a committed transaction leaves at 0 has no implicit 0, any other has', () => {
    expect(verdicts(plume('w(1,0,1,1) r(1,0,2,2)'))).toBe('TTT');
    expect(verdicts(plume('w(1,5,2,2) r(1,0,2,3) w(1,0,1,1)'))).toBe('TTT');
    for (const values of ['', 'w(9,123456789012,9,9)']) {
      for (const text of ['w(1,0,1,-1) r(1,0,2,2)', 'w(1,0,1,1) w(1,5,1,1) r(1,0,2,2)', 'r(1,0,1,1) w(1,0,1,1)'])
        expect(verdicts(plume(`${text} ${values}`)), text).toBe('TTT');
      expect(verdicts(plume(`w(1,5,1,1) r(1,0,1,1) w(1,0,2,-1) ${values}`))).toBe('FFF');
      expect(verdicts(plume(`w(1,5,2,1) w(1,0,1,-1) r(1,0,2,2) ${values}`))).toBe('TFF');
    }
  });

  it('without initial values, a read of an unwritten 0 is thin air and a read of nothing is not', () => {
    const builder = new KvHistoryBuilder('none');
    const t = builder.txn(builder.session('s'));
    builder.readInitial(t, 1);
    expect(verdicts(builder.finish())).toBe('TTT');
    builder.read(t, 2, 0);
    expect(names(builder.finish(), 'rc')).toEqual(['ThinAirRead']);
  });

  it('a value written twice: unknown when committed transactions did and somebody reads it, else no matter', () => {
    expect(verdicts(plume('w(1,7,1,1) w(1,7,2,2) r(1,7,3,3)'))).toBe('???');
    expect(checkAwdit(plume('w(1,7,1,1) w(1,7,2,2) r(1,7,3,3)'), 'rc').reason).toMatch(/1 reads return a value that several/);
    expect(verdicts(plume('w(1,7,1,1) w(1,7,2,2) r(1,0,3,3)'))).toBe('TTT');
    expect(verdicts(plume('w(1,7,1,-1) w(1,7,2,2) r(1,7,3,3)'))).toBe('TTT');
    expect(verdicts(plume('w(1,7,1,1) w(1,7,1,1) r(1,7,3,3)'))).toBe('TTT');
    expect(verdicts(plume('w(1,7,1,1) w(1,7,2,2) r(1,7,3,3) r(2,9,3,3)'))).toBe('FFF');
  });

  it('an unknown outcome counts as committed once its write was read', () => {
    const history = (read: number): KvHistory => {
      const builder = new KvHistoryBuilder('zero');
      const unknown = builder.txn(builder.session('a'), 'u', TXN_STATUS.unknown);
      builder.write(unknown, 1, 1);
      builder.read(unknown, 2, 99); // thin air, if it committed
      builder.read(builder.txn(builder.session('b')), 1, read);
      return builder.finish();
    };
    expect(verdicts(history(0))).toBe('TTT');
    expect(verdicts(history(1))).toBe('FFF');
  });
});

describe('memory', () => {
  it('too little makes every answer unknown and says how much is needed', () => {
    const history = plume('w(1,1,1,1) r(1,1,2,2)');
    for (const verdict of checkAwditLevels(history, LEVELS, { maxMegabytes: 0 })) {
      expect(verdict.answer).toBe('unknown');
      expect(verdict.reason).toMatch(/needs \d+ MB/);
    }
  });
});

describe('the causal check on hot keys', () => {
  /** Session A writes x 4,000 times; B hears of A's fifth write only, and reads x from C again and again. */
  function hot(broken: boolean): KvHistory {
    const builder = new KvHistoryBuilder('zero');
    const [a, b, c] = [builder.session('A'), builder.session('B'), builder.session('C')];
    const [x, y, z, u] = [0, 1, 2, 3];
    const c1 = builder.txn(c);
    builder.write(c1, x, 1_000_000);
    builder.write(c1, z, 1_000_001);
    for (let i = 1; i <= 4000; i++) {
      const t = builder.txn(a);
      builder.write(t, x, i);
      if (i === 5) builder.write(t, y, 1_000_002);
      if (i === 9) builder.read(t, z, 1_000_001); // from here on A follows C
      if (i === 10) builder.write(t, u, 1_000_003);
    }
    for (let i = 0; i < 100; i++) {
      const t = builder.txn(b);
      builder.read(t, y, 1_000_002);
      builder.read(t, x, 1_000_000);
    }
    const last = builder.txn(b);
    if (broken) builder.read(last, u, 1_000_003);
    builder.read(last, x, 1_000_000);
    return builder.finish();
  }

  it('goes on by binary search where walks would take too long, with the same verdicts', () => {
    expect(verdicts(hot(false))).toBe('TTT');
    expect(checkAwdit(hot(true), 'cc').answer).toBe(false);
  });
});
