/**
 * Generates CHECK constraints that every value of the small domains satisfies. Initial rows and literals never violate
 * them, while arithmetic sometimes does.
 */
import type { Check, Column, Expression, Random, TypeKind, Value } from '../../../core/index.ts';
import { familyOf, type Domains, type Family } from './domain.ts';

/** Bounds well outside the domains, by family. A family without one has no check. */
const BOUNDS: Partial<Record<Family, { readonly low: Value; readonly high: Value }>> = {
  integer: { low: 0, high: 1000 },
  bigint: { low: '0', high: '9100000000000000000' },
  decimal: { low: '0', high: '1000' },
  date: { low: '1990-01-01', high: '2090-01-01' },
  timestamp: { low: '1990-01-01 00:00:00', high: '2090-01-01 00:00:00' },
};

export function checksOf(random: Random, table: string, columns: readonly Column[], domains: Domains): Check[] {
  const usable = columns.filter((column) => column.type.kind !== 'boolean');
  if (usable.length === 0) return [];
  const column = random.pick(usable);
  const partner = usable.find((other) => other !== column && other.type.kind === column.type.kind);
  const difference = partner && (column.type.kind === 'integer' || column.type.kind === 'decimal') && random.chance(0.5);
  const expression = difference ? closeTo(table, column, partner) : bounded(random, table, column, domains);
  return [{ name: `k_${table}_0`, expression }];
}

const named = (table: string, column: Column): Expression => ({ kind: 'column', table, column: column.name });
const literal = (type: TypeKind, value: Value): Expression => ({ kind: 'literal', type, value });

function closeTo(table: string, column: Column, partner: Column): Expression {
  const left: Expression = { kind: 'arithmetic', op: '-', left: named(table, column), right: named(table, partner) };
  const bound = column.type.kind === 'integer' ? literal('integer', 100) : literal('decimal', '100');
  return { kind: 'compare', op: '<=', left, right: bound };
}

function bounded(random: Random, table: string, column: Column, domains: Domains): Expression {
  const operand = named(table, column);
  const kind = column.type.kind;
  const bounds = BOUNDS[familyOf(column.type)];
  if (!bounds) {
    const length: Expression = { kind: 'call', name: 'length', args: [operand] };
    const short: Expression = { kind: 'compare', op: '<=', left: length, right: literal('integer', 40) };
    return random.chance(0.5) ? short : { kind: 'not', operand: { kind: 'like', operand, pattern: '%zzz%', negated: false } };
  }
  const low = literal(kind, bounds.low);
  const forms: readonly (() => Expression)[] = [
    () => ({ kind: 'compare', op: '>=', left: operand, right: low }),
    () => ({ kind: 'between', operand, low, high: literal(kind, bounds.high) }),
    () => ({
      kind: 'logic',
      op: 'or',
      operands: [
        { kind: 'compare', op: '>', left: operand, right: low },
        { kind: 'in', operand, list: domains.of(column.type).map((value) => literal(kind, value)), negated: false },
      ],
    }),
  ];
  return random.pick(forms)();
}
