/** A template with its parameters replaced by literals. */
import { InternalError } from './errors.ts';
import { mapStatement } from './rewrite.ts';
import type { Statement } from './statement.ts';
import type { TypeKind, Value } from './value.ts';

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
  return mapStatement(template, {
    expression: (each) => {
      if (each.kind !== 'parameter') return each;
      const given = values.get(each.name);
      if (given === undefined) throw new InternalError(`no value for the parameter :${each.name}`);
      return { kind: 'literal', ...given };
    },
  });
}
