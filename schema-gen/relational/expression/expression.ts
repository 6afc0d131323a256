/**
 * Generates typed value expressions. Each generator gets a family of types and returns an expression of exactly that
 * family, so that no statement ever fails on a type. Arithmetic stays small: multiplication occurs only under mod or in
 * results.
 */
import type { Expression, Random } from '../../../core/index.ts';
import type { Family } from '../schema/domain.ts';
import type { GenerateOptions } from '../options.ts';
import { column, constant, isNumeric, literal, small } from './operand.ts';
import { generatePredicate } from './predicate.ts';
import type { ColumnInfo, ScopeColumn } from '../table-info.ts';

export interface ValueRequest {
  readonly family: Family;
  /** The columns that the value may be made of. For a NOT NULL target these are those without NULL. */
  readonly columns: readonly ScopeColumn[];
  /** The columns that conditions may name. */
  readonly scope: readonly ScopeColumn[];
  /** The column that literals come from when no column of the family is in scope. */
  readonly literals: ColumnInfo;
  /** The value is stored, so it must stay within a domain that does not grow. */
  readonly stored: boolean;
}

export function generateValue(random: Random, options: GenerateOptions, request: ValueRequest): Expression {
  const candidates = request.columns.filter((candidate) => candidate.info.family === request.family);
  const form = random.weighted(options.values);
  if (form === 'literal' || form === 'default' || candidates.length === 0) return literal(random, options, request.literals);
  const operand = random.pick(candidates);
  if (form === 'column') return column(operand);
  if (form === 'computed')
    return request.stored && request.family === 'text' && random.chance(0.6)
      ? literal(random, options, request.literals)
      : computed(random, request, operand);
  if (form === 'coalesce') return { kind: 'call', name: 'coalesce', args: [column(operand), literal(random, options, request.literals)] };
  return {
    kind: 'case',
    when: generatePredicate(random, options, request.scope),
    // oxlint-disable-next-line unicorn/no-thenable -- the IR's name for the branch
    then: random.chance(0.5) ? column(operand) : literal(random, options, request.literals),
    otherwise: random.chance(0.5) ? computed(random, request, operand) : literal(random, options, request.literals),
  };
}

function computed(random: Random, request: ValueRequest, operand: ScopeColumn): Expression {
  const { family } = request;
  if (isNumeric(family)) return arithmetic(random, request, operand);
  if (family === 'text') return text(random, request, operand);
  return column(operand); // booleans and moments have no arithmetic that all dialects share
}

function arithmetic(random: Random, request: ValueRequest, operand: ScopeColumn): Expression {
  const { family, stored } = request;
  const value = column(operand);
  const plus: Expression = { kind: 'arithmetic', op: '+', left: value, right: small(random, family, 1, 9) };
  const times: Expression = { kind: 'arithmetic', op: '*', left: value, right: small(random, family, 2, 3) };
  const tenth = small(random, family, 10, 10);
  const mod = (inner: Expression): Expression => ({ kind: 'call', name: 'mod', args: [inner, tenth] });
  // Most predicates cannot find a stored value outside the small domain, so most forms return to it.
  const forms: readonly (() => Expression)[] = [
    () => mod(plus),
    () => mod({ kind: 'arithmetic', op: '+', left: times, right: small(random, family, 0, 5) }),
    () => ({ kind: 'call', name: 'abs', args: [{ kind: 'arithmetic', op: '-', left: value, right: small(random, family, 1, 9) }] }),
    () => plus,
    () => ({ kind: 'arithmetic', op: '-', left: value, right: small(random, family, 1, 9) }),
    () => (stored ? mod(plus) : times),
  ];
  // A checked column is only now and then allowed to exceed its bounds.
  const first = stored && random.chance(request.literals.checked ? 0.95 : 0.7) ? 3 : forms.length;
  return forms[random.int(0, first - 1)]!();
}

function text(random: Random, request: ValueRequest, operand: ScopeColumn): Expression {
  const value = column(operand);
  const type = request.literals.type;
  // A stored value must fit and must not grow for ever.
  const room = type.kind === 'varchar' ? type.length : 12;
  const longer: Expression = { kind: 'concat', operands: [value, constant('text', random.pick(['a', 'b', 'yz']))] };
  const right = (inner: Expression, length: number): Expression => ({
    kind: 'call',
    name: 'right',
    args: [inner, constant('integer', length)],
  });
  if (request.stored) return right(random.chance(0.8) ? longer : { kind: 'concat', operands: [constant('text', 'c'), value] }, room);
  const forms: readonly (() => Expression)[] = [
    () => longer,
    () => right(value, random.int(1, 3)),
    () => ({ kind: 'call', name: 'upper', args: [value] }),
    () => ({ kind: 'call', name: 'lower', args: [value] }),
  ];
  return random.pick(forms)();
}
