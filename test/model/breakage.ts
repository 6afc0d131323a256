/**
 * The five ways to be broken, each as a choice of the version that a statement sees or builds on.
 */
import { InternalError } from '../../core/base/index.ts';
import type { Random } from '../../core/base/index.ts';
import type { Breakage } from './rules.ts';
import { newest, visible } from './store.ts';
import type { Row, Version } from './store.ts';

export type View = (row: Row) => Version | undefined;

/** How a broken query sees rows; own writes are always on top. */
export function breakView(how: Breakage, txn: number, snapshot: number, random: Random): View {
  const honest: View = (row) => visible(row, txn, snapshot);
  switch (how) {
    case 'lost write':
      return honest;
    case 'stale read': {
      const older = random.int(0, snapshot);
      return (row) => visible(row, txn, older);
    }
    case 'dirty read':
      return (row) => newest(row);
    case 'fractured snapshot': {
      const older = random.int(0, snapshot);
      return (row) => (random.chance(0.5) ? visible(row, txn, older) : honest(row));
    }
    case 'intermediate read':
      return (row) => {
        const seen = honest(row);
        const before = seen?.parent;
        return before && seen.txn !== txn && before.txn === seen.txn ? before : seen;
      };
    default:
      throw new InternalError(`no such breakage: ${String(how)}`);
  }
}

/** The version that another transaction's committed newest one replaced: an update built on it loses that write. */
export function overwritable(row: Row, txn: number): Version | undefined {
  const last = newest(row);
  if (!last || last.commitAt === Infinity || last.txn === txn || last.values === null) return undefined;
  let before = last.parent;
  while (before?.txn === last.txn) before = before.parent;
  return before?.values ? before : undefined;
}

/** May this transaction's committed write of the row be forgotten? Only if the row was there before it. */
export function forgettable(row: Row, txn: number): boolean {
  return newest(row)?.txn === txn && row.versions.some((version) => version.txn !== txn);
}
