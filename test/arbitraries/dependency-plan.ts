/** Small dependency graphs: transactions with their sessions and times, and data edges between them. */
import * as fc from 'fast-check';
import type { RelName } from '../../core/level/index.ts';

export interface Arc {
  /** Transactions by their place, from 1. */
  readonly from: number;
  readonly to: number;
  readonly rel: RelName;
  readonly row: number;
}

export interface Plan {
  readonly txns: readonly { readonly session: number; readonly from: number; readonly to: number }[];
  readonly data: readonly Arc[];
}

const KINDS: readonly RelName[] = ['ww', 'wr', 'rw', 'wrp', 'rwp'];

export function dependencyPlan(): fc.Arbitrary<Plan> {
  const txn = fc.record({ session: fc.nat({ max: 5 }), pause: fc.integer({ min: 1, max: 40 }), lasts: fc.integer({ min: 2, max: 61 }) });
  const arc = fc.record({ from: fc.nat({ max: 5 }), to: fc.nat({ max: 5 }), rel: fc.nat({ max: 4 }), row: fc.nat({ max: 2 }) });
  return fc
    .record({
      txns: fc.array(txn, { minLength: 2, maxLength: 6, size: 'max' }),
      sessions: fc.integer({ min: 1, max: 6 }),
      // few kinds make the rare classes
      kinds: fc.subarray([...KINDS], { minLength: 1 }),
      arcs: fc.array(arc, { maxLength: 17, size: 'max' }),
    })
    .map(({ txns, sessions, kinds, arcs }) => ({
      txns: timed(txns, Math.min(sessions, txns.length)),
      data: arcs
        .map(({ from, to, rel, row }) => ({
          from: 1 + (from % txns.length),
          to: 1 + (to % txns.length),
          rel: kinds[rel % kinds.length]!,
          row,
        }))
        .filter(({ from, to }) => from !== to),
    }));
}

/** Those of one session follow one another. */
function timed(
  txns: readonly { readonly session: number; readonly pause: number; readonly lasts: number }[],
  sessions: number,
): Plan['txns'] {
  const clock = Array.from({ length: sessions }, () => 0);
  return txns.map(({ session: drawn, pause, lasts }) => {
    const session = drawn % sessions;
    const from = clock[session]! + pause;
    clock[session] = from + lasts;
    return { session, from, to: from + lasts };
  });
}
