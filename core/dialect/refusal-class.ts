/**
 * Errors by which a server refuses a transaction that may succeed if it begins again: 40001, 40P01, 1213, 1020 and
 * similar codes.
 */
import type { ErrorClass } from './reply.ts';

export const REFUSED: ReadonlySet<ErrorClass> = new Set(['deadlock', 'serialization']);
