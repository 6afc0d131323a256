import type { SentKind } from '../../core/index.ts';

/** Statements that open, end and set up a transaction: a reader of its SQL knows them. */
export const FRAME: ReadonlySet<SentKind> = new Set(['begin', 'commit', 'rollback', 'probe', 'setting']);
