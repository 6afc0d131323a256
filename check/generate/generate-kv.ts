/**
 * Generates key-value histories of any size from a simulated execution. Sessions interleave, and a transaction takes
 * effect at one moment between its begin and its end. The history is therefore strictly serializable. With `isolation:
 * 'snapshot'` a transaction reads a snapshot of its begin, and the second writer of a key aborts. The history is then
 * snapshot isolated and, sooner or later, not serializable. One anomaly can be planted: a gadget on two keys and in
 * sessions of its own, so that nothing else in the history is touched. O(operations). Keys come from the inverse
 * transform of the distribution.
 */
import { TXN_STATUS, UsageError, keySampler } from '../../core/index.ts';
import type { Distribution, KvAnomalyName, KvHistory, Random } from '../../core/index.ts';
import { KvHistoryBuilder } from '../kv/kv-history-builder.ts';
import { GADGETS, gadgetTxns } from './gadgets.ts';

export interface GenerateKvOptions {
  readonly kind: 'mini' | 'general';
  readonly sessions: number;
  readonly transactions: number;
  readonly keys: number;
  readonly distribution?: Distribution;
  /** The number of operations of a general transaction, by default 8. */
  readonly operations?: number;
  readonly isolation?: 'serial' | 'snapshot';
  readonly plant?: KvAnomalyName;
}

/** The names that `plant` accepts. */
export const PLANTABLE: readonly KvAnomalyName[] = GADGETS.map((gadget) => gadget.name);

interface Running {
  readonly txn: number;
  readonly plan: readonly { readonly write: boolean; readonly key: number }[];
  readonly beginAt: number;
  /** The clock at the begin, which defines the snapshot. */
  readonly snapshot: number;
  stage: 'begun' | 'committed';
}

export function generateKv(options: GenerateKvOptions, random: Random): KvHistory {
  const { kind, sessions, transactions, keys } = options;
  for (const [name, value] of Object.entries({ sessions, transactions, keys })) {
    if (!Number.isInteger(value) || value < 1)
      throw new UsageError(`generate: got ${name} ${value}, expected a whole number of at least 1`);
  }
  const operations = options.operations ?? 8;
  const nextKey = keySampler(options.distribution ?? 'uniform', keys, random);
  const snapshot = options.isolation === 'snapshot';
  const builder = new KvHistoryBuilder('zero');
  // `versions` holds each key's versions: the value and the commit that installed it. Older ones stay only while a
  // snapshot may need them.
  const versions: { value: number; since: number }[][] = Array.from({ length: keys }, () => [{ value: 0, since: 0 }]);
  const running: (Running | undefined)[] = Array.from({ length: sessions }, () => undefined);
  const names = Array.from({ length: sessions }, (_, s) => builder.session(String(s)));
  const plantAt = options.plant === undefined ? -1 : random.int(0, transactions);
  let nextValue = 1;
  let clock = 1;
  let started = 0;
  let ended = 0;
  let planted = false;
  while (ended < transactions) {
    if (!planted && started >= plantAt && plantAt >= 0) {
      nextValue = plant(builder, options, keys, nextValue, clock);
      clock += 20;
      planted = true;
    }
    const s = random.int(0, sessions - 1);
    const run = running[s];
    clock++;
    if (run === undefined) {
      if (started === transactions) continue;
      const plan = kind === 'mini' ? miniPlan(random, nextKey) : generalPlan(random, nextKey, operations);
      running[s] = { txn: builder.txn(names[s], String(started)), plan, beginAt: clock, snapshot: clock, stage: 'begun' };
      started++;
    } else if (run.stage === 'begun') {
      nextValue = takeEffect(builder, run, versions, snapshot, clock, nextValue);
      run.stage = 'committed';
    } else {
      builder.setTimes(run.txn, run.beginAt, clock);
      running[s] = undefined;
      ended++;
    }
  }
  if (!planted && plantAt >= 0) plant(builder, options, keys, nextValue, clock);
  return builder.finish();
}

/**
 * Executes the reads and writes of one transaction at its commit. With snapshots it reads as of its begin, and may lose
 * to a first committer.
 */
function takeEffect(
  builder: KvHistoryBuilder,
  run: Running,
  versions: readonly { value: number; since: number }[][],
  snapshot: boolean,
  clock: number,
  firstValue: number,
): number {
  let nextValue = firstValue;
  const own = new Map<number, number>();
  for (const op of run.plan) {
    if (op.write) {
      own.set(op.key, nextValue);
      builder.write(run.txn, op.key, nextValue++);
      continue;
    }
    const list = versions[op.key];
    let at = list.length - 1;
    if (snapshot) while (list[at].since > run.snapshot) at--;
    builder.read(run.txn, op.key, own.get(op.key) ?? list[at].value);
  }
  const conflict = snapshot && [...own.keys()].some((key) => versions[key][versions[key].length - 1].since > run.snapshot);
  if (conflict) {
    builder.setStatus(run.txn, TXN_STATUS.aborted);
    return nextValue;
  }
  for (const [key, value] of own) {
    if (!snapshot) versions[key][0] = { value, since: clock };
    else {
      versions[key].push({ value, since: clock });
      if (versions[key].length > 4096) versions[key].splice(0, 2048);
    }
  }
  return nextValue;
}

/** Plans one or two reads, then at most a write of each key read. */
function miniPlan(random: Random, nextKey: () => number): Running['plan'] {
  const shape = random.int(0, 4);
  const x = nextKey();
  if (shape === 0) return [{ write: false, key: x }];
  if (shape === 1)
    return [
      { write: false, key: x },
      { write: true, key: x },
    ];
  const y = nextKey();
  const plan = [
    { write: false, key: x },
    { write: false, key: y },
  ];
  if (shape >= 3) plan.push({ write: true, key: x });
  if (shape === 4 && y !== x) plan.push({ write: true, key: y });
  return plan;
}

function generalPlan(random: Random, nextKey: () => number, operations: number): Running['plan'] {
  return Array.from({ length: operations }, () => ({ write: random.chance(0.5), key: nextKey() }));
}

function plant(builder: KvHistoryBuilder, options: GenerateKvOptions, keys: number, firstValue: number, clock: number): number {
  const gadget = GADGETS.find((row) => row.name === options.plant);
  if (gadget === undefined)
    throw new UsageError(`generate: got the anomaly ${JSON.stringify(options.plant)}, expected one of ${PLANTABLE.join(', ')}`);
  const value = (small: number): number => (small === 0 ? 0 : firstValue + small);
  gadgetTxns(gadget).forEach((row, i) => {
    const txn = builder.txn(
      builder.session(`planted ${row.session}`),
      `planted ${i}`,
      row.aborted ? TXN_STATUS.aborted : TXN_STATUS.committed,
    );
    const overlap = gadget.inTurn === undefined && !gadgetTxns(gadget).some((other, j) => j !== i && other.session === row.session);
    builder.setTimes(txn, overlap ? clock + 1 : clock + 1 + 4 * i, overlap ? clock + 19 : clock + 3 + 4 * i);
    for (const op of row.ops) {
      if (op.write) builder.write(txn, keys + op.key, value(op.value));
      else builder.read(txn, keys + op.key, value(op.value));
    }
  });
  return firstValue + 10;
}
