import type { SentKind } from '../../core/index.ts';

/** Statements that open, end and set up a transaction, which readers of SQL know. */
export const FRAME: ReadonlySet<SentKind> = new Set(['begin', 'commit', 'rollback', 'probe', 'setting']);
