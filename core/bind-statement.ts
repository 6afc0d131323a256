/**
 * A template with its parameters replaced by literals. Statements are plain data, so one walk over it, whatever it holds,
 * finds every place that a parameter can stand in.
 */
import { InternalError } from './errors.ts';
import type { TypeKind, Value } from './value.ts';
import type { Statement } from './statement.ts';

/**
 * The parameter of a plan that is bound when it is sent: the last value of the last row that a query of the session has
 * returned, a whole number; NULL where there is none.
 */
export const LAST_READ = 'last_read';

export interface BoundValue {
  readonly type: TypeKind;
  readonly value: Value;
}

export function bindStatement<S extends Statement>(template: S, values: ReadonlyMap<string, BoundValue>): S {
  return bound(template, values) as S;
}

function bound(node: unknown, values: ReadonlyMap<string, BoundValue>): unknown {
  if (Array.isArray(node)) return node.map((each) => bound(each, values));
  if (typeof node !== 'object' || node === null) return node;
  if ('kind' in node && node.kind === 'parameter') {
    const { name } = node as unknown as { readonly name: string };
    const given = values.get(name);
    if (given === undefined) throw new InternalError(`no value for the parameter :${name}`);
    return { kind: 'literal', ...given };
  }
  return Object.fromEntries(Object.entries(node).map(([key, each]) => [key, bound(each, values)]));
}
