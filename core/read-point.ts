/**
 * Which version a statement's read of a row sees. `current`: the newest committed version, as a write or a locking
 * clause finds it. `snapshot`: the version that a plain SELECT sees. A SELECT may do both, because a locking clause
 * within it reaches some of its tables.
 */
import type { SentKind } from './event.ts';
import type { History } from './history.ts';
import { sentKindsThat } from './sent-kind.ts';

export type ReadPoint = 'current' | 'snapshot';

const CURRENT = sentKindsThat('newest');

/** Kinds that wait for a row's lock and then read the row again. */
export const LOOKING_AGAIN: ReadonlySet<SentKind> = sentKindsThat('reads again');

/**
 * The read point of a statement for a row. Undefined for a SELECT of an older file, which does not say what it locks.
 * Undefined also for FOR KEY SHARE: it returns its snapshot's row if only columns outside the key have changed since,
 * and the newest row otherwise.
 */
export function readPoint({ statements, rows }: History, statement: number, row: number): ReadPoint | undefined {
  const kind = statements.kind[statement]!;
  if (CURRENT.has(kind)) return 'current';
  if (kind === 'select for key share') return undefined;
  if (kind !== 'select') return 'snapshot';
  const locks = statements.locks[statement];
  if (locks === undefined) return undefined;
  return locks.includes(rows.table[row]!) ? 'current' : 'snapshot';
}

/** Whether the statement writes, or locks some of the rows that it reads. */
export function takesLocks({ statements }: History, statement: number): boolean {
  return CURRENT.has(statements.kind[statement]!) || (statements.locks[statement] ?? []).length > 0;
}
