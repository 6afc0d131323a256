/**
 * Statements have a bound to their nesting: everything behind the reader (resolving, printing, instrumenting) calls itself
 * for each level, and a stack that overflows there would end the run instead of refusing the statement.
 */
import { refuse } from './refuse.ts';

const DEEPEST = 300;
export const TOO_DEEP: string = `it is nested more than ${DEEPEST} deep (a chain of operators, joins or set operations nests as well): write it in several statements, or with fewer parts`;

/** `most`: objects within objects. */
export function refuseDeep(node: unknown, most: number = DEEPEST): void {
  let level: readonly unknown[] = [node];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) refuse(TOO_DEEP);
    level = level.flatMap(childrenOf);
  }
}

/** A reader that calls itself has none but the stack's own bound. */
export function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}

/** Lists nest nothing themselves. */
function childrenOf(node: unknown): readonly unknown[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.values(node)
    .flatMap((each: unknown) => (Array.isArray(each) ? (each as readonly unknown[]).flat() : [each]))
    .filter((each) => typeof each === 'object' && each !== null);
}
