/**
 * Parameters for values that a server draws each time (`now()` and similar functions). Users' files do not declare
 * them, so their names say what they are. A transaction has one moment and one day. Each uuid is a new one.
 */
import type { Drawn } from './schema.ts';
import type { TypeKind } from './value.ts';

const PREFIX = 'drawn_';

export const DRAWN_TYPES: Readonly<Record<Drawn, TypeKind>> = { now: 'timestamp', today: 'date', uuid: 'varchar' };

/** `n` numbers the uuids of a statement, since each call returns a new one. */
export function drawnName(drawn: Drawn, n: number): string {
  return drawn === 'uuid' ? `${PREFIX}uuid_${n}` : `${PREFIX}${drawn}`;
}

/** Undefined for a name that the user declared. */
export function drawnOf(name: string): Drawn | undefined {
  const word = /^drawn_(?:(now|today)|(uuid)_\d+)$/.exec(name);
  return (word?.[1] ?? word?.[2]) as Drawn | undefined;
}

/** Returns a uuid for a number: the same number gives the same uuid. */
export function uuidOf(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** Returns a new uuid for a number. It differs from every uuid of uuidOf, which the first rows hold. */
export function newUuid(n: number): string {
  return `00000000-0000-4000-9000-${n.toString(16).padStart(12, '0')}`;
}
