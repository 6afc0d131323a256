/** Generates reads that combine rows: aggregates, GROUP BY with HAVING and ROLLUP, DISTINCT, windows. */
import type {
  AggregateName,
  CompareOp,
  Expression,
  OrderItem,
  Random,
  Select,
  SelectItem,
  TypeKind,
  Value,
  Window,
} from '../../../core/index.ts';
import type { Family } from '../schema/domain.ts';
import { column, constant, isNumeric, literal, small } from '../expression/operand.ts';
import type { GenerateOptions } from '../options.ts';
import type { Place } from '../context.ts';
import { generateSource } from './source.ts';
import type { ScopeColumn } from '../table-info.ts';
import { assemble, columnItems } from './table-source.ts';

const COMPARISONS: readonly CompareOp[] = ['=', '<>', '<', '<=', '>', '>='];

interface Aggregate {
  readonly expression: Extract<Expression, { kind: 'aggregate' }>;
  /** A value that is useful to compare it with. */
  readonly bound: Expression;
}

/** Aggregates all rows into one. The result is never empty, whatever rows exist. */
export function generateAggregate(random: Random, place: Place): Select {
  const source = generateSource(random, place);
  const items = Array.from({ length: random.int(1, 3) }, (_, i): SelectItem => ({
    expression: aggregateOf(random, place.options, source.scope).expression,
    alias: `r${i}`,
  }));
  return assemble(items, source);
}

export function generateGroup(random: Random, place: Place): Select {
  const { options } = place;
  const source = generateSource(random, place);
  const keys = random
    .shuffle(source.scope)
    .slice(0, random.chance(0.75) ? 1 : 2)
    .map((from) => keyOf(random, from));
  const aggregates = Array.from({ length: random.int(1, 2) }, () => aggregateOf(random, options, source.scope));
  const items = [...keys, ...aggregates.map(({ expression }) => expression)].map((expression, i): SelectItem => ({
    expression,
    alias: `r${i}`,
  }));
  return {
    ...assemble(items, source),
    groupBy: keys,
    ...(random.chance(options.rollupShare) ? { rollup: true } : {}),
    ...(random.chance(options.havingShare) ? { having: havingOf(random, options, source.scope, random.pick(aggregates)) } : {}),
    ...(random.chance(0.2) ? { orderBy: [{ expression: keys[0]!, descending: random.chance(0.4) }] } : {}),
  };
}

export function generateDistinct(random: Random, place: Place): Select {
  const source = generateSource(random, place);
  // The query has few columns. With a key among them no two rows are equal, and nothing is merged.
  const chosen = random.chance(0.6) ? random.shuffle(source.scope).slice(0, 1) : random.shuffle(source.scope).slice(0, 2);
  const items = columnItems(random, chosen);
  return {
    ...assemble(items, source),
    distinct: true,
    ...(random.chance(0.25) ? { orderBy: [{ expression: items[0]!.expression, descending: random.chance(0.4) }] } : {}),
  };
}

export function generateWindow(random: Random, place: Place): Select {
  const source = generateSource(random, place);
  const items = columnItems(random, source.scope);
  const windows = Array.from({ length: random.chance(0.8) ? 1 : 2 }, () => windowOf(random, place.options, source.scope));
  return assemble([...items, ...windows.map((expression, i): SelectItem => ({ expression, alias: `r${items.length + i}` }))], source);
}

/** Returns a column, or now and then the remainder of a number. */
function keyOf(random: Random, from: ScopeColumn): Expression {
  const { family } = from.info;
  if (!isNumeric(family) || !random.chance(0.2)) return column(from);
  return { kind: 'call', name: 'mod', args: [column(from), small(random, family, 3, 3)] };
}

function aggregateOf(random: Random, options: GenerateOptions, scope: readonly ScopeColumn[]): Aggregate {
  const operands: readonly (readonly [AggregateName, ScopeColumn])[] = scope.flatMap((from) =>
    namesFor(from.info.family).map((name) => [name, from] as const),
  );
  if (random.chance(0.3)) return { expression: { kind: 'aggregate', name: 'count' }, bound: small(random, 'bigint', 0, 3) };
  const [name, from] = random.pick(operands);
  const distinct = (name === 'count' || name === 'sum') && random.chance(0.3);
  return {
    expression: { kind: 'aggregate', name, operand: column(from), ...(distinct ? { distinct: true } : {}) },
    bound: boundOf(random, options, name, from),
  };
}

function namesFor(family: Family): readonly AggregateName[] {
  if (isNumeric(family)) return ['count', 'sum', 'min', 'max', 'avg'];
  // PostgreSQL has no least boolean.
  return family === 'boolean' ? ['count'] : ['count', 'min', 'max'];
}

/** SUM of integers is a bigint, of wider numbers a decimal. AVG is always a decimal. */
function boundOf(random: Random, options: GenerateOptions, name: AggregateName, from: ScopeColumn): Expression {
  if (name === 'count') return small(random, 'bigint', 0, 3);
  if (name === 'min' || name === 'max') return literal(random, options, from.info);
  const type: TypeKind = name === 'sum' && from.info.family === 'integer' ? 'bigint' : 'decimal';
  const value: Value = String(random.int(1, name === 'sum' ? 25 : 9));
  return constant(type, value);
}

function havingOf(random: Random, options: GenerateOptions, scope: readonly ScopeColumn[], own: Aggregate): Expression {
  const { expression, bound } = random.chance(0.6) ? own : aggregateOf(random, options, scope);
  return { kind: 'compare', op: random.pick(COMPARISONS), left: expression, right: bound };
}

function windowOf(random: Random, options: GenerateOptions, scope: readonly ScopeColumn[]): Expression {
  const partitionBy = random.chance(0.6) ? [column(random.pick(scope))] : [];
  const order = (columns: readonly ScopeColumn[]): OrderItem[] =>
    columns.map((from) => ({ expression: column(from), descending: random.chance(0.3) }));
  const form = random.pick(['row_number', 'rank', 'aggregate', 'aggregate'] as const);
  // Numbers by an order that leaves ties would differ from one evaluation to the next.
  if (form === 'row_number') return { kind: 'rank', name: form, over: { partitionBy, orderBy: order(random.shuffle(scope)) } };
  if (form === 'rank') return { kind: 'rank', name: form, over: { partitionBy, orderBy: order([random.pick(scope)]) } };
  const over: Window = { partitionBy, orderBy: random.chance(0.6) ? order([random.pick(scope)]) : [] };
  const { distinct: _, ...plain } = aggregateOf(random, options, scope).expression;
  return { ...plain, over };
}
