/**
 * Explains why an inferred edge t2 -> t1 holds: the reader t3, its read of x from t1, t2's write of x, and how t3 had
 * seen t2. READ COMMITTED demands the edge if t3 saw t2 by an earlier read. READ ATOMIC adds any other read and the
 * session. CAUSAL CONSISTENCY adds chains of session order and reads. The weakest of these names the anomaly.
 */
import type { KvCycleStep, KvOperation } from '../../core/index.ts';
import type { AwditAnomalyName, Describer } from './describe.ts';
import type { AwditState } from './state.ts';

export interface Justification {
  readonly name: AwditAnomalyName;
  readonly step: KvCycleStep;
}

/** The names from the weakest demand to the strongest. */
export const BY_STRENGTH: readonly AwditAnomalyName[] = [
  'NonMonotonicRead',
  'NonRepeatableRead',
  'FracturedRead',
  'SessionGuaranteeViolation',
  'CausalityViolation',
];

export function justify(state: AwditState, describer: Describer, t2: number, t1: number, read: number): Justification {
  const { from, key, opStart, opEnd } = state;
  const { kind } = state.history;
  const t3 = describer.txnOf(read);
  const write2 = describer.lastWrite(t2, read);
  const write1 = describer.lastWrite(t1, read);
  let earlier = -1;
  let any = -1;
  let same = -1;
  for (let op = opStart[t3]; op < opEnd[t3]; op++) {
    if (kind[op] === 1 || from[op] !== t2) continue;
    if (op < read && earlier < 0) earlier = op;
    if (any < 0) any = op;
    if (key[op] === key[read]) same = op;
  }
  const reader = describer.txnTitle(t3);
  const got = t1 < 0 ? `finds the initial value of ${describer.key(read)}` : `reads ${describer.pair(read)} from ${describer.txnName(t1)}`;
  const also = `${describer.txnName(t2)} also writes ${write2 < 0 ? describer.key(read) : describer.pair(write2)}`;
  const so = `so ${describer.txnName(t2)} must come before ${describer.txnName(t1)}`;
  const operations: KvOperation[] = [];
  let name: AwditAnomalyName;
  let how: string;
  const chain: Hop[] = [];
  if (earlier >= 0) {
    name = 'NonMonotonicRead';
    how = `${reader} reads ${describer.pair(earlier)} from ${describer.txnName(t2)} and then ${got}`;
    operations.push(describer.operation(earlier, t3));
  } else if (any >= 0) {
    name = same >= 0 ? 'NonRepeatableRead' : 'FracturedRead';
    how = `${reader} ${got} and reads ${describer.pair(any)} from ${describer.txnName(t2)}`;
    operations.push(describer.operation(any, t3));
  } else if (t2 < t3 && state.session[t2] === state.session[t3]) {
    name = 'SessionGuaranteeViolation';
    how = `${reader} ${got}, after ${describer.txnName(t2)} in the same session`;
  } else {
    name = 'CausalityViolation';
    for (const hop of chainTo(state, describer, t2, t3)) chain.push(hop);
    how = `${reader} ${got}, and it depends on ${describer.txnName(t2)}${chain.length === 0 ? '' : ` (${chain.map((hop) => hop.how).join(', ')})`}`;
  }
  operations.push(describer.operation(read, t3));
  if (write2 >= 0) operations.push(describer.operation(write2, t2));
  if (write1 >= 0) operations.push(describer.operation(write1, t1));
  // The path from t2 to t3 passes through these transactions.
  for (const { op, txn } of chain) if (op < opEnd[txn]) operations.push(describer.operation(op, txn));
  return {
    name,
    step: {
      from: describer.index(t2),
      to: describer.index(t1),
      rel: 'ww',
      key: describer.key(read),
      inferred: true,
      operations,
      explanation: `${how}; ${also}, ${so}`,
    },
  };
}

/** A step of the path, by which one transaction depends on another. */
interface Hop {
  readonly how: string;
  /** The transaction that follows, and its read. If only session order leads to it, `op` is its first operation. */
  readonly txn: number;
  readonly op: number;
}

/**
 * Finds a shortest chain of session order and reads from t2 to t3. The search goes backwards from t3, breadth first,
 * and visits each transaction once.
 */
function chainTo(state: AwditState, describer: Describer, t2: number, t3: number): readonly Hop[] {
  const { from, live, opStart, opEnd, order, rank, session } = state;
  const { kind, sessionStart } = state.history;
  const towards = new Map<number, Hop | undefined>([[t3, undefined]]);
  const queue = [t3];
  for (let i = 0; i < queue.length && !towards.has(t2); i++) {
    const t = queue[i];
    const reach = (before: number, op: number, how: string): void => {
      if (towards.has(before)) return;
      towards.set(before, { txn: t, op, how });
      queue.push(before);
    };
    for (let op = opStart[t]; op < opEnd[t]; op++)
      if (kind[op] !== 1 && from[op] >= 0)
        reach(from[op], op, `${describer.txnName(t)} reads ${describer.pair(op)} from ${describer.txnName(from[op])}`);
    let previous = order[t] - 1;
    while (previous >= sessionStart[session[t]] && live[rank[previous]] === 0) previous--;
    const before = rank[previous];
    if (previous >= sessionStart[session[t]])
      reach(before, opStart[t], `${describer.txnName(t)} follows ${describer.txnName(before)} in session ${describer.sessionName(t)}`);
  }
  const hops: Hop[] = [];
  for (let at = towards.get(t2); at !== undefined; at = towards.get(at.txn)) hops.push(at);
  return hops;
}
