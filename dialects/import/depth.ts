/**
 * Limits the nesting of statements. Resolving, printing and instrumenting recurse once for each level. A stack overflow
 * there would end the run instead of refusing the statement.
 */
import { refuse } from './refuse.ts';

const DEEPEST = 300;
export const TOO_DEEP: string = `it is nested more than ${DEEPEST} deep (a chain of operators, joins or set operations nests as well): write it in several statements, or with fewer parts`;

/** `most`: the limit of objects within objects. */
export function refuseDeep(node: unknown, most: number = DEEPEST): void {
  let level: readonly unknown[] = [node];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) refuse(TOO_DEEP);
    level = level.flatMap(childrenOf);
  }
}

/** A recursive reader has no limit but the stack's own. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}

/** A list is no level of nesting. */
function childrenOf(node: unknown): readonly unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.values(node)
    .flatMap((each: unknown) => (Array.isArray(each) ? (each as readonly unknown[]).flat() : [each]))
    .filter((each) => typeof each === 'object' && each !== null);
}
