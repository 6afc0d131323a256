/**
 * Small key-value histories for comparison with a brute force: an execution (serial, snapshot isolated, or with every
 * statement on its own), then perhaps damaged: reads swapped, writers aborted, times exchanged. Values are unique; 0 is
 * the initial value of every key.
 */
import * as fc from 'fast-check';
import type { TxnOutcome } from '../../core/history/index.ts';

export interface SmallOp {
  readonly write: boolean;
  readonly key: number;
  value: number;
}

export interface SmallTxn {
  readonly session: number;
  outcome: TxnOutcome;
  begin: number;
  end: number;
  readonly ops: SmallOp[];
}

export interface SmallOptions {
  /** Mini-transactions; absent: these or any others. */
  readonly mini?: boolean;
  readonly mostTxns?: number;
  /** Allow unknown outcomes (default: yes). */
  readonly unknowns?: boolean;
}

interface Planned {
  readonly session: number;
  readonly outcome: TxnOutcome;
  /** Of an unknown outcome: its writes are there. */
  readonly applied: boolean;
  readonly ops: readonly Omit<SmallOp, 'value'>[];
}

interface Damage {
  readonly kind: number;
  readonly one: number;
  readonly other: number;
}

type Isolation = 'serial' | 'snapshot' | 'none';

/** Transactions in order of their begin; those of a session are in session order. */
export function smallHistory({ mini, mostTxns = 8, unknowns = true }: SmallOptions = {}): fc.Arbitrary<SmallTxn[]> {
  if (mini === undefined)
    return fc.oneof(smallHistory({ mini: true, mostTxns, unknowns }), smallHistory({ mini: false, mostTxns, unknowns }));
  const planned = fc.record({
    session: fc.nat({ max: 3 }),
    outcome: outcome(unknowns),
    applied: fc.boolean(),
    ops: mini ? miniOps() : generalOps(),
  });
  return fc
    .record({
      sessions: fc.integer({ min: 1, max: 4 }),
      keys: fc.integer({ min: 1, max: 4 }),
      isolation: fc.constantFrom<Isolation>('serial', 'snapshot', 'none'),
      plans: fc.array(planned, { minLength: 2, maxLength: mostTxns, size: 'max' }),
      turns: fc.array(fc.nat({ max: 3 }), { maxLength: 120, size: 'max' }),
      damages: fc.oneof(
        fc.constant([]),
        fc.array(fc.record({ kind: fc.nat({ max: 4 }), one: fc.nat({ max: 999 }), other: fc.nat({ max: 999 }) }), {
          minLength: 1,
          maxLength: 2,
          size: 'max',
        }),
      ),
    })
    .map(({ sessions, keys, isolation, plans, turns, damages }) => {
      const bounded = plans.map((plan) => ({ ...plan, session: plan.session % sessions, ops: withKeys(plan.ops, keys, mini) }));
      const txns = executed(
        bounded,
        turns.map((turn) => turn % sessions),
        isolation,
      );
      for (const each of damages) damage(txns, each);
      return txns.toSorted((a, b) => a.begin - b.begin);
    });
}

function outcome(unknowns: boolean): fc.Arbitrary<TxnOutcome> {
  return fc.nat({ max: 99 }).map((lot) => (lot >= 94 ? 'aborted' : lot >= 88 && unknowns ? 'unknown' : 'committed'));
}

function generalOps(): fc.Arbitrary<Planned['ops']> {
  return fc.array(fc.record({ write: fc.boolean(), key: fc.nat({ max: 3 }) }), { minLength: 1, maxLength: 5, size: 'max' });
}

/** One or two reads, and writes of what was read; now and then a write stands right behind its read. */
function miniOps(): fc.Arbitrary<Planned['ops']> {
  return fc
    .record({
      keys: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 2, size: 'max' }),
      writes: fc.tuple(fc.boolean(), fc.boolean()),
      early: fc.nat({ max: 2 }),
    })
    .map(({ keys, writes, early }) => {
      const ops = keys.map((key) => ({ write: false, key }));
      const written = keys.filter((_, i) => writes[i]).map((key) => ({ write: true, key }));
      return early === 2 && written.length === 2 ? [ops[0]!, written[0]!, ops[1]!, written[1]!] : [...ops, ...written];
    });
}

/** Of a mini-transaction one write a key, behind its read. */
function withKeys(ops: Planned['ops'], keys: number, mini: boolean): Planned['ops'] {
  const bounded = ops.map(({ write, key }) => ({ write, key: key % keys }));
  if (!mini) return bounded;
  return bounded.filter(({ write, key }, i) => {
    const before = bounded.slice(0, i).filter((each) => each.key === key);
    return !write || (before.some((each) => !each.write) && !before.some((each) => each.write));
  });
}

/** Runs the plans, interleaved as the turns say and, when these are over, session by session; fills in what the reads returned. */
function executed(plans: readonly Planned[], turns: readonly number[], isolation: Isolation): SmallTxn[] {
  let value = 1;
  const txns = plans.map(({ session, outcome: end, ops }): SmallTxn => ({
    session,
    outcome: end,
    begin: 0,
    end: 0,
    ops: ops.map((op) => ({ ...op, value: op.write ? value++ : 0 })),
  }));
  const queues = [0, 1, 2, 3].map((s) => [...txns.keys()].filter((i) => txns[i]!.session === s));
  const committed = new Map<number, number>();
  const running = new Map<
    number,
    { readonly place: number; at: number; readonly snapshot: ReadonlyMap<number, number>; readonly own: Map<number, number> }
  >();
  let clock = 0;
  const step = (s: number): void => {
    const run = running.get(s);
    if (run === undefined) {
      const place = isolation === 'serial' && running.size > 0 ? undefined : queues[s]!.shift();
      if (place === undefined) return;
      txns[place]!.begin = clock++;
      running.set(s, { place, at: 0, snapshot: new Map(committed), own: new Map() });
      return;
    }
    const { place, own, snapshot } = run;
    const txn = txns[place]!;
    const op = txn.ops[run.at++];
    if (op !== undefined) {
      if (op.write) own.set(op.key, op.value);
      else op.value = own.get(op.key) ?? (isolation === 'none' ? committed : snapshot).get(op.key) ?? 0;
      return;
    }
    // first committer wins, as far as snapshot isolation is simulated
    const conflict = isolation === 'snapshot' && [...own.keys()].some((key) => snapshot.get(key) !== committed.get(key));
    if (conflict && txn.outcome !== 'unknown') txn.outcome = 'aborted';
    if (txn.outcome === 'committed' || (txn.outcome === 'unknown' && !conflict && plans[place]!.applied))
      for (const [key, written] of own) committed.set(key, written);
    txn.end = clock++;
    running.delete(s);
  };
  turns.forEach(step);
  for (const s of running.keys()) while (running.has(s)) step(s);
  for (const s of queues.keys()) while (queues[s]!.length > 0 || running.has(s)) step(s);
  return txns;
}

function damage(txns: readonly SmallTxn[], { kind, one, other }: Damage): void {
  const pick = <T>(all: readonly T[], lot: number): T | undefined => all[lot % all.length];
  const reads = txns.flatMap((txn) => txn.ops.filter((op) => !op.write));
  const writes = txns.flatMap((txn) => txn.ops.filter((op) => op.write));
  const read = pick(reads, one);
  if (kind === 2) pick(txns, one)!.outcome = 'aborted';
  else if (kind === 3) {
    const [a, b] = [pick(txns, one)!, pick(txns, other)!];
    [a.begin, b.begin] = [b.begin, a.begin];
    [a.end, b.end] = [b.end, a.end];
  } else if (read !== undefined && kind === 0) {
    const same = pick(
      reads.filter((op) => op.key === read.key),
      other,
    )!;
    [read.value, same.value] = [same.value, read.value];
  } else if (read !== undefined) {
    const written = writes.filter((op) => op.key === read.key).map((op) => op.value);
    // now and then a value that nobody wrote
    read.value = kind === 1 && other >= 950 ? 999 : (pick(kind === 1 ? [0, ...written] : written, other) ?? read.value);
  }
}
