/**
 * A witness made whole: its transactions are all that its explanation names and all that wrote what these read, so that they
 * alone show it; and where it is a cycle of few transactions, the case distinction that `anomalist verify` derives again. The
 * linear checkers (AWDIT, mini-transactions) find cycles without one: it is made of those few transactions by themselves.
 */
import { KV_INITIAL, OP, TXN_STATUS, kvKey, kvValue } from '../../core/index-kv.ts';
import { renumbered } from '../../core/index.ts';
import type { AskedLevel, KvAnomaly, KvHistory, KvOperation, KvRefutation, KvVerdict, Level } from '../../core/index.ts';
import { linkOperations } from '../mini/link.ts';
import { LISTED, refutationAmong } from './refutation.ts';

export function certified<L extends AskedLevel>(history: KvHistory, verdict: KvVerdict<L>): KvVerdict<L> {
  if (verdict.anomalies.length === 0) return verdict;
  return { ...verdict, anomalies: verdict.anomalies.map((anomaly) => witnessed(history, anomaly)) };
}

function witnessed<L extends AskedLevel>(history: KvHistory, anomaly: KvAnomaly<L>): KvAnomaly<L> {
  const { cycle, refutation, operations } = anomaly;
  const named = [...operations, ...cycle.flatMap((step) => step.operations)];
  const all = new Set([...anomaly.transactions, ...named.map(({ txn }) => txn), ...(refutation?.transactions ?? [])]);
  if (refutation === undefined) for (const txn of writersOf(history, named)) all.add(txn);
  const transactions = [...all].filter((txn) => txn !== KV_INITIAL || anomaly.transactions.includes(txn));
  const found = refutation ?? (cycle.length === 0 ? undefined : refuted(history, transactions, anomaly.levels));
  return { ...anomaly, transactions, ...(found !== undefined && { refutation: found }) };
}

/** Everybody from whom the reads among the operations may be: one walk over the history. */
function writersOf(history: KvHistory, operations: readonly KvOperation[]): ReadonlySet<number> {
  const { txnCount, opStart, opEnd, kind } = history;
  const asked = new Map<string, Set<number>>();
  const slot = (op: number): string => `${kvKey(history, op)} ${kvValue(history, op)}`;
  for (const txn of new Set(operations.flatMap((each) => (each.kind === 'read' && each.txn !== KV_INITIAL ? [each.txn] : []))))
    for (let op = opStart[txn]; op < opEnd[txn]; op++)
      if (kind[op] === OP.read && operations.some((each) => each.txn === txn && each.kind === 'read' && isAt(history, op, each)))
        asked.set(slot(op), new Set());
  const writers = new Set<number>();
  if (asked.size === 0) return writers;
  const low = new Set([...asked.keys()].map((each) => Number(BigInt.asIntN(32, BigInt(each.split(' ')[1])))));
  const aborted = new Map<string, number>();
  for (let t = 0; t < txnCount; t++)
    for (let op = opStart[t]; op < opEnd[t]; op++) {
      if (kind[op] !== OP.write || !low.has(history.valueLow[op])) continue;
      const name = slot(op);
      if (!asked.has(name)) continue;
      if (history.status[t] === TXN_STATUS.aborted) aborted.set(name, t);
      else {
        writers.add(t);
        asked.get(name)?.add(t);
      }
    }
  for (const [name, t] of aborted) if (asked.get(name)?.size === 0) writers.add(t);
  return writers;
}

function isAt(history: KvHistory, op: number, { key, value }: KvOperation): boolean {
  const { keyLow, keyHigh, valueLow, valueHigh } = history;
  const name = history.keyName?.(keyLow[op], keyHigh?.[op] ?? keyLow[op] >> 31) ?? String(kvKey(history, op));
  const shown = [history.valueName?.(valueLow[op], valueHigh?.[op] ?? valueLow[op] >> 31), String(kvValue(history, op))];
  return name === key && shown.includes(value ?? undefined);
}

/** By these transactions alone, of the weakest of the levels. */
function refuted(history: KvHistory, transactions: readonly number[], levels: readonly AskedLevel[]): KvRefutation | undefined {
  const core = transactions.filter((txn) => txn !== KV_INITIAL).sort((a, b) => a - b);
  if (core.length > LISTED) return undefined;
  const part = partOf(history, core);
  const found = refutationAmong(linkOperations(part), Int32Array.from(core.keys()), levels as readonly Level[]);
  return found && renumbered(found, (txn) => core[txn]);
}

/** The history of some of its transactions, ascending, and of nobody else. */
export function partOf(history: KvHistory, txns: readonly number[]): KvHistory {
  const { sessionStart, sessionCount, opStart, opEnd, status, beginAt, endAt, txnName, txnId, level } = history;
  const ops = txns.flatMap((t) => Array.from({ length: opEnd[t] - opStart[t] }, (_, i) => opStart[t] + i));
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
