/** Returns a statement in its author's words, with the values that its transaction had read in place of their names. */
import { contentsOf, boundValue } from '../../core/index.ts';
import type { Statement, Bindings, TypeKind } from '../../core/index.ts';
import { literalText } from './literal-text.ts';
import { withValues } from './text.ts';

export function textWithBindings(text: string, statement: Statement, bindings: Bindings): string {
  const types = new Map<string, TypeKind>(
    contentsOf(statement).expressions.flatMap((each) => (each.kind === 'parameter' ? [[each.name, each.type] as const] : [])),
  );
  if (types.size === 0) return text;
  const textOf = (name: string): string => {
    const type = types.get(name);
    return type === undefined ? `:${name}` : literalText({ type, value: boundValue(bindings, name, type) });
  };
  return withValues(text, textOf) ?? text;
}
