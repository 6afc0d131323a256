import { expect, test } from 'vitest';
import type { Level } from '../../../../../core/level/index.ts';
import type { Dialect } from '../../../../../core/dialect/index.ts';
import type { TestCase, TxnPlan } from '../../../../../core/program/index.ts';
import type { Anomaly, CycleStep } from '../../../../../core/verdict/index.ts';
import { mysql, postgres, tidb } from '../../../../../dialects/index.ts';
import { judgeMixed, withLevels } from '../../../../../src/judge/assess/mixed-judgement.ts';
import { atMixedLevels, mixedLevels } from '../../../../../src/workload/mixed-levels.ts';
import { generateKeyValue } from '../../../../../schema-gen/index.ts';

const LOST: readonly CycleStep[] = [step(1, 2, 'ww'), step(2, 1, 'rw')];
const SKEW: readonly CycleStep[] = [step(1, 2, 'rw'), step(2, 1, 'rw')];

function step(from: number, to: number, rel: CycleStep['rel']): CycleStep {
  return { from, to, rel, explanation: '', ...(rel === 'rw' && { readPoint: 'snapshot' as const }) };
}

function anomalyOf(cycle: readonly CycleStep[]): Anomaly {
  const skew = cycle === SKEW;
  return {
    class: skew ? 'G2-item' : 'G-single-item',
    shapes: [skew ? 'write skew' : 'lost update'],
    levels: ['serializable'],
    cycle,
    transactions: [1, 2],
    statements: [],
    explanation: 'T1 and T2',
    fingerprint: '',
  };
}

function caseOf(levels: readonly Level[]): TestCase {
  const txn = (level: Level, t: number): TxnPlan => ({ id: t + 1, statements: [], end: 'commit', autocommit: false, level });
  return { seed: '1', schema: { tables: [] }, sessions: [{ transactions: levels.map(txn) }] };
}

function verdict(dialect: Dialect, cycle: readonly CycleStep[], levels: readonly Level[]): string {
  const round = { levels: mixedLevels(dialect), testCase: caseOf(levels) };
  return judgeMixed(anomalyOf(cycle), round, {}, dialect).verdict;
}

test.each([
  ['a lost update of two serializable ones', postgres, LOST, ['serializable', 'serializable'], 'bug'],
  ['a lost update beside REPEATABLE READ, which is snapshot isolation', postgres, LOST, ['serializable', 'repeatable-read'], 'bug'],
  ['a lost update beside READ COMMITTED', postgres, LOST, ['serializable', 'read-committed'], 'documented'],
  [
    'a write skew of two serializable ones, as others may stand between them',
    postgres,
    SKEW,
    ['serializable', 'serializable'],
    'documented',
  ],
  ['a write skew where what was read stays locked against all', mysql, SKEW, ['serializable', 'serializable'], 'bug'],
  ['a write skew beside READ COMMITTED', mysql, SKEW, ['serializable', 'read-committed'], 'documented'],
] as const)('%s: %#', (_, dialect, cycle, levels, expected) => {
  expect(verdict(dialect, cycle, levels)).toBe(expected);
});

test('an edge that is inferred rests on readers of any level, and so does what no transaction is named of', () => {
  const inferred = LOST.map((each) => (each.rel === 'ww' ? { ...each, inferred: true as const } : each));
  expect(verdict(postgres, inferred, ['serializable', 'serializable'])).toBe('documented');
  expect(verdict(postgres, LOST, ['serializable'])).toBe('documented');
});

test('the explanation names the level of each transaction', () => {
  const round = { levels: mixedLevels(postgres), testCase: caseOf(['serializable', 'read-committed']) };
  expect(withLevels(anomalyOf(LOST), round).explanation).toBe('T1 and T2. Levels: T1 serializable, T2 read-committed.');
});

test('levels are drawn by the seed, each of those that mean something beside others; a DBMS with less than two is refused', () => {
  const plain = generateKeyValue('7', { kind: 'general', mode: 'stress' });
  const levelled = atMixedLevels(plain, mixedLevels(postgres));
  const levels = levelled.sessions.flatMap(({ transactions }) => transactions.map(({ level }) => level));
  expect(new Set(levels)).toEqual(new Set(['read-committed', 'repeatable-read', 'serializable']));
  expect(atMixedLevels(plain, mixedLevels(postgres))).toEqual(levelled);
  expect(mixedLevels(mysql).map(({ level }) => level)).toEqual(['read-committed', 'serializable']);
  expect(() => mixedLevels(tidb)).toThrow(/--level mixed: of the levels of TiDB none is known/);
});
