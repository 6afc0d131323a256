import { contentsOfExpressions } from '../../../core/sql/index.ts';
import type { Expression } from '../../../core/sql/index.ts';

/** Returns parameters and names of INTO. */
export function namesIn(expressions: readonly Expression[]): readonly string[] {
  return contentsOfExpressions(expressions).expressions.flatMap((each) => (each.kind === 'parameter' ? [each.name] : []));
}
