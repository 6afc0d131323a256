/**
 * Names cycles as Table I of the mini-transaction paper does (h to n), by their edges. With one rw edge, the reader of
 * an overwritten version sees the overwriting transaction in another way, and that way is the name. Two rw edges
 * between two transactions are a lost update on one key, and write skew on two. With more transactions it is a long
 * fork if no two rw edges are adjacent.
 */
import { AWDIT_LEVELS, STRONG_LEVELS } from '../../core/index-kv.ts';
import type { KvAnomalyName, KvHistory, Level } from '../../core/index.ts';
import type { Step } from './dependencies.ts';
import { sameKey } from './key-table.ts';

/**
 * The levels that each name rules out, weakest first (Biswas and Enea for rc, ra, cc; Cerone and Gotsman for the rest).
 */
export const NAME_LEVELS: Readonly<Record<KvAnomalyName, readonly Level[]>> = {
  ThinAirRead: from('rc'),
  AbortedRead: from('rc'),
  IntermediateRead: from('rc'),
  FutureRead: from('rc'),
  NotMyOwnWrite: from('rc'),
  NotMyLastWrite: from('rc'),
  CyclicCO: from('rc'),
  NonMonotonicRead: from('rc'),
  NonRepeatableRead: from('ra'),
  SessionGuaranteeViolation: from('ra'),
  FracturedRead: from('ra'),
  CausalityViolation: from('cc'),
  LongFork: from('snapshot-isolation'),
  LostUpdate: from('snapshot-isolation'),
  NotSnapshotIsolated: from('snapshot-isolation'),
  WriteSkew: from('serializable'),
  NotSerializable: from('serializable'),
  RealTimeViolation: from('strict-serializable'),
  NotLinearizable: from('strict-serializable'),
  // This name belongs to no level by itself.
  NotAtOwnLevels: [],
};

function from(weakest: Level): readonly Level[] {
  const order: readonly Level[] = [...AWDIT_LEVELS, ...STRONG_LEVELS];
  return order.slice(order.indexOf(weakest));
}

export function nameCycle(history: KvHistory, cycle: readonly Step[]): KvAnomalyName {
  if (cycle.some((step) => step.rel === 'rt')) return 'RealTimeViolation';
  const antis = cycle.filter((step) => step.rel === 'rw').length;
  if (cycle.some((step) => step.rel === 'ww' && step.because !== undefined)) return guessedOrder(history, cycle);
  if (antis === 0) return 'CyclicCO';
  if (antis === 1) return oneAnti(cycle);
  if (cycle.length === 2) return sameKey(history, cycle[0].toOp, cycle[1].toOp) ? 'LostUpdate' : 'WriteSkew';
  const nonadjacent = cycle.every((step, i) => step.rel !== 'rw' || cycle[(i + 1) % cycle.length].rel !== 'rw');
  return nonadjacent ? 'LongFork' : 'NotSerializable';
}

function oneAnti(cycle: readonly Step[]): KvAnomalyName {
  const at = cycle.findIndex((step) => step.rel === 'rw');
  const anti = cycle[at];
  const others = [...cycle.slice(at + 1), ...cycle.slice(0, at)];
  if (others.every((step) => step.rel === 'so')) return 'SessionGuaranteeViolation';
  if (others.length > 1) return 'CausalityViolation';
  // The reader read from the overwriting transaction itself. The name depends on which of its two reads came first.
  return others[0].toOp >= 0 && others[0].toOp < anti.fromOp && others[0].rel === 'wr' ? 'NonMonotonicRead' : 'FracturedRead';
}

/** Names cycles whose ww edges a search inferred. Except for the lost update, the table's names need known orders. */
function guessedOrder(history: KvHistory, cycle: readonly Step[]): KvAnomalyName {
  const anti = cycle.find((step) => step.rel === 'rw');
  const write = cycle.find((step) => step.rel === 'ww');
  if (cycle.length === 2 && anti !== undefined && write !== undefined && sameKey(history, anti.toOp, write.toOp)) return 'LostUpdate';
  const nonadjacent = cycle.every((step, i) => step.rel !== 'rw' || cycle[(i + 1) % cycle.length].rel !== 'rw');
  return nonadjacent ? 'NotSnapshotIsolated' : 'NotSerializable';
}
