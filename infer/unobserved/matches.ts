/**
 * Tells which versions satisfy a condition, according to the database or the values of keys (History.predicates,
 * History.unobservedReads).
 */
import { NONE } from '../../core/index.ts';
import type { History } from '../../core/index.ts';
import type { VersionOrder } from '../versions/order.ts';

export const MATCH = { no: 0, yes: 1, unknown: 2 } as const;

interface Conditions {
  readonly base: Int32Array;
  readonly size: Int32Array;
  readonly matches: readonly (string | undefined)[];
}

/** Returns the number by which the history's conditions name each version, or NONE. */
export function numberedVersions({ predicates }: History, order: VersionOrder): Int32Array {
  const numberOf = new Int32Array(order.count).fill(NONE);
  for (let k = 0; k < predicates.row.length; k++) {
    const v = predicates.row[k] === NONE ? NONE : order.find(predicates.row[k], predicates.txn[k], predicates.seq[k]);
    if (v !== NONE) numberOf[v] = k;
  }
  return numberOf;
}

/** NONE, the unborn version, satisfies no condition, and neither does a dead version. */
export function matchOf({ base, size, matches }: Conditions, p: number, order: VersionOrder, numberOf: Int32Array, v: number): number {
  if (v === NONE || order.dead[v] === 1) return MATCH.no;
  const bits = matches[p];
  if (bits === undefined) return MATCH.yes;
  const at = numberOf[v] - base[p];
  if (numberOf[v] === NONE || at < 0 || at >= size[p]) return MATCH.unknown;
  return bits[at] === '1' ? MATCH.yes : bits[at] === '0' ? MATCH.no : MATCH.unknown;
}
