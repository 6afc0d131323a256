/**
 * Where a statement's read of a row stands: `current` is the newest committed row, as a write or a locking clause finds it,
 * `snapshot` what a plain SELECT sees. A SELECT may do both: a locking clause within it reaches some of its tables.
 */
import type { SentKind } from './event.ts';
import type { History } from './history.ts';

export type ReadPoint = 'current' | 'snapshot';

/** Statements that see the newest committed rows, or lock what they read. */
const CURRENT: ReadonlySet<SentKind> = new Set<SentKind>([
  'insert',
  'update',
  'delete',
  'merge',
  'with',
  'select for update',
  'select for no key update',
  'select for share',
  'probe',
]);

/** Kinds that wait for a row's lock and then look at it again. */
export const LOOKING_AGAIN: ReadonlySet<SentKind> = new Set<SentKind>([
  'update',
  'delete',
  'merge',
  'with',
  'select for update',
  'select for no key update',
  'select for share',
  'select for key share',
]);

/**
 * Undefined: a SELECT of an older file, which does not say what it locks; FOR KEY SHARE, which returns the row of its snapshot
 * where only values beside the key have changed since, and the newest one elsewhere.
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

/** It writes, or locks some of what it reads. */
export function takesLocks({ statements }: History, statement: number): boolean {
  return CURRENT.has(statements.kind[statement]!) || (statements.locks[statement] ?? []).length > 0;
}
