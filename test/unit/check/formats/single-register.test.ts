import { describe, expect, test } from 'vitest';
import { detectFormat, formatNamed } from '../../../../check/index.ts';
import type { KvHistory } from '../../../../core/kv/index.ts';
import { assessForeign } from '../../../../src/judge/assess/foreign.ts';

const log = (...events: readonly (readonly [process: number, type: string, f: string, value: string])[]): Uint8Array =>
  new TextEncoder().encode(
    events.map(([process, type, f, value], i) => `{:index ${i} :type :${type}, :process ${process}, :f :${f}, :value ${value}}\n`).join(''),
  );

const done = (process: number, f: string, asked: string, value = asked) =>
  [
    [process, 'invoke', f, asked],
    [process, 'ok', f, value],
  ] as const;

function read(bytes: Uint8Array): KvHistory {
  const files = [{ name: 'h.edn', bytes }];
  expect(detectFormat(files).name).toBe('lwt');
  const parsed = formatNamed('lwt').read(files);
  if (parsed.kind !== 'kv') throw new Error('a register history');
  return parsed.history;
}

const strict = (history: KvHistory): unknown => {
  const judged = assessForeign({ kind: 'kv', history }, { levels: ['strict-serializable'] });
  return judged.kind === 'kv' ? judged.verdicts[0]!.answer : undefined;
};

describe('a log of a single register, which names no key', () => {
  test('is one key: a compare-and-set reads what it expected', () => {
    const history = read(log(...done(0, 'write', '1'), ...done(1, 'cas', '[1 4]'), ...done(2, 'read', 'nil', '4')));
    expect(history.txnCount).toBe(3);
    expect(new Set(history.keyLow)).toEqual(new Set([0]));
    expect(history.opCount).toBe(4);
    expect(strict(history)).toBe(true);
  });

  test('a read of a value that was replaced before it began is no linearizable one', () => {
    expect(strict(read(log(...done(0, 'write', '1'), ...done(1, 'cas', '[1 4]'), ...done(2, 'read', 'nil', '1'))))).toBe(false);
  });

  test('an operation that names a key makes the others be refused that name none', () => {
    expect(() => read(log(...done(0, 'write', '[7 1]'), ...done(1, 'write', '2')))).toThrow(/got :f :write :value 2.*expected/s);
    expect(() => read(log(...done(0, 'write', '2'), ...done(1, 'cas', '[1 [2 3] 4]')))).toThrow(/expected/);
  });
});
