/**
 * What the model promises, and the one way in which it may be told to break its promise. `serializable` is snapshot
 * isolation plus a test at commit: the transaction joins a graph of all committed ones, in which a reader of a table
 * precedes every concurrent writer of it; on a cycle it is refused. Reads count for whole tables (so no predicate can
 * be missed), and whoever committed before another's snapshot precedes it, which makes the rule strict as well.
 */
export type Rule = 'serial' | 'read-committed' | 'snapshot' | 'serializable';

export type Breakage =
  /** A committed update is overwritten by one that never saw it, or forgotten at commit. */
  | 'lost write'
  /** A query reads an older, consistent snapshot. */
  | 'stale read'
  /** A query reads versions whose writers are still active. */
  | 'dirty read'
  /** A query reads some rows from an older snapshot than others. */
  | 'fractured snapshot'
  /** A query reads a committed transaction's version that the same transaction replaced. */
  | 'intermediate read';

export const RULES: readonly Rule[] = ['serial', 'read-committed', 'snapshot', 'serializable'];
export const BREAKAGES: readonly Breakage[] = ['lost write', 'stale read', 'dirty read', 'fractured snapshot', 'intermediate read'];

/** Rules whose transactions keep one snapshot and refuse to overwrite what it does not show. */
export function keepsSnapshot(rule: Rule): boolean {
  return rule === 'snapshot' || rule === 'serializable';
}

export interface Committed {
  readonly id: number;
  readonly snapshot: number;
  readonly commitAt: number;
  /** Bit per table. */
  readonly reads: number;
  readonly writes: number;
}

/** Would this transaction, committed now, close a cycle? O(n^2) in the number of transactions. */
export function closesCycle(candidate: Committed, committed: readonly Committed[]): boolean {
  const all = [...committed, candidate];
  const seen = new Set<Committed>();
  const open: Committed[] = [candidate];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const to of all) {
      if (to === from || !precedes(from, to)) continue;
      if (to === candidate) return true;
      if (!seen.has(to)) {
        seen.add(to);
        open.push(to);
      }
    }
  }
  return false;
}

function precedes(a: Committed, b: Committed): boolean {
  if (a.commitAt <= b.snapshot) return true;
  if (b.commitAt <= a.snapshot) return false;
  return (a.reads & b.writes) !== 0;
}
