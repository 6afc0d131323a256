/**
 * The smallest mini-transaction histories of each anomaly: Table I of the mini-transaction paper (its Figure 5), and
 * two more. One line is one transaction: `session[!]: op op ...`. Operations are `rK V` and `wK V` on keys x and y, V =
 * 0 is the initial value, and `!` is aborted. Transactions of different letters overlap in time unless the row says
 * otherwise.
 */
import type { KvAnomalyName } from '../../core/index.ts';

export interface Gadget {
  readonly name: KvAnomalyName;
  readonly txns: readonly string[];
  /** The transactions follow one another in real time. */
  readonly inTurn?: true;
}

export const GADGETS: readonly Gadget[] = [
  { name: 'ThinAirRead', txns: ['A: rx9'] },
  { name: 'AbortedRead', txns: ['A!: rx0 wx1', 'B: rx1'] },
  { name: 'FutureRead', txns: ['A: rx1 wx1'] },
  { name: 'NotMyLastWrite', txns: ['A: rx0 wx1 wx2 rx1'] },
  { name: 'NotMyOwnWrite', txns: ['A: rx0 wx1 rx0'] },
  { name: 'IntermediateRead', txns: ['A: rx0 wx1 wx2', 'B: rx1'] },
  { name: 'NonRepeatableRead', txns: ['A: rx0 wx1', 'B: rx0 rx1'] },
  { name: 'SessionGuaranteeViolation', txns: ['A: rx0 wx1', 'A: rx0'] },
  { name: 'NonMonotonicRead', txns: ['A: rx0 wx1', 'B: rx1 ry0 wx2 wy3', 'C: ry3 rx1'] },
  { name: 'FracturedRead', txns: ['A: rx0 ry0 wx1 wy2', 'B: rx0 ry2'] },
  { name: 'CausalityViolation', txns: ['A: rx0 wx1', 'B: rx1 ry0 wy2', 'C: ry2 rx0'] },
  { name: 'LongFork', txns: ['A: rx0 wx1', 'B: ry0 wy2', 'C: rx1 ry0', 'D: rx0 ry2'] },
  { name: 'LostUpdate', txns: ['A: rx0 wx1', 'B: rx0 wx2'] },
  { name: 'WriteSkew', txns: ['A: rx0 ry0 wx1', 'B: rx0 ry0 wy2'] },
  { name: 'CyclicCO', txns: ['A: rx2 ry0 wy1', 'B: ry1 rx0 wx2'] },
  { name: 'RealTimeViolation', txns: ['A: rx0 wx1', 'B: rx0'], inTurn: true },
];

export interface GadgetOp {
  readonly write: boolean;
  readonly key: 0 | 1;
  readonly value: number;
}

export interface GadgetTxn {
  readonly session: string;
  readonly aborted: boolean;
  readonly ops: readonly GadgetOp[];
}

export function gadgetTxns(gadget: Gadget): readonly GadgetTxn[] {
  return gadget.txns.map((line) => {
    const [who, what] = line.split(': ');
    return {
      session: who.replace('!', ''),
      aborted: who.endsWith('!'),
      ops: what.split(' ').map((op) => ({ write: op.startsWith('w'), key: op[1] === 'x' ? 0 : 1, value: Number(op.slice(2)) })),
    };
  });
}
