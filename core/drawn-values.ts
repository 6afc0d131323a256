/**
 * Values that a server makes anew each time it is asked, `now()` and its kin, as parameters of a user's file that nobody
 * declares: their names say what they are. A moment and a day are one for a transaction, a uuid another one each time.
 */
import type { Drawn } from './schema.ts';
import type { TypeKind } from './value.ts';

const PREFIX = 'drawn_';

export const DRAWN_TYPES: Readonly<Record<Drawn, TypeKind>> = { now: 'timestamp', today: 'date', uuid: 'varchar' };

/** `n`: which one of the statement's, where each is another one. */
export function drawnName(drawn: Drawn, n: number): string {
  return drawn === 'uuid' ? `${PREFIX}uuid_${n}` : `${PREFIX}${drawn}`;
}

/** Undefined for a name that somebody has declared. */
export function drawnOf(name: string): Drawn | undefined {
  const word = /^drawn_(?:(now|today)|(uuid)_\d+)$/.exec(name);
  return (word?.[1] ?? word?.[2]) as Drawn | undefined;
}

/** A uuid that stands for a number, the same for the same one. */
export function uuidOf(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** The one of that number among those that stand for nothing: never one of the others, which the first rows have. */
export function newUuid(n: number): string {
  return `00000000-0000-4000-9000-${n.toString(16).padStart(12, '0')}`;
}
