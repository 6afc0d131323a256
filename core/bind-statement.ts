/** A template with its parameters replaced by literals. */
import { InternalError } from './errors.ts';
import { mapExpression, mapStatement } from './rewrite.ts';
import type { Change } from './rewrite.ts';
import type { Expression, Statement } from './statement.ts';
import { shiftedLiteral } from './time-units.ts';
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

/** `later`: names whose values are read when it runs (heard.ts). */
export function bindStatement<S extends Statement>(
  template: S,
  values: ReadonlyMap<string, BoundValue>,
  later: ReadonlySet<string> = new Set(),
): S {
  const change: Change = {
    expression: (each) => {
      if (each.kind !== 'parameter') return shiftedLiteral(each);
      const given = values.get(each.name);
      if (given !== undefined) return { kind: 'literal', ...given };
      if (later.has(each.name)) return each;
      throw new InternalError(`no value for the parameter :${each.name}`);
    },
  };
  const { stops } = template;
  const bound = mapStatement(template, change);
  return stops === undefined ? bound : { ...bound, stops: stops.map((stop) => ({ ...stop, when: mapExpression(stop.when, change) })) };
}

/**
 * A plan's statement as it is sent by a session whose queries have returned `value` last. What is computed of it is
 * computed here, as an application would: server and record see a number. Of whole numbers +, mod and coalesce are known.
 */
export function bindLastRead<S extends Statement>(template: S, value: number | null): S {
  return mapStatement(template, {
    expression: (each) => {
      if (each.kind === 'parameter' && each.name === LAST_READ) return integer(value);
      const operands = each.kind === 'arithmetic' ? [each.left, each.right] : each.kind === 'call' ? each.args : [];
      const known = operands.map(integerIn);
      const [a, b] = known;
      if (a === undefined || b === undefined || known.length !== 2) return each;
      if (each.kind === 'call' && each.name === 'coalesce') return integer(a ?? b);
      if (each.kind === 'call' && each.name === 'mod') return integer(a === null || b === null ? null : a % b);
      return each.kind === 'arithmetic' && each.op === '+' ? integer(a === null || b === null ? null : a + b) : each;
    },
  });
}

function integer(value: number | null): Expression {
  return { kind: 'literal', type: 'integer', value };
}

function integerIn(each: Expression): number | null | undefined {
  if (each.kind !== 'literal' || each.type !== 'integer') return undefined;
  return each.value === null || typeof each.value === 'number' ? each.value : undefined;
}
