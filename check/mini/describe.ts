/** Describes links and cycles as anomalies: one sentence a step, with the transactions, the key and the values. */
import { KV_INITIAL, OP, kvKey, kvValue } from '../../core/index-kv.ts';
import type { KvAnomaly, KvAnomalyName, KvCycleStep, KvHistory, KvOperation, Level } from '../../core/index.ts';
import type { Step } from './dependencies.ts';
import type { BadRead, Links } from './link.ts';
import { NAME_LEVELS, nameCycle } from './name-cycle.ts';

/** Returns `transaction 3 reads key 1 as 5`. */
export function readText({ history }: Pick<Links, 'history'>, { txn, op }: Pick<BadRead, 'txn' | 'op'>): string {
  return `${txnText(history, txn)} reads ${keyText(history, op)} as ${valueText(history, op)}`;
}

export function describeBadRead(links: Links, bad: BadRead): KvAnomaly {
  const { history, version } = links;
  const reads = readText(links, bad);
  const from = version[bad.op] >= 0 && history.kind[version[bad.op]] === OP.write ? links.opTxn[version[bad.op]] : KV_INITIAL;
  const sentence: Partial<Record<KvAnomalyName, string>> = {
    ThinAirRead: `${reads}, which no transaction wrote`,
    AbortedRead: `${reads}, which ${txnText(history, from)} wrote and then aborted`,
    IntermediateRead: `${reads}, which ${txnText(history, from)} wrote and then overwrote itself`,
    FutureRead: `${reads} before it writes that value itself`,
    NotMyOwnWrite: `${reads} after it wrote ${bad.other >= 0 ? valueText(history, bad.other) : 'another value'} to it`,
    NotMyLastWrite: `${reads}, its own write, after it overwrote that with ${bad.other >= 0 ? valueText(history, bad.other) : 'another value'}`,
    NonRepeatableRead: `${reads} after it read ${bad.other >= 0 ? valueText(history, bad.other) : 'another value'}, without writing in between`,
  };
  const operations = [
    bad.op,
    ...(bad.other >= 0 ? [bad.other] : version[bad.op] >= 0 && history.kind[version[bad.op]] === OP.write ? [version[bad.op]] : []),
  ];
  return {
    name: bad.name,
    levels: NAME_LEVELS[bad.name],
    cycle: [],
    transactions: [...new Set(operations.map((op) => links.opTxn[op]))],
    operations: operations.map((op) => operationOf(links, op)),
    explanation: `${sentence[bad.name] ?? bad.name}.`,
  };
}

/** `levels` replaces the levels of the name, because a search proves less than the name says. */
export function describeCycle(
  links: Links,
  cycle: readonly Step[],
  name: KvAnomalyName = nameCycle(links.history, cycle),
  levels: readonly Level[] = NAME_LEVELS[name],
): KvAnomaly {
  const described = cycle.map((step) => describeStep(links, step));
  return {
    name,
    levels,
    cycle: described,
    transactions: cycle.map((step) => step.from),
    operations: described.flatMap((step) => step.operations),
    explanation: `${described.map((step) => step.explanation).join('; ')}; which closes the cycle.`,
  };
}

function describeStep(links: Links, step: Step): KvCycleStep {
  const { history } = links;
  const [from, to] = [txnText(history, step.from), txnText(history, step.to)];
  const ops = [step.fromOp, step.toOp].filter((op) => op >= 0);
  const key = ops.length > 0 ? keyName(history, ops[0]) : undefined;
  const sentence =
    step.sentence ??
    {
      so: () => `${from} comes before ${to} in session ${sessionText(history, sessionOf(history, step.from))}`,
      rt: () => `${from} had ended (at ${history.endAt?.[step.from]}) before ${to} began (at ${history.beginAt?.[step.to]})`,
      wr: () => `${to} reads ${keyText(history, step.toOp)} as ${valueText(history, step.toOp)}, which ${from} wrote`,
      ww: () => `${to} overwrites ${keyText(history, step.toOp)}, which ${from} wrote`,
      rw: () =>
        `${from} reads ${keyText(history, step.fromOp)} as ${valueText(history, step.fromOp)}, before ${to} writes ${valueText(history, step.toOp)} to it`,
    }[step.rel]();
  return {
    from: step.from,
    to: step.to,
    rel: step.rel,
    ...(key === undefined ? {} : { key }),
    ...(step.because === undefined ? {} : { inferred: true as const }),
    operations: ops.map((op) => operationOf(links, op)),
    explanation: step.because === undefined ? sentence : `${sentence} (${step.because})`,
  };
}

/** Describes the lost update of two transactions that read one version and both overwrote it. */
export function describeDivergence(links: Links, first: number, other: number): KvAnomaly {
  const { history, opTxn } = links;
  const [a, b] = [opTxn[first], opTxn[other]];
  const reads = [readBefore(links, first), readBefore(links, other)];
  const cycle: readonly Step[] = [
    { from: a, to: b, rel: 'rw', fromOp: reads[0], toOp: other },
    { from: b, to: a, rel: 'rw', fromOp: reads[1], toOp: first },
  ];
  return {
    ...describeCycle(links, cycle, 'LostUpdate'),
    explanation: `${txnText(history, a)} and ${txnText(history, b)} both read ${keyText(history, first)} as ${valueText(history, reads[0])} and then write ${valueText(history, first)} and ${valueText(history, other)}: whichever is second loses the other's update.`,
  };
}

/** Returns the read whose version a write overwrites. */
function readBefore(links: Links, write: number): number {
  for (let op = links.history.opStart[links.opTxn[write]]; op < write; op++) if (links.external[op] === links.overwrites[write]) return op;
  return write;
}

export function operationOf(links: Links, op: number): KvOperation {
  const { history, opTxn } = links;
  const txn = opTxn[op];
  return {
    txn,
    txnName: history.txnName?.(txn) ?? String(txn),
    session: sessionText(history, sessionOf(history, txn)),
    kind: history.kind[op] === OP.write ? 'write' : 'read',
    key: keyName(history, op),
    value: history.kind[op] === OP.readInitial ? null : String(kvValue(history, op)),
  };
}

export function txnText(history: KvHistory, txn: number): string {
  return txn === KV_INITIAL ? 'the initial transaction' : `transaction ${history.txnName?.(txn) ?? txn}`;
}

export function keyName(history: KvHistory, op: number): string {
  const low = history.keyLow[op];
  return history.keyName?.(low, history.keyHigh?.[op] ?? low >> 31) ?? String(kvKey(history, op));
}

function keyText(history: KvHistory, op: number): string {
  return `key ${keyName(history, op)}`;
}

export function valueText(history: KvHistory, op: number): string {
  return history.kind[op] === OP.readInitial ? 'nothing' : String(kvValue(history, op));
}

function sessionText(history: KvHistory, session: number): string {
  return history.sessionName?.(session) ?? String(session);
}

function sessionOf(history: KvHistory, txn: number): number {
  let low = 0;
  let high = history.sessionCount - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (history.sessionStart[middle] <= txn) low = middle;
    else high = middle - 1;
  }
  return low;
}
