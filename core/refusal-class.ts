/** Errors by which a server refuses a transaction that may succeed if it is begun again: 40001 and 40P01, 1213, 1020 and their kin. */
import type { ErrorClass } from './reply.ts';

export const REFUSED: ReadonlySet<ErrorClass> = new Set(['deadlock', 'serialization']);
