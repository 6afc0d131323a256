/**
 * Prints expressions and queries: each may hold the other. Everything with an operator, every query inside something and
 * every join is in parentheses, so that what a rewrite moves keeps its meaning.
 */
import type { Expression, From, OrderItem, Query, Select, SelectItem, SetOperation, Window, With } from '../../core/index.ts';
import { InternalError, asVersion } from '../../core/index.ts';
import { printLiteral, typeName } from './literal.ts';
import { quoteIdentifier, quoteName, quoteText } from './quote.ts';
import type { Printing } from './quote.ts';

type Printers = { readonly [K in Expression['kind']]: (expression: Extract<Expression, { kind: K }>, to: Printing) => string };
type QueryPrinters = { readonly [K in Query['kind']]: (query: Extract<Query, { kind: K }>, to: Printing) => string };
type FromPrinters = { readonly [K in From['kind']]: (from: Extract<From, { kind: K }>, to: Printing) => string };

export function printExpression(expression: Expression, to: Printing): string {
  const print = PRINTERS[expression.kind] as (expression: Expression, to: Printing) => string;
  return print(expression, to);
}

/** In ORDER BY and GROUP BY a bare integer is a column position and a bare string an error: a cast makes both constants again. */
function printPlaced(expression: Expression, to: Printing): string {
  const text = printExpression(expression, to);
  return expression.kind === 'literal' ? `CAST(${text} AS ${typeName(expression.type)})` : text;
}

function printOrder(items: readonly OrderItem[], to: Printing): string {
  return items.map((item) => `${printPlaced(item.expression, to)} ${item.descending ? 'DESC' : 'ASC'}`).join(', ');
}

function printAll(expressions: readonly Expression[], separator: string, to: Printing): string {
  return expressions.map((each) => printExpression(each, to)).join(separator);
}

function not(negated: boolean): string {
  return negated ? 'NOT ' : '';
}

/** What follows an aggregate or window function. */
function printTail(filter: Expression | undefined, over: Window | undefined, to: Printing): string {
  const tail = clauses([filter && `FILTER (WHERE ${printExpression(filter, to)})`, over && `OVER (${printWindow(over, to)})`]);
  return tail === '' ? '' : ` ${tail}`;
}

function printWindow({ partitionBy, orderBy }: Window, to: Printing): string {
  return clauses([partitionBy.length > 0 && `PARTITION BY ${partitionBy.map((each) => printPlaced(each, to)).join(', ')}`, orderBy.length > 0 && `ORDER BY ${printOrder(orderBy, to)}`]);
}

const PRINTERS: Printers = {
  literal: (e) => printLiteral(e.type, e.value),
  column: (e) => `${quoteIdentifier(e.table)}.${quoteIdentifier(e.column)}`,
  compare: (e, to) => `(${printExpression(e.left, to)} ${e.op} ${printExpression(e.right, to)})`,
  // No operands: the neutral element, as in logic.
  logic: (e, to) => (e.operands.length === 0 ? (e.op === 'and' ? 'TRUE' : 'FALSE') : `(${printAll(e.operands, ` ${e.op.toUpperCase()} `, to)})`),
  not: (e, to) => `(NOT ${printExpression(e.operand, to)})`,
  isNull: (e, to) => `(${printExpression(e.operand, to)} IS ${not(e.negated)}NULL)`,
  between: (e, to) => `(${printExpression(e.operand, to)} BETWEEN ${printExpression(e.low, to)} AND ${printExpression(e.high, to)})`,
  // IN () is no SQL; nothing is in an empty list, not even NULL.
  in: (e, to) => (e.list.length === 0 ? (e.negated ? 'TRUE' : 'FALSE') : `(${printExpression(e.operand, to)} ${not(e.negated)}IN (${printAll(e.list, ', ', to)}))`),
  like: (e, to) => `(${printExpression(e.operand, to)} ${not(e.negated)}LIKE ${quoteText(e.pattern)})`,
  arithmetic: (e, to) => `(${printExpression(e.left, to)} ${e.op} ${printExpression(e.right, to)})`,
  concat: (e, to) => (e.operands.length === 0 ? "''" : `(${printAll(e.operands, ' || ', to)})`),
  call: (e, to) => `${e.name}(${printAll(e.args, ', ', to)})`,
  case: (e, to) => `(CASE WHEN ${printExpression(e.when, to)} THEN ${printExpression(e.then, to)} ELSE ${printExpression(e.otherwise, to)} END)`,
  cast: (e, to) => `CAST(${printExpression(e.operand, to)} AS ${typeName(e.type)})`,
  aggregate: (e, to) => {
    if (e.operand === undefined && (e.name !== 'count' || e.distinct)) throw new InternalError(`${e.name}${e.distinct ? ' DISTINCT' : ''} without an operand: only count(*) has none`);
    if (e.distinct && e.over) throw new InternalError(`${e.name}(DISTINCT ...) OVER: PostgreSQL has no such window function`);
    return `${e.name}(${e.operand === undefined ? '*' : `${e.distinct ? 'DISTINCT ' : ''}${printExpression(e.operand, to)}`})${printTail(e.filter, e.over, to)}`;
  },
  rank: (e, to) => `${e.name}()${printTail(undefined, e.over, to)}`,
  subquery: (e, to) => `(${printQuery(e.query, to)})`,
  exists: (e, to) => `(${not(e.negated)}EXISTS (${printQuery(e.query, to)}))`,
  inQuery: (e, to) => `(${printExpression(e.operand, to)} ${not(e.negated)}IN (${printQuery(e.query, to)}))`,
  quantified: (e, to) => `(${printExpression(e.operand, to)} ${e.op} ${e.quantifier.toUpperCase()} (${printQuery(e.query, to)}))`,
  proposed: (e) => `EXCLUDED.${quoteIdentifier(e.column)}`,
  // A template as its file has it; no server is sent one.
  parameter: (e) => `:${e.name}`,
  default: () => 'DEFAULT',
  jsonArray: (e, to) => `json_build_array(${printAll(e.items, ', ', to)})`,
  jsonAgg: (e, to) => (e.once ? printOnce(e, to) : `json_agg(${printExpression(e.item, to)})${printTail(e.filter, e.over, to)}`),
  capture: () => {
    throw new InternalError('a capture: PostgreSQL has RETURNING (no capability capture), so none may be planned for it');
  },
};

/** json has no equality. A row version becomes one text behind its table's name, which sorts quickest; all else jsonb. */
function printOnce({ item, filter, over }: Extract<Expression, { kind: 'jsonAgg' }>, to: Printing): string {
  const tail = printTail(filter, over, to);
  const version = asVersion(item);
  if (version === undefined) return `jsonb_agg(DISTINCT CAST(${printExpression(item, to)} AS jsonb))${tail}`;
  const [table, rid, list] = version;
  return `json_build_array(${printExpression(table, to)}, array_agg(DISTINCT (${printExpression(rid, to)} || ' ' || coalesce(${printExpression(list, to)}, '')))${tail})`;
}

export function printQuery(query: Query, to: Printing): string {
  const print = QUERIES[query.kind] as (query: Query, to: Printing) => string;
  return print(query, to);
}

export function printFrom(from: From, to: Printing): string {
  const print = FROMS[from.kind] as (from: From, to: Printing) => string;
  return print(from, to);
}

export function printItems(items: readonly SelectItem[], to: Printing): string {
  return items.map((item) => `${printExpression(item.expression, to)} AS ${quoteIdentifier(item.alias)}`).join(', ');
}

/** Those that there are, with blanks between them. */
export function clauses(parts: readonly (string | false | 0 | undefined)[]): string {
  return parts.filter((part) => typeof part === 'string').join(' ');
}

const QUERIES: QueryPrinters = {
  select: printSelect,
  unionAll: (query, to) => query.arms.map((arm) => `(${printSelect(arm, to)})`).join(' UNION ALL '),
  setOperation: printSetOperation,
};

const FROMS: FromPrinters = {
  table: (from, to) => named(from.table, from.alias, to),
  view: (from, to) => named(from.view, from.alias, to),
  cte: (from) => named(from.name, from.alias, {}),
  derived: (from, to) => `${from.lateral ? 'LATERAL ' : ''}(${printQuery(from.query, to)}) AS ${quoteIdentifier(from.alias)}`,
  join: printJoin,
};

function printSelect(select: Select, to: Printing): string {
  if (select.rollup && !select.groupBy?.length) throw new InternalError('ROLLUP without a GROUP BY');
  const groups = select.groupBy?.map((each) => printPlaced(each, to)).join(', ');
  return clauses([
    printWith(select.with, to),
    `SELECT ${select.distinct ? 'DISTINCT ' : ''}${printItems(select.items, to)} FROM ${printFrom(select.from, to)}`,
    select.where && `WHERE ${printExpression(select.where, to)}`,
    groups && `GROUP BY ${select.rollup ? `ROLLUP (${groups})` : groups}`,
    select.having && `HAVING ${printExpression(select.having, to)}`,
    select.orderBy?.length && `ORDER BY ${printOrder(select.orderBy, to)}`,
    select.limit !== undefined && `LIMIT ${select.limit}`,
    select.lock && `FOR ${select.lock.strength.toUpperCase()}`,
    select.lock?.wait?.toUpperCase(),
  ]);
}

function printSetOperation({ with: clause, op, all, left, right }: SetOperation, to: Printing): string {
  return clauses([printWith(clause, to), `(${printQuery(left, to)})`, op.toUpperCase(), all && 'ALL', `(${printQuery(right, to)})`]);
}

function printWith(clause: With | undefined, to: Printing): string | undefined {
  if (clause === undefined) return undefined;
  if (clause.ctes.length === 0) throw new InternalError('WITH without a common table expression');
  const ctes = clause.ctes.map((cte) => `${quoteIdentifier(cte.name)} AS (${printQuery(cte.query, to)})`);
  return `WITH ${clause.recursive ? 'RECURSIVE ' : ''}${ctes.join(', ')}`;
}

function named(name: string, alias: string, to: Printing): string {
  return `${quoteName(name, to)} AS ${quoteIdentifier(alias)}`;
}

function printJoin(join: Extract<From, { kind: 'join' }>, to: Printing): string {
  const { type, left, right, on, using, natural } = join;
  const conditions = Number(on !== undefined) + Number(using !== undefined);
  if (conditions !== (type === 'cross' ? 0 : 1)) {
    throw new InternalError(`a ${type} join ${conditions === 0 ? 'without a condition' : conditions === 1 ? 'with a condition' : 'with ON and USING'}: exactly a cross join has none`);
  }
  if (using?.length === 0) throw new InternalError('a join USING no column: make it a cross join');
  const words = `${natural ? 'NATURAL ' : ''}${type.toUpperCase()} JOIN`;
  const condition = on !== undefined ? `ON ${printExpression(on, to)}` : using !== undefined && !natural && `USING (${using.map(quoteIdentifier).join(', ')})`;
  return `(${clauses([printFrom(left, to), words, printFrom(right, to), condition])})`;
}
