import { describe, expect, it } from 'vitest';
import { KvHistoryBuilder } from '../../../check/index.ts';
import { TXN_STATUS } from '../../../core/base/index.ts';
import { OP, kvKey, kvValue } from '../../../core/kv/index.ts';

describe('KvHistoryBuilder', () => {
  it('groups interleaved operations by session and transaction, each in its own order', () => {
    const builder = new KvHistoryBuilder('zero');
    const a = builder.txn(builder.session('A'), 'a1');
    const b = builder.txn(builder.session('B'), 'b1', TXN_STATUS.aborted);
    const a2 = builder.txn(builder.session('A'), 'a2');
    builder.write(a2, 5, 6);
    builder.write(b, 3, 4);
    builder.write(a, 1, 2);
    builder.read(a2, 7, 8);
    const history = builder.finish();
    expect([...history.sessionStart]).toEqual([0, 2, 3]);
    expect([0, 1, 2].map((t) => history.txnName?.(t))).toEqual(['a1', 'a2', 'b1']);
    expect([...history.status]).toEqual([TXN_STATUS.committed, TXN_STATUS.committed, TXN_STATUS.aborted]);
    expect([...history.keyLow.subarray(history.opStart[1], history.opEnd[1])]).toEqual([5, 7]);
    expect([...history.kind]).toEqual([OP.write, OP.write, OP.read, OP.write]);
    expect([...(history.fileOrder ?? [])]).toEqual([0, 2, 1]);
    expect(history.keyHigh).toBeUndefined();
  });

  it('keeps 64-bit keys and values exactly, whichever way they are given', () => {
    const builder = new KvHistoryBuilder('none');
    const t = builder.txn(builder.session('s'));
    const values = [-1, 2 ** 31, -(2 ** 31) - 1, 9223372036854775807n, -9223372036854775808n, 9007199254740993n, 0];
    for (const value of values) builder.write(t, value, value);
    const history = builder.finish();
    expect(values.map((_, op) => kvValue(history, op))).toEqual(values.map((value) => BigInt(value)));
    expect(values.map((_, op) => kvKey(history, op))).toEqual(values.map((value) => BigInt(value)));
  });
});
