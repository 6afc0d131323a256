/**
 * Completes a witness, so that its transactions alone show it. They are those that its explanation names, the writers
 * of what these read, and a reader that proves the effect of each transaction of unknown outcome. For a cycle of few
 * transactions it adds the case distinction that `anomalist verify` derives again. The linear checkers (AWDIT,
 * mini-transactions) find cycles without one. It is then derived from those few transactions alone.
 */
import { KV_INITIAL, OP, TXN_STATUS, kvKey, kvValue } from '../../core/index-kv.ts';
import { InternalError, renumbered } from '../../core/index.ts';
import type { AskedLevel, KvAnomaly, KvHistory, KvOperation, KvRefutation, KvVerdict, Level } from '../../core/index.ts';
import { txnText } from '../mini/describe.ts';
import { linkOperations } from '../mini/link.ts';
import { LISTED, refutationAmong } from './refutation.ts';
import { tookEffect } from './took-effect.ts';

/** The number of reads of values with several writers, one of unknown outcome, that a witness names. */
const MOST_READS = 16;

export function certified<L extends AskedLevel>(history: KvHistory, verdict: KvVerdict<L>): KvVerdict<L> {
  if (verdict.anomalies.length === 0) return verdict;
  let shown: ReadonlyMap<number, number> | undefined;
  const shownBy = (txn: number): number | undefined => (shown ??= tookEffect(history)).get(txn);
  return { ...verdict, anomalies: verdict.anomalies.map((anomaly) => witnessed(history, anomaly, shownBy)) };
}

function witnessed<L extends AskedLevel>(
  history: KvHistory,
  anomaly: KvAnomaly<L>,
  shownBy: (txn: number) => number | undefined,
): KvAnomaly<L> {
  const { cycle, refutation, operations } = anomaly;
  const named = [...operations, ...cycle.flatMap((step) => step.operations)];
  const all = new Set([...anomaly.transactions, ...named.map(({ txn }) => txn), ...(refutation?.transactions ?? [])]);
  if (refutation === undefined)
    for (const { writers } of writersOf(history, readsNamed(history, named))) for (const txn of writers) all.add(txn);
  const first = new Set(all);
  const because: string[] = [];
  // The set grows in the loop, because a reader of unknown outcome needs a reader of its own.
  for (const txn of all) {
    if (txn === KV_INITIAL || history.status[txn] !== TXN_STATUS.unknown) continue;
    const reader = shownBy(txn);
    if (reader === undefined) {
      // If several transactions wrote the value that was read, the effect of this one rests on all of them.
      for (const { read, writers } of first.has(txn) ? writersOf(history, readsOf(history, txn)) : [])
        for (const t of [txnOf(history, read), ...writers]) all.add(t);
      continue;
    }
    if (!all.has(reader)) because.push(`${txnText(history, txn)} took effect, since ${txnText(history, reader)} reads from it`);
    all.add(reader);
  }
  const transactions = [...all].filter((txn) => txn !== KV_INITIAL || anomaly.transactions.includes(txn));
  const found = refutation ?? (cycle.length === 0 ? undefined : refuted(history, transactions, anomaly.levels));
  const explanation = because.length === 0 ? anomaly.explanation : `${anomaly.explanation.replace(/\.$/, '')}; ${because.join('; ')}.`;
  return { ...anomaly, explanation, transactions, ...(found !== undefined && { refutation: about(found, transactions) }) };
}

/** Adds to a refutation the transactions that prove the effect of others. */
function about(refutation: KvRefutation, transactions: readonly number[]): KvRefutation {
  const beside = transactions.filter((txn) => txn !== KV_INITIAL && !refutation.transactions.includes(txn));
  return beside.length === 0 ? refutation : { ...refutation, transactions: [...refutation.transactions, ...beside].sort((x, y) => x - y) };
}

/** Returns the first reads, by others, of values that a transaction wrote. */
function readsOf(history: KvHistory, txn: number): readonly number[] {
  const { txnCount, opStart, opEnd, kind, status } = history;
  const slot = (op: number): string => `${kvKey(history, op)} ${kvValue(history, op)}`;
  const written = new Set(opsOf(history, txn).flatMap((op) => (kind[op] === OP.write ? [slot(op)] : [])));
  const reads: number[] = [];
  for (let t = 0; t < txnCount && reads.length < MOST_READS; t++)
    if (t !== txn && status[t] !== TXN_STATUS.aborted)
      for (let op = opStart[t]; op < opEnd[t]; op++) if (kind[op] === OP.read && written.has(slot(op))) reads.push(op);
  return reads;
}

function txnOf({ txnCount, opStart, opEnd }: KvHistory, op: number): number {
  for (let t = 0; t < txnCount; t++) if (opStart[t] <= op && op < opEnd[t]) return t;
  throw new InternalError(`operation ${op} is of no transaction`);
}

/** Returns the reads of the history that the operations of a witness name. */
function readsNamed(history: KvHistory, operations: readonly KvOperation[]): readonly number[] {
  const { opStart, opEnd, kind } = history;
  const reads: number[] = [];
  for (const each of operations) {
    if (each.kind !== 'read' || each.txn === KV_INITIAL) continue;
    for (let op = opStart[each.txn]; op < opEnd[each.txn]; op++) if (kind[op] === OP.read && isAt(history, op, each)) reads.push(op);
  }
  return reads;
}

function isAt(history: KvHistory, op: number, { key, value }: KvOperation): boolean {
  const { keyLow, keyHigh, valueLow, valueHigh } = history;
  const name = history.keyName?.(keyLow[op], keyHigh?.[op] ?? keyLow[op] >> 31) ?? String(kvKey(history, op));
  const shown = [history.valueName?.(valueLow[op], valueHigh?.[op] ?? valueLow[op] >> 31), String(kvValue(history, op))];
  return name === key && shown.includes(value ?? undefined);
}

interface ReadOf {
  readonly read: number;
  /** Every transaction that wrote the value and did not abort. If there is none, those that aborted. */
  readonly writers: ReadonlySet<number>;
}

/** Finds the writers in one pass over the history. */
function writersOf(history: KvHistory, reads: readonly number[]): readonly ReadOf[] {
  const { txnCount, opStart, opEnd, kind, status } = history;
  const slot = (op: number): string => `${kvKey(history, op)} ${kvValue(history, op)}`;
  const writers = new Map(reads.map((read) => [slot(read), { left: new Set<number>(), undone: new Set<number>() }]));
  // Most writes have other values, which differ in their lower halves.
  const low = new Set(reads.map((read) => history.valueLow[read]));
  if (writers.size > 0)
    for (let t = 0; t < txnCount; t++)
      for (let op = opStart[t]; op < opEnd[t]; op++)
        if (kind[op] === OP.write && low.has(history.valueLow[op]))
          writers.get(slot(op))?.[status[t] === TXN_STATUS.aborted ? 'undone' : 'left'].add(t);
  return reads.map((read) => {
    const { left, undone } = writers.get(slot(read)) ?? { left: new Set<number>(), undone: new Set<number>() };
    return { read, writers: left.size > 0 ? left : undone };
  });
}

/**
 * Refutes the weakest of the levels by these transactions alone. Their reads of other transactions then demand nothing.
 */
function refuted(history: KvHistory, transactions: readonly number[], levels: readonly AskedLevel[]): KvRefutation | undefined {
  const core = transactions.filter((txn) => txn !== KV_INITIAL).sort((a, b) => a - b);
  if (core.length > LISTED) return undefined;
  const links = linkOperations(partOf(history, core));
  const [external, version] = [links.external.slice(), links.version.slice()];
  const left = new Set<number>();
  const places = new Map(core.flatMap((t, i) => opsOf(history, t).map((op, n) => [op, links.history.opStart[i] + n] as const)));
  const reads = [...places.keys()].filter((op) => history.kind[op] === OP.read);
  for (const { read, writers } of writersOf(history, reads)) {
    if ([...writers].every((t) => core.includes(t))) continue;
    const op = places.get(read) ?? 0;
    external[op] = version[op] = -1;
    left.add(op);
  }
  const alone = { ...links, external, version, unclear: links.unclear.filter(({ read }) => !left.has(read)) };
  // A transaction whose effect no transaction here proves orders nothing: it may not have committed.
  const committed = Int32Array.from(core.keys()).filter((i) => links.live[i] === 1);
  const found = refutationAmong(alone, committed, levels as readonly Level[]);
  return found && renumbered(found, (txn) => core[txn]);
}

function opsOf({ opStart, opEnd }: KvHistory, t: number): readonly number[] {
  return Array.from({ length: opEnd[t] - opStart[t] }, (_, i) => opStart[t] + i);
}

/** Returns the history of some of its transactions, ascending, without the others. */
function partOf(history: KvHistory, txns: readonly number[]): KvHistory {
  const { sessionStart, sessionCount, opStart, opEnd, status, beginAt, endAt, txnName, txnId, level } = history;
  const ops = txns.flatMap((t) => opsOf(history, t));
  const starts: number[] = [];
  let length = 0;
  for (const t of txns) {
    starts.push(length);
    length += opEnd[t] - opStart[t];
  }
  const sessions: number[] = [0];
  for (let s = 0; s < sessionCount; s++) sessions.push(txns.filter((t) => t < sessionStart[s + 1]).length);
  const pick = (column: Int32Array): Int32Array => Int32Array.from(ops, (op) => column[op]);
  return {
    ...history,
    txnCount: txns.length,
    opCount: ops.length,
    sessionStart: Uint32Array.from(sessions),
    opStart: Uint32Array.from(starts),
    opEnd: Uint32Array.from(txns, (t, i) => starts[i] + opEnd[t] - opStart[t]),
    status: Uint8Array.from(txns, (t) => status[t]),
    kind: Uint8Array.from(ops, (op) => history.kind[op]),
    keyLow: pick(history.keyLow),
    keyHigh: history.keyHigh && pick(history.keyHigh),
    valueLow: pick(history.valueLow),
    valueHigh: history.valueHigh && pick(history.valueHigh),
    beginAt: beginAt && Float64Array.from(txns, (t) => beginAt[t]),
    endAt: endAt && Float64Array.from(txns, (t) => endAt[t]),
    fileOrder: undefined,
    txnName: (t) => txnName?.(txns[t]) ?? String(txns[t]),
    ...(txnId && { txnId: (t: number) => txnId(txns[t]) }),
    ...(level && { level: (t: number) => level(txns[t]) }),
  };
}
