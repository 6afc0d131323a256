import { contentsOfExpressions } from '../../../core/index.ts';
import type { Expression } from '../../../core/index.ts';

/** Returns parameters and names of INTO. */
export function namesIn(expressions: readonly Expression[]): readonly string[] {
  return contentsOfExpressions(expressions).expressions.flatMap((each) => (each.kind === 'parameter' ? [each.name] : []));
}
