import { describe, expect, test } from 'vitest';
import { checkStrong, formatNamed } from '../../../../check/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import { bruteForce } from './brute-force.ts';
import { randomHistory, showHistory, toKv } from './random-history.ts';

const LEVELS = ['snapshot-isolation', 'serializable'] as const;

function judge(format: string, text: string): readonly string[] {
  const parsed = formatNamed(format).read([{ name: 'h', bytes: new TextEncoder().encode(text) }]);
  if (parsed.kind !== 'kv') throw new Error('a register history');
  return checkStrong(parsed.history, LEVELS).map(({ answer, anomalies }) =>
    [String(answer), ...anomalies.map(({ name }) => name)].join(' '),
  );
}

const plume = (text: string): readonly string[] => judge('plume', `${text.replaceAll(' ', '\n')}\n`);
const txn = (process: number, type: string, value: string): string =>
  `{:type :invoke :process ${process} :f :txn :value ${value}} {:type ${type} :process ${process} :f :txn :value ${value}}\n`;

describe('values that were written more than once', () => {
  const cases: readonly (readonly [what: string, text: string, answer: string])[] = [
    ['a read of its own write', 'w(1,7,1,1) w(1,7,2,2) r(1,7,2,2)', 'true'],
    ['a read between the two own writes of one value', 'w(1,7,1,1) r(1,7,1,1) w(1,7,1,1) r(1,7,1,1) r(1,7,2,2)', 'true'],
    ['an aborted writer gives way to a committed one', 'w(1,9,1,-1) w(1,9,2,2) r(1,9,3,3)', 'true'],
    ['the own later write gives way to another transaction', 'r(1,7,2,2) w(1,7,2,2) w(1,7,1,1)', 'true'],
    ['an overwritten write gives way to a final one', 'w(1,7,1,1) w(1,8,1,1) w(1,7,2,2) r(1,7,3,3)', 'true'],
    ['two that may both be read', 'w(1,7,1,1) w(1,7,2,2) r(1,7,3,3)', 'true'],
    [
      'two updates of what may be two versions are no lost update',
      'w(1,7,1,1) w(1,7,2,2) r(1,7,3,3) w(1,8,3,3) r(1,7,4,4) w(1,9,4,4)',
      'true',
    ],
    [
      'three updates of what may be two versions',
      'w(1,7,1,1) w(1,7,2,2) r(1,7,3,3) w(1,8,3,3) r(1,7,4,4) w(1,9,4,4) r(1,7,5,5) w(1,10,5,5)',
      'false %',
    ],
    ['all aborted', 'w(1,9,1,-1) w(1,9,2,-1) r(1,9,3,3)', 'false AbortedRead'],
    ['all overwritten', 'w(1,9,1,1) w(1,8,1,1) w(1,9,2,2) w(1,7,2,2) r(1,9,3,3)', 'false IntermediateRead'],
    ['after another own write, whoever wrote it', 'w(1,7,1,1) w(1,7,2,2) w(1,8,3,3) r(1,7,3,3)', 'false NotMyOwnWrite'],
    ['the own write that was overwritten', 'w(1,7,1,1) w(1,7,2,2) w(1,8,2,2) r(1,7,2,2)', 'false NotMyLastWrite'],
    ['something else is wrong', 'w(1,7,1,1) w(1,7,2,2) r(1,7,3,3) r(2,9,3,3)', 'false ThinAirRead'],
  ];
  test.each(cases)('%s', (_, text, answer) => {
    const names = { 'snapshot-isolation': 'NotSnapshotIsolated', serializable: 'NotSerializable' };
    expect(plume(text)).toEqual(LEVELS.map((level) => answer.replace('%', names[level])));
  });

  test('a value that was tried again after it failed is that of the attempt that committed', () => {
    expect(judge('elle', txn(0, ':fail', '[[:w :x 9]]') + txn(0, ':ok', '[[:w :x 9]]') + txn(1, ':ok', '[[:r :x 9]]'))).toEqual([
      'true',
      'true',
    ]);
  });

  test('an implicit 0 stays readable although an aborted or overwritten write says 0 too', () => {
    for (const text of ['w(1,0,1,-1) r(1,0,2,2)', 'w(1,0,1,1) w(1,5,1,1) r(1,0,2,2)', 'r(1,0,1,1) w(1,0,1,1)'])
      expect(plume(text), text).toEqual(['true', 'true']);
    // but it is the initial version: whoever came after a writer of the key cannot read it
    expect(plume('w(1,5,2,1) w(1,0,1,-1) r(1,0,2,2)').every((answer) => answer.startsWith('false'))).toBe(true);
    expect(plume('w(1,5,1,1) r(1,0,1,1) w(1,0,2,-1)')).toEqual(['false NotMyOwnWrite', 'false NotMyOwnWrite']);
    const nothing =
      '[[{"events":[{"Read":{"variable":1,"version":null}},{"Read":{"variable":1,"version":0}}],"committed":true}],[{"events":[{"Write":{"variable":1,"version":0}}],"committed":false}]]';
    expect(judge('dbcop-json', nothing)).toEqual(['true', 'true']);
  });

  test('1,500 small histories of few values: every answer is that of the brute force', () => {
    const random = createRandom('repeated values');
    const seen = { true: 0, false: 0 };
    for (let i = 0; i < 1500; i++) {
      const txns = randomHistory(random, { mini: random.chance(0.5), mostTxns: 6 });
      const values = random.int(2, 5);
      for (const { ops } of txns) for (const op of ops) if (op.value !== 0 && op.value !== 999) op.value = 1 + (op.value % values);
      for (const { level, answer } of checkStrong(toKv(txns), ['snapshot-isolation', 'serializable', 'strict-serializable'])) {
        expect(answer, `${level}\n${showHistory(txns)}`).toBe(bruteForce(txns, level as (typeof LEVELS)[number]));
        seen[`${answer === true}`]++;
      }
    }
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(300);
  });
});
