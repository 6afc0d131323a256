/**
 * Small random histories for comparison with a brute force: a simulated execution (serial, snapshot isolated, or with
 * every statement on its own), then perhaps broken by swapping reads, aborting writers or reordering sessions. Half of
 * them are mini-transactions. Values are unique; 0 is the initial value of every key.
 */
import { KvHistoryBuilder } from '../../../../check/index.ts';
import { TXN_STATUS } from '../../../../core/index.ts';
import type { KvHistory, Random, TxnOutcome } from '../../../../core/index.ts';

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
  readonly mini: boolean;
  readonly mostTxns?: number;
  /** Allow unknown outcomes (default: yes). */
  readonly unknowns?: boolean;
}

/** Transactions in order of their begin; those of a session are in session order. */
export function randomHistory(random: Random, { mini, mostTxns = 8, unknowns = true }: SmallOptions): SmallTxn[] {
  const sessions = random.int(1, 4);
  const keys = random.int(1, 4);
  const isolation = random.pick(['serial', 'snapshot', 'none'] as const);
  let nextValue = 1;
  const plans: SmallTxn[] = Array.from({ length: random.int(2, mostTxns) }, () => ({
    session: random.int(0, sessions - 1),
    outcome: 'committed' as const,
    begin: 0,
    end: 0,
    ops: mini ? miniPlan(random, keys) : generalPlan(random, keys),
  }));
  for (const txn of plans) for (const op of txn.ops) if (op.write) op.value = nextValue++;
  for (const txn of plans) {
    const lot = random.int(1, 100);
    if (lot <= 6) txn.outcome = 'aborted';
    else if (lot <= 12 && unknowns) txn.outcome = 'unknown';
  }
  execute(random, plans, sessions, isolation);
  if (random.chance(0.5)) damage(random, plans);
  return plans.toSorted((a, b) => a.begin - b.begin);
}

function miniPlan(random: Random, keys: number): SmallOp[] {
  const count = random.int(1, 2);
  const chosen = Array.from({ length: count }, () => random.int(0, keys - 1));
  const ops: SmallOp[] = chosen.map((key) => ({ write: false, key, value: 0 }));
  for (const key of new Set(chosen)) if (random.chance(0.55)) ops.push({ write: true, key, value: 0 });
  // now and then a write stands right behind its read
  if (ops.length === 4 && random.chance(0.3)) [ops[1], ops[2]] = [ops[2]!, ops[1]!];
  return ops.filter((op, i) => !op.write || ops.slice(0, i).some((before) => !before.write && before.key === op.key));
}

function generalPlan(random: Random, keys: number): SmallOp[] {
  return Array.from({ length: random.int(1, 5) }, () => ({ write: random.chance(0.5), key: random.int(0, keys - 1), value: 0 }));
}

/** Runs the plans with real interleaving and fills in what the reads returned. */
function execute(random: Random, plans: readonly SmallTxn[], sessions: number, isolation: 'serial' | 'snapshot' | 'none'): void {
  const queues = Array.from({ length: sessions }, (_, s) => plans.filter((txn) => txn.session === s));
  const committed = new Map<number, number>();
  const running = new Map<number, { txn: SmallTxn; at: number; snapshot: Map<number, number>; own: Map<number, number> }>();
  let clock = 0;
  while (queues.some((queue) => queue.length > 0) || running.size > 0) {
    const s = random.int(0, sessions - 1);
    const run = running.get(s);
    if (run === undefined) {
      const txn = queues[s]!.shift();
      if (txn === undefined) continue;
      if (isolation === 'serial' && running.size > 0) {
        queues[s]!.unshift(txn);
        continue;
      }
      txn.begin = clock++;
      running.set(s, { txn, at: 0, snapshot: new Map(committed), own: new Map() });
      continue;
    }
    const { txn, own } = run;
    const op = txn.ops[run.at++];
    if (op !== undefined) {
      const view = isolation === 'none' ? committed : run.snapshot;
      if (op.write) own.set(op.key, op.value);
      else op.value = own.get(op.key) ?? view.get(op.key) ?? 0;
      continue;
    }
    // first committer wins, as far as snapshot isolation is simulated
    const conflict = isolation === 'snapshot' && [...own.keys()].some((key) => run.snapshot.get(key) !== committed.get(key));
    if (conflict && txn.outcome !== 'unknown') txn.outcome = 'aborted';
    if (txn.outcome === 'committed' || (txn.outcome === 'unknown' && !conflict && random.chance(0.5))) for (const [key, value] of own) committed.set(key, value);
    txn.end = clock++;
    running.delete(s);
  }
}

function damage(random: Random, plans: readonly SmallTxn[]): void {
  const reads = plans.flatMap((txn) => txn.ops.filter((op) => !op.write));
  const writes = plans.flatMap((txn) => txn.ops.filter((op) => op.write));
  for (let n = random.int(1, 2); n > 0; n--) {
    const kind = random.int(0, 4);
    if (kind === 0 && reads.length > 1) {
      const a = random.pick(reads);
      const same = reads.filter((op) => op.key === a.key);
      const b = random.pick(same);
      [a.value, b.value] = [b.value, a.value];
    } else if (kind === 1 && reads.length > 0) {
      const a = random.pick(reads);
      const values = [0, ...writes.filter((op) => op.key === a.key).map((op) => op.value)];
      a.value = random.chance(0.05) ? 999 : random.pick(values);
    } else if (kind === 2) {
      random.pick(plans).outcome = 'aborted';
    } else if (kind === 3 && plans.length > 1) {
      const [a, b] = [random.pick(plans), random.pick(plans)];
      [a.begin, b.begin] = [b.begin, a.begin];
      [a.end, b.end] = [b.end, a.end];
    } else if (reads.length > 0) {
      const a = random.pick(reads);
      const own = writes.filter((op) => op.key === a.key);
      if (own.length > 0) a.value = random.pick(own).value;
    }
  }
}

/** Columns, with times; sessions are named s0, s1 ... and transactions by their place in the list. */
export function toKv(txns: readonly SmallTxn[], timed = true): KvHistory {
  const builder = new KvHistoryBuilder('zero');
  txns.forEach((txn, i) => {
    const t = builder.txn(builder.session(`s${txn.session}`), `t${i}`, TXN_STATUS[txn.outcome]);
    if (timed) builder.setTimes(t, txn.begin, txn.outcome === 'unknown' ? Infinity : txn.end);
    for (const op of txn.ops) {
      if (op.write) builder.write(t, op.key, op.value);
      else builder.read(t, op.key, op.value);
    }
  });
  return builder.finish();
}

/** One line a transaction, for failure messages. */
export function showHistory(txns: readonly SmallTxn[]): string {
  return txns.map((txn, i) => `t${i} s${txn.session} [${txn.begin},${txn.end}] ${txn.outcome}: ${txn.ops.map((op) => `${op.write ? 'w' : 'r'}(${op.key},${op.value})`).join(' ')}`).join('\n');
}

/** The same history with gaps between transactions, as readers that fill columns block by block leave them. */
export function withGaps(history: KvHistory): KvHistory {
  const gap = 3;
  const opStart = history.opStart.map((start, t) => start + gap * (t + 1));
  const opEnd = history.opEnd.map((end, t) => end + gap * (t + 1));
  const spread = <T extends Uint8Array | Int32Array>(column: T, made: T, filler: number): T => {
    made.fill(filler);
    for (let t = 0; t < history.txnCount; t++) made.set(column.subarray(history.opStart[t], history.opEnd[t]), opStart[t]);
    return made;
  };
  const size = history.opCount + gap * (history.txnCount + 2);
  return {
    ...history, opStart, opEnd,
    kind: spread(history.kind, new Uint8Array(size), 1), // as if the gaps were writes
    keyLow: spread(history.keyLow, new Int32Array(size), 0),
    valueLow: spread(history.valueLow, new Int32Array(size), 1),
  };
}
