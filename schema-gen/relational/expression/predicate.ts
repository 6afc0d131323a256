/**
 * Generates conditions: comparisons, BETWEEN, IN, IS NULL, LIKE, column against column and computed operands, combined
 * by AND, OR and NOT. focus.ts selects their target.
 */
import type { CompareOp, Expression, Random } from '../../../core/index.ts';
import { column, constant, isNumeric, literal, small } from './operand.ts';
import type { GenerateOptions } from '../options.ts';
import type { ColumnInfo, ScopeColumn } from '../table-info.ts';

const RANGES: readonly CompareOp[] = ['<', '<=', '>', '>='];
const ALL: readonly CompareOp[] = ['=', '=', '<>', '<', '<=', '>', '>='];
const EQUALITY: readonly CompareOp[] = ['=', '=', '<>'];
type Leaf = (random: Random, options: GenerateOptions, from: ScopeColumn, scope: readonly ScopeColumn[]) => Expression;

export function generatePredicate(random: Random, options: GenerateOptions, scope: readonly ScopeColumn[]): Expression {
  const connective = random.weighted(options.connectives);
  if (connective === 'none') return leaf(random, options, scope);
  if (connective === 'not') return { kind: 'not', operand: leaf(random, options, scope) };
  const operands = Array.from({ length: random.chance(0.8) ? 2 : 3 }, (): Expression => {
    const operand = leaf(random, options, scope);
    if (!random.chance(0.15)) return operand;
    const other: Expression = { kind: 'logic', op: connective === 'and' ? 'or' : 'and', operands: [operand, leaf(random, options, scope)] };
    return random.chance(0.3) ? { kind: 'not', operand: other } : other;
  });
  return { kind: 'logic', op: connective, operands };
}

/** Returns a range over one column. Rows that do not exist yet may fall into it. */
export function generateRange(random: Random, options: GenerateOptions, scope: readonly ScopeColumn[]): Expression {
  const ordered = scope.filter((from) => from.info.family !== 'boolean');
  if (ordered.length === 0) return leaf(random, options, scope);
  const from = ordered.find((candidate) => candidate.info.unique && random.chance(0.5)) ?? random.pick(ordered);
  return random.chance(0.3) ? between(random, options, from, scope) : compare(random, options, from, RANGES);
}

function leaf(random: Random, options: GenerateOptions, scope: readonly ScopeColumn[]): Expression {
  const from = random.pick(scope);
  const form = random.weighted(options.predicates);
  return LEAVES[form](random, options, from, scope);
}

const LEAVES: Readonly<Record<keyof GenerateOptions['predicates'], Leaf>> = {
  compare: (random, options, from) => compare(random, options, from, from.info.family === 'boolean' ? EQUALITY : ALL),
  between,
  in: (random, options, from) => ({
    kind: 'in',
    operand: column(from),
    list: Array.from({ length: random.int(1, 4) }, () =>
      random.chance(0.04) ? constant(from.info.type.kind, null) : literal(random, options, from.info),
    ),
    negated: random.chance(0.25),
  }),
  isNull: (random, options, from, scope) => {
    const nullable = scope.filter((candidate) => candidate.info.nullable);
    const asked = nullable.length > 0 ? random.pick(nullable) : from;
    const negated = random.chance(0.5);
    if (options.nullDayShare === 0 && isDay(asked)) return LEAVES.compare(random, options, asked, scope);
    return { kind: 'isNull', operand: column(asked), negated };
  },
  like: (random, options, from, scope) => {
    const texts = scope.filter((candidate) => candidate.info.family === 'text');
    if (texts.length === 0) return LEAVES.compare(random, options, from, scope);
    const target = random.pick(texts);
    return { kind: 'like', operand: column(target), pattern: pattern(random, target.info), negated: random.chance(0.2) };
  },
  columns: (random, options, from, scope) => {
    const partners = scope.filter((other) => other !== from && other.info.family === from.info.family);
    if (partners.length === 0) return LEAVES.compare(random, options, from, scope);
    const op = random.pick(from.info.family === 'boolean' ? EQUALITY : ALL);
    return { kind: 'compare', op, left: column(from), right: column(random.pick(partners)) };
  },
  computed,
};

function isDay({ info }: ScopeColumn): boolean {
  return info.family === 'date' || info.family === 'timestamp';
}

function compare(random: Random, options: GenerateOptions, from: ScopeColumn, ops: readonly CompareOp[]): Expression {
  return { kind: 'compare', op: random.pick(ops), left: column(from), right: literal(random, options, from.info) };
}

function between(random: Random, options: GenerateOptions, from: ScopeColumn, _scope: readonly ScopeColumn[]): Expression {
  const { domain, family, type } = from.info;
  if (family === 'boolean') return compare(random, options, from, EQUALITY);
  const a = random.int(0, domain.length - 1);
  const b = random.int(0, domain.length - 1);
  const [low, high] = a <= b ? [a, b] : [b, a];
  return { kind: 'between', operand: column(from), low: constant(type.kind, domain[low]!), high: constant(type.kind, domain[high]!) };
}

function pattern(random: Random, info: ColumnInfo): string {
  const word = String(random.pick(info.seen.length > 0 ? info.seen : info.domain));
  const forms = [`${word.slice(0, 1)}%`, `%${word.slice(1, 2)}%`, `_${word.slice(1)}`, `%${word.slice(-1)}`];
  return random.pick(forms);
}

function computed(random: Random, options: GenerateOptions, from: ScopeColumn): Expression {
  const { family } = from.info;
  const value = column(from);
  const right = literal(random, options, from.info);
  if (isNumeric(family)) {
    if (random.chance(0.4)) {
      const divisor = random.int(2, 3);
      const rest: Expression = { kind: 'call', name: 'mod', args: [value, small(random, family, divisor, divisor)] };
      return { kind: 'compare', op: '=', left: rest, right: small(random, family, 0, divisor - 1) };
    }
    const op = random.pick(['+', '-', '*'] as const);
    return {
      kind: 'compare',
      op: random.pick(ALL),
      left: { kind: 'arithmetic', op, left: value, right: small(random, family, 1, 3) },
      right,
    };
  }
  if (family === 'text') {
    if (random.chance(0.5)) {
      const length: Expression = { kind: 'call', name: 'length', args: [value] };
      return { kind: 'compare', op: random.pick(ALL), left: length, right: small(random, 'integer', 3, 6) };
    }
    return { kind: 'compare', op: random.pick(EQUALITY), left: { kind: 'call', name: 'lower', args: [value] }, right };
  }
  const filled: Expression = { kind: 'call', name: 'coalesce', args: [value, literal(random, options, from.info)] };
  return { kind: 'compare', op: random.pick(family === 'boolean' ? EQUALITY : ALL), left: filled, right };
}
