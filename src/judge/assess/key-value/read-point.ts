/** Returns the read point of a statement of these workloads, as the steps of other cycles have it (check/cycles/cycle-steps.ts). */
import type { CycleStep, History, SentKind } from '../../../../core/index.ts';

/** These statements read the newest row and lock it. A SELECT reads a snapshot. */
const WRITES: ReadonlySet<SentKind> = new Set<SentKind>(['update', 'insert']);

export function readPoints({ statements }: History): (statement: number) => Pick<CycleStep, 'readPoint' | 'afterWrite'> {
  const firstLock = new Map<number, number>();
  for (let s = statements.count - 1; s >= 0; s--) if (WRITES.has(statements.kind[s]!)) firstLock.set(statements.txn[s]!, s);
  return (s) => ({
    readPoint: WRITES.has(statements.kind[s]!) ? 'current' : 'snapshot',
    ...((firstLock.get(statements.txn[s]!) ?? Number.POSITIVE_INFINITY) < s && { afterWrite: true }),
  });
}
