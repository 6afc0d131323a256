/**
 * What only longer histories reach: looks that pass so many versions of a key that they ask session by session, and orders
 * that are mended in parts after decisions. Few sessions that write few keys often; the search, which knows neither,
 * answers the same.
 */
import { describe, expect, test } from 'vitest';
import { KvHistoryBuilder, checkSearch, checkSolver, generateKv } from '../../../../check/index.ts';
import type { StrongLevel } from '../../../../core/level/index.ts';
import type { KvHistory, SolveNumbers } from '../../../../core/kv/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';

const LEVELS: readonly StrongLevel[] = ['snapshot-isolation', 'serializable'];

function numbersOf(
  history: KvHistory,
  level: StrongLevel,
  maxMegabytes?: number,
): { readonly answer: unknown; readonly numbers: SolveNumbers } {
  const all: SolveNumbers[] = [];
  const { answer } = checkSolver(history, level, {
    solved: (numbers) => all.push(numbers),
    ...(maxMegabytes !== undefined && { maxMegabytes, witnessWork: 1 }),
  });
  return { answer, numbers: all[0]! };
}

/** Two sessions; one writes key 1 over and over, and after that each writes a key of its own: `text` says what is read of whom. */
function afterMany(writes: number, rest: readonly (readonly [session: string, ops: string])[]): KvHistory {
  const builder = new KvHistoryBuilder('zero');
  let now = 0;
  const add = (session: string, ops: string): void => {
    const t = builder.txn(builder.session(session), `${session}: ${ops}`);
    // the first order that is tried is that of the times
    builder.setTimes(t, ++now, ++now);
    for (const op of ops.split(' ')) {
      const [key = 0, value = 0] = op.slice(1).split('=').map(Number);
      if (op.startsWith('w')) builder.write(t, key, value);
      else builder.read(t, key, value);
    }
  };
  for (let i = 1; i <= writes; i++) add('a', `w1=${i}`);
  for (const [session, ops] of rest) add(session, ops);
  return builder.finish();
}

describe('a long walk back over the versions of a key', () => {
  // b has read what a wrote last (key 2), but of key 1 what a wrote first: all that came between is in its past
  const stale = (read: number): KvHistory =>
    afterMany(200, [
      ['a', 'w2=1'],
      ['b', `r2=1 r1=${read}`],
    ]);

  test.each(LEVELS)('a reader of an old version, with the new ones in its past, violates %s without a decision', (level) => {
    for (const [read, expected] of [
      [200, true],
      [199, false],
      [1, false],
      [0, false],
    ] as const) {
      const { answer, numbers } = numbersOf(stale(read), level);
      expect([read, answer, numbers.variables]).toEqual([read, expected, 0]);
    }
  });

  // many blind writers that are in nobody's past stand between the two in every order of the list
  const between = (read: number): KvHistory =>
    afterMany(1, [
      ['a', 'w2=1'],
      ...Array.from({ length: 60 }, (_, i) => ['c', `w1=${1000 + i}`] as const),
      ['b', `r2=1 w1=5000`],
      ['b', 'w3=1'],
      ['d', `r3=1 r1=${read}`],
    ]);

  test.each(LEVELS)('the last writer in the past is found behind many that are not: %s', (level) => {
    for (const [read, expected] of [
      [5000, true],
      [1000, true],
      [1059, true],
      [1, false],
      [0, false],
    ] as const) {
      const { answer, numbers } = numbersOf(between(read), level);
      expect([read, answer]).toEqual([read, expected]);
      if (!expected) expect([read, numbers.variables, numbers.rounds]).toEqual([read, 0, 1]);
    }
  });

  test('the readers of what the last writer in the past wrote come first, behind many that are not in it', () => {
    // d overwrites what a wrote, which it knows, and b read; and b overwrites what d read
    const skew = afterMany(1, [
      ['a', 'w2=1'],
      ...Array.from({ length: 60 }, (_, i) => ['c', `w1=${1000 + i}`] as const),
      ['b', 'r1=1 w6=1'],
      ['d', 'r2=1 r6=0 w1=5000'],
    ]);
    const { answer, numbers } = numbersOf(skew, 'serializable');
    expect([answer, numbers.variables, numbers.rounds]).toEqual([false, 0, 1]);
    expect(checkSolver(skew, 'snapshot-isolation').answer).toBe(true);
  });
});

test('histories of many sessions on few keys: the search says the same where it knows, decisions were needed, and without clocks are enough', () => {
  const seen = { true: 0, false: 0, searched: 0, decisions: 0, conflicts: 0, alone: 0 };
  for (let i = 0; i < 60; i++) {
    const isolation = i % 2 === 0 ? 'snapshot' : 'serial';
    const history = generateKv(
      { kind: 'general', sessions: 6 + (i % 5) * 2, transactions: 100 + (i % 3) * 50, keys: 12 + (i % 4) * 4, operations: 4, isolation },
      createRandom(`long ${i}`),
    );
    for (const level of LEVELS) {
      const { answer, numbers } = numbersOf(history, level);
      const named = `history ${i}, ${level}`;
      expect(answer, named).not.toBe('unknown');
      if (isolation === 'serial' || level === 'snapshot-isolation') expect(answer, named).toBe(true);
      const searched = checkSearch(history, level, { budget: 2000 }).answer;
      if (searched !== 'unknown') expect(answer, named).toBe(searched);
      if (searched !== 'unknown') seen.searched++;
      seen[answer === true ? 'true' : 'false']++;
      if (numbers.decisions > 0) seen.decisions++;
      if (numbers.conflicts > 0) seen.conflicts++;
      if (i % 4 > 1) continue;
      const alone = numbersOf(history, level, 0);
      expect(alone.answer, `${named}, without clocks`).toBe(answer);
      if (alone.numbers.conflicts > 20) seen.alone++;
    }
  }
  const told = JSON.stringify(seen);
  expect(seen.true, told).toBeGreaterThan(80);
  expect(seen.false, told).toBeGreaterThan(10);
  expect(seen.searched, told).toBeGreaterThan(60);
  expect(seen.decisions, told).toBeGreaterThan(20);
  expect(seen.conflicts, told).toBeGreaterThan(5);
  expect(seen.alone, told).toBeGreaterThan(10);
});
