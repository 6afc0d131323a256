/** Case distinctions of what the linear checkers find, and of what either outcome of a transaction violates. */
import { describe, expect, test } from 'vitest';
import { certified, checkAwdit, checkMini, checkStrong } from '../../../../check/index.ts';
import type { Level } from '../../../../core/level/index.ts';
import type { KvHistory, KvVerdict } from '../../../../core/kv/index.ts';
import { unified } from '../../../../src/judge/assess/file.ts';
import { verifyRefutation } from '../../../../src/judge/findings/verify-refutation/verify-refutation.ts';
import type { SmallTxn } from '../../../arbitraries/key-value-history.ts';
import { toKv } from './random-history.ts';

const r = (key: number, value: number): SmallTxn['ops'][number] => ({ write: false, key, value });
const w = (key: number, value: number): SmallTxn['ops'][number] => ({ write: true, key, value });
/** Each in a session of its own, all at once. */
const history = (...txns: readonly SmallTxn['ops'][]): KvHistory =>
  toKv(txns.map((ops, session) => ({ session, outcome: 'committed', begin: 0, end: 9, ops })));

const lostUpdate = history([w(1, 5)], [r(1, 5), w(1, 6)], [r(1, 5), w(1, 7)]);
const fractured = history([w(1, 5), w(2, 5)], [w(1, 6), w(2, 6)], [r(1, 5), r(2, 6)], [r(1, 6)], [r(2, 5), r(1, 6), r(2, 6)]);

describe.each<[string, KvHistory, KvVerdict]>([
  ['a mini-transaction checker', lostUpdate, checkMini(lostUpdate, 'snapshot-isolation')],
  ['AWDIT', fractured, checkAwdit(fractured, 'ra', { report: 'class' })],
])('a cycle that %s finds', (_, about, verdict) => {
  const [found] = certified(about, verdict).anomalies.filter(({ cycle }) => cycle.length > 0);

  test('has a case distinction that follows', () => {
    expect(verdict.answer).toBe(false);
    expect(verifyRefutation(JSON.parse(JSON.stringify(found)), about)).toMatchObject({ holds: true });
  });

  test('is refused at a weaker level, of other transactions, and of another history', () => {
    const edited = (change: object): boolean => verifyRefutation(JSON.parse(JSON.stringify({ ...found, ...change })), about).holds;
    expect(edited({ levels: ['rc', ...found!.levels] })).toBe(false);
    expect(edited({ refutation: { ...found!.refutation!, transactions: found!.refutation!.transactions.slice(1) } })).toBe(false);
    expect(verifyRefutation(JSON.parse(JSON.stringify(found)), history([w(1, 5)], [r(1, 5)], [r(1, 5)])).holds).toBe(false);
  });
});

test('an anomaly that names a level which another checker says holds leaves the level unknown', () => {
  const anomaly = {
    name: 'LostUpdate',
    levels: ['snapshot-isolation'],
    cycle: [],
    transactions: [0],
    operations: [],
    explanation: 'x.',
  } as const;
  const verdict = (level: Level, answer: boolean, anomalies: KvVerdict['anomalies']): KvVerdict => ({ level, answer, anomalies });
  const { levels } = unified([verdict('snapshot-isolation', true, []), verdict('serializable', false, [anomaly])], 'class');
  expect(levels[0]).toMatchObject({ answer: 'unknown', reason: expect.stringContaining('a defect of this program') });
  expect(levels[1]).toEqual({ level: 'serializable', answer: false });
});

test('what either outcome violates is named, and no more', () => {
  // t0 wrote 1 too: if it committed, t3 may have read from it, which leaves a write skew alone
  const about = toKv([
    { session: 0, outcome: 'unknown', begin: 0, end: 9, ops: [r(2, 0), w(1, 5)] },
    { session: 1, outcome: 'committed', begin: 0, end: 9, ops: [w(1, 5), w(2, 6)] },
    { session: 2, outcome: 'committed', begin: 0, end: 9, ops: [r(1, 5), r(2, 0), w(3, 1)] },
    { session: 3, outcome: 'committed', begin: 0, end: 9, ops: [r(3, 0), w(2, 7), r(1, 0)] },
  ]);
  const verdicts = checkStrong(about, ['snapshot-isolation', 'serializable', 'strict-serializable']);
  const holds = new Set(verdicts.flatMap(({ level, answer }) => (answer === true ? [level] : [])));
  for (const { anomalies } of verdicts) for (const { levels } of anomalies) expect(levels.filter((level) => holds.has(level))).toEqual([]);
});
