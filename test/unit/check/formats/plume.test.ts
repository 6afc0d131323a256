import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { awditProgram, parsePlume, plumeMegabytes, plumeProgram, runSolo, soloThreadGroup } from '../../../../check/index.ts';
import type { Steps } from '../../../../check/index.ts';
import { TXN_STATUS, UsageError } from '../../../../core/base/index.ts';
import { OP, kvKey, kvValue } from '../../../../core/kv/index.ts';
import type { KvHistory, KvVerdict } from '../../../../core/kv/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import { plumeText } from '../../../arbitraries/plume-text.ts';
import { always } from '../../../property.ts';
import { runPair } from '../threads/run-pair.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function reader(bytes: Uint8Array, chunk = Infinity): (buffer: Uint8Array) => number {
  let at = 0;
  return (buffer) => {
    const part = bytes.subarray(at, at + Math.min(buffer.length, chunk));
    buffer.set(part);
    at += part.length;
    return part.length;
  };
}

function parse(text: string, chunk?: number): KvHistory {
  return parsePlume(reader(encode(text), chunk), { file: 'x.txt' });
}

/** Everything that a history says, whatever its columns look like. */
function show(history: KvHistory): unknown {
  return Array.from({ length: history.sessionCount }, (_, s) => [
    history.sessionName?.(s),
    ...Array.from({ length: history.sessionStart[s + 1]! - history.sessionStart[s]! }, (_, i) => {
      const t = history.sessionStart[s]! + i;
      const ops = Array.from({ length: history.opEnd[t]! - history.opStart[t]! }, (_, o) => history.opStart[t]! + o);
      return [
        history.txnName?.(t),
        history.status[t],
        ...ops.map((op) => `${history.kind[op] === OP.write ? 'w' : 'r'} ${kvKey(history, op)} ${kvValue(history, op)}`),
      ];
    }),
  ]);
}

const at =
  (bytes: Uint8Array) =>
  (buffer: Uint8Array, position: number): number =>
    reader(bytes.subarray(position))(buffer);

describe('plume text', () => {
  it('groups lines by global transaction id and session, wherever they stand', () => {
    const history = parse('w(1,1,5,10)\nr(1,0,7,11)\nw(2,2,5,10)\nr(2,2,5,12)\nw(3,3,7,11)\n');
    expect(show(history)).toEqual([
      ['5', ['10', TXN_STATUS.committed, 'w 1 1', 'w 2 2'], ['12', TXN_STATUS.committed, 'r 2 2']],
      ['7', ['11', TXN_STATUS.committed, 'r 1 0', 'w 3 3']],
    ]);
    expect([...(history.fileOrder ?? [])].map((t) => history.txnName?.(t))).toEqual(['10', '11', '12']);
  });

  it('takes signed 64-bit numbers everywhere, spaces, empty lines, CR and a last line without a newline', () => {
    const history = parse(
      'w( -9223372036854775808 , 9223372036854775807,-3, 9223372036854775807 )\r\n\n  r(4294967296,2147483648,-3,3000000000)',
    );
    expect(show(history)).toEqual([
      [
        '-3',
        ['9223372036854775807', TXN_STATUS.committed, 'w -9223372036854775808 9223372036854775807'],
        ['3000000000', TXN_STATUS.committed, 'r 4294967296 2147483648'],
      ],
    ]);
  });

  it('reads every value of 9 to 19 digits exactly', () => {
    const random = createRandom('digits');
    const values = Array.from(
      { length: 3000 },
      () =>
        BigInt.asIntN(63, BigInt(random.int(0, 2 ** 31)) * BigInt(random.int(0, 2 ** 31)) * BigInt(random.int(1, 4))) >>
        BigInt(random.int(0, 36)),
    );
    const history = parse(values.map((value, i) => `w(${i},${value},1,${i})`).join('\n') + '\n');
    expect(values.map((_, t) => kvValue(history, history.opStart[t]!))).toEqual(values);
  });

  it('-1 is an aborted transaction', () => {
    const history = parse('w(1,1,1,-1)\nr(1,1,2,2)\nw(1,3,1,3)\n');
    expect([...history.status]).toEqual([TXN_STATUS.aborted, TXN_STATUS.committed, TXN_STATUS.committed]);
  });

  it('warns of an id that two sessions use', () => {
    const history = parse('r(1,0,1,1)\nw(1,1,1,1)\nr(1,1,2,1)\n');
    expect(history.txnCount).toBe(1);
    expect(history.notes).toEqual([{ code: 'transaction-id-reused', data: { transaction: '1', sessions: ['1', '2'] } }]);
  });

  it.each([
    ['r(1,2,3,4)\nx(1,2,3,4)\n', /x\.txt: line 2: got "x\(1,2,3,4\)", expected "r" or "w"/],
    ['r(1,2,3,4)\n\nr(1,2,3)\n', /line 3: got "r\(1,2,3\)"/],
    ['r(1,2,3,4', /line 1/],
    ['r(1,2,3,4)\nr(1,99999999999999999999,3,4)\n', /line 2/],
    ['r(1,,3,4)\n', /line 1/],
    ['r(1,2,3,4) r(1,2,3,4)\n', /line 1/],
    ['r(1,2,3,4))\n', /line 1/],
    ['r(1,+2,3,4)\n', /line 1/],
    ['r(1,2,3,4\u0000)\n', /line 1/],
  ])('refuses %j with its line and what was expected', (text, message) => {
    expect(() => parse(text)).toThrow(UsageError);
    expect(() => parse(text)).toThrow(message);
  });

  it('does not depend on how the bytes are cut into chunks', () => {
    always(
      fc.tuple(plumeText(), fc.integer({ min: 1, max: 40 })),
      { seed: 1, of: 200, least: 60, reached: { 'several sessions': 0.5 } },
      ([text, chunk], reached) => {
        const history = parse(text);
        expect(show(parse(text, chunk))).toEqual(show(history));
        if (history.sessionCount > 1) reached('several sessions');
      },
    );
  });

  it('read by a thread group in blocks of any size, is the same history', () => {
    const block = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 2000 }));
    always(fc.tuple(plumeText(), block), { seed: 2, of: 400, least: 100, reached: { 'several blocks': 0.5 } }, ([text, size], reached) => {
      const bytes = encode(text);
      if (bytes.length > 2 * size) reached('several blocks');
      const expected = parse(text);
      const history = runPair((threadGroup) => plumeProgram(threadGroup, at(bytes), bytes.length, undefined, size));
      expect(show(history)).toEqual(show(expected));
      expect([...(history.fileOrder ?? [])]).toEqual([...(expected.fileOrder ?? [])]);
      expect(history.notes).toEqual(expected.notes);
    });
  });

  it('judged by a thread group, gets the same verdicts and witnesses', () => {
    const levels = ['rc', 'ra', 'cc'] as const;
    always(plumeText(), { seed: 3, of: 200, least: 60, reached: { 'an anomaly': 0.3 } }, (text, reached) => {
      const bytes = encode(text);
      const alone = runSolo(awditProgram(soloThreadGroup(), parse(text), levels));
      const together = runPair(function* (threadGroup): Steps<readonly KvVerdict[]> {
        const history = yield* plumeProgram(threadGroup, at(bytes), bytes.length, undefined, 100);
        return yield* awditProgram(threadGroup, history, levels);
      });
      expect(together).toEqual(alone);
      if (alone.some(({ anomalies }) => anomalies.length > 0)) reached('an anomaly');
    });
  });

  it('estimates its memory from the beginning of the file', () => {
    const line = 'w(123456,1234567,12,123456)\n';
    const small = plumeMegabytes(encode(line.repeat(100)), 1e6);
    expect(plumeMegabytes(encode(line.repeat(100)), 221e6)).toBeGreaterThan(small + 50);
  });
});
