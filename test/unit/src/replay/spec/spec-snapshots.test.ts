// Snapshots of a run's transactions, told from its serial orders alone.
import { describe, expect, it } from 'vitest';
import { permutations } from '../../../../../core/base/index.ts';
import { leavesSnapshots, mayBeSnapshots } from '../../../../../src/replay/spec/spec-snapshots.ts';
import type { SerialRun } from '../../../../../src/replay/spec/spec-serial.ts';
import { transactionsOfRun } from '../../../../../src/replay/spec/spec-transactions.ts';
import type { SpecTransaction } from '../../../../../src/replay/spec/spec-transactions.ts';
import { scriptedRun } from './scripted-run.ts';

type Rows = Readonly<Record<string, number>>;
/** A transaction as a function: from rows to what it reads, and the rows that it leaves. */
type Txn = (rows: Rows) => { readonly read: readonly number[]; readonly leaves: Rows };

/** Every serial order of these, and the observed reads of each. */
function may(first: Rows, txns: readonly Txn[], observed: readonly (readonly number[])[]): boolean {
  const reply = (read: readonly number[]): { rows: string[][] } => ({ rows: [read.map(String)] });
  const run = scriptedRun(
    observed.map((read, session) => ({ session, sql: 'SELECT 1', status: 'outside', reply: reply(read) })),
    txns.map(() => undefined),
  );
  const own = transactionsOfRun(run) as readonly SpecTransaction[];
  const serial = permutations(own).map((order): SerialRun => {
    let rows = first;
    const replies = order.map(({ session }) => {
      const { read, leaves } = txns[session]!(rows);
      rows = leaves;
      return [{ ...reply(read), affected: 0 }];
    });
    return { order, replies, tables: {} };
  });
  return mayBeSnapshots(serial);
}

const skew =
  (reads: string, writes: string): Txn =>
  (rows) => ({ read: [rows[reads]!], leaves: { ...rows, [writes]: 1 } });
const both: Txn = (rows) => ({ read: [rows['x']!, rows['y']!], leaves: rows });
const sets: Txn = (rows) => ({ read: [], leaves: { ...rows, x: 1, y: 1 } });

describe('snapshots', () => {
  it('explain a write skew, and every serial execution', () => {
    const txns = [skew('x', 'y'), skew('y', 'x')];
    expect(may({ x: 0, y: 0 }, txns, [[0], [0]])).toBe(true);
    expect(may({ x: 0, y: 0 }, txns, [[0], [1]])).toBe(true);
    expect(may({ x: 0, y: 0 }, txns, [[1], [0]])).toBe(true);
  });

  it('do not explain two transactions that each see the other, nor a part of one', () => {
    expect(may({ x: 0, y: 0 }, [skew('x', 'y'), skew('y', 'x')], [[1], [1]])).toBe(false);
    expect(may({ x: 0, y: 0 }, [sets, both], [[], [0, 1]])).toBe(false);
    expect(may({ x: 0, y: 0 }, [sets, both], [[], [0, 0]])).toBe(true);
  });

  it('do not explain two readers that see two writers in two orders', () => {
    const write =
      (name: string): Txn =>
      (rows) => ({ read: [], leaves: { ...rows, [name]: 1 } });
    const read =
      (one: string, other: string): Txn =>
      (rows) => ({ read: [rows[one]!, rows[other]!], leaves: rows });
    const txns = [write('x'), write('y'), read('x', 'y'), read('x', 'y')];
    expect(may({ x: 0, y: 0 }, txns, [[], [], [1, 0], [0, 1]])).toBe(false);
    expect(may({ x: 0, y: 0 }, txns, [[], [], [1, 0], [1, 1]])).toBe(true);
  });

  it('are not asked of a file whose keys, triggers or upserts look at newer rows', () => {
    const leaves = (setup: string, step = 'SELECT 1', own = 'BEGIN'): boolean =>
      leavesSnapshots({ setup: [setup], sessions: [{ name: 's', setup: own, steps: [{ name: 'a', sql: step }] }] });
    expect(leaves('CREATE TABLE t (k int PRIMARY KEY)')).toBe(false);
    expect(leaves('CREATE TABLE t (k int REFERENCES p)')).toBe(true);
    expect(leaves('CREATE TABLE t (k int)', 'INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING')).toBe(true);
    expect(leaves('CREATE TABLE t (k int)', 'SELECT 1', 'CREATE TRIGGER x')).toBe(true);
  });
});
