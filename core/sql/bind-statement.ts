/** Binds a template: literals replace its parameters. */
import { InternalError } from '../base/index.ts';
import { mapExpression, mapStatement } from './rewrite.ts';
import type { Change } from './rewrite.ts';
import type { Expression, Statement } from './statement.ts';
import { shiftedLiteral } from './time-units.ts';
import type { TypeKind, Value } from './value.ts';

/**
 * The name of a parameter that is bound when its statement is sent. Its value is the last value of the last row that a
 * query of the session has returned. This is a whole number, or NULL if no query returned a row.
 */
export const LAST_READ = 'last_read';

export interface BoundValue {
  readonly type: TypeKind;
  readonly value: Value;
}

/** `later` names the parameters that are bound only when the statement runs (bindings.ts). */
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
 * Binds LAST_READ to `value`. This function computes the expressions over it as an application would, so that server
 * and record see a number. It knows +, mod and coalesce of whole numbers.
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
