/**
 * Prints expressions and queries for the MySQL family: each may hold the other. Everything with an operator, every query
 * inside something and every join is in parentheses, so that what a rewrite moves keeps its meaning. What the family
 * lacks is put in its own words: FILTER as CASE, ROLLUP (...) as WITH ROLLUP, a table that a write may not read as a
 * copy of it.
 */
import type { Expression, From, OrderItem, Query, Select, SelectItem, SetOperation, Window, With } from '../../core/index.ts';
import { InternalError, leavesOf } from '../../core/index.ts';
import { printCapture } from './capture.ts';
import type { Printing } from './flavour.ts';
import { asciiJson, jsonText } from './json-text.ts';
import type { JsonText, TextPrinters } from './json-text.ts';
import { castType, printLiteral } from './literal.ts';
import { quoteIdentifier, quoteName, quoteText } from './quote.ts';

/** LIMIT needs a number where only an order or a copy is meant. */
const NO_LIMIT = '18446744073709551615';
const BYTES = "x''";

type Printers = { readonly [K in Expression['kind']]: (expression: Extract<Expression, { kind: K }>, to: Printing) => string };
type QueryPrinters = { readonly [K in Query['kind']]: (query: Extract<Query, { kind: K }>, to: Printing) => string };
type Print<T> = (part: T, to: Printing) => string;
type FromPrinters = { readonly [K in From['kind']]: (from: Extract<From, { kind: K }>, to: Printing) => string };

export function printExpression(expression: Expression, to: Printing): string {
  const print = PRINTERS[expression.kind] as (expression: Expression, to: Printing) => string;
  return print(expression, to);
}

/** In ORDER BY and GROUP BY a bare integer is a column position: a cast makes it a constant again. */
function printPlaced(expression: Expression, to: Printing): string {
  const text = printExpression(expression, to);
  return expression.kind === 'literal' ? `CAST(${text} AS ${castType(expression.type)})` : text;
}

function printOrder(items: readonly OrderItem[], to: Printing): string {
  return items.map((item) => `${printPlaced(item.expression, to)} ${item.descending ? 'DESC' : 'ASC'}`).join(', ');
}

function printAll(expressions: readonly Expression[], separator: string, to: Printing): string {
  return expressions.map((expression) => printExpression(expression, to)).join(separator);
}

function not(negated: boolean): string {
  return negated ? 'NOT ' : '';
}

function printOver(over: Window | undefined, to: Printing): string {
  if (over === undefined) return '';
  const { partitionBy, orderBy } = over;
  return ` OVER (${clauses([partitionBy.length > 0 && `PARTITION BY ${partitionBy.map((e) => printPlaced(e, to)).join(', ')}`, orderBy.length > 0 && `ORDER BY ${printOrder(orderBy, to)}`])})`;
}

/** There is no FILTER: what is filtered out is NULL, which every aggregate over an operand passes over (JSON_ARRAYAGG shows it as null). */
function printFiltered(operand: string, filter: Expression | undefined, to: Printing): string {
  return filter === undefined ? operand : `CASE WHEN ${printExpression(filter, to)} THEN ${operand} END`;
}

type JsonAgg = Extract<Expression, { kind: 'jsonAgg' }>;
type Pair = readonly [table: string, ...columns: readonly Expression[]];

/** The row id and the list of one table's rows, which need no escape in JSON. */
function pairOf(item: Expression): Pair | undefined {
  if (item.kind !== 'jsonArray' || item.items.length !== 3) return undefined;
  const [table, ...columns] = item.items;
  return table?.kind === 'literal' && typeof table.value === 'string' && columns.every((each) => each.kind === 'column') ? [table.value, ...columns] : undefined;
}

/**
 * The text of a JSON_ARRAYAGG, by GROUP_CONCAT; it passes over the missing side of an outer join, which is no row. What is
 * filtered out begins with false instead of its table: GROUP_CONCAT does not pass over the NULL of every CASE. Undefined where
 * JSON_ARRAYAGG does as well, or something may need an escape.
 */
function printPairs({ item, over, filter, once }: JsonAgg, to: Printing): string | undefined {
  const pair = over === undefined && to.flavour.slowJsonAggregate ? pairOf(item) : undefined;
  if (pair === undefined) return undefined;
  const [table, ...columns] = pair;
  const named = quoteText(`[${asciiJson(table)},"`);
  const begin = filter === undefined ? named : `IF(${printExpression(filter, to)}, ${named}, '[false,"')`;
  const [rid, list] = columns.map((each) => printExpression(each, to));
  return `CONCAT('[', GROUP_CONCAT(${once ? 'DISTINCT ' : ''}${begin}, ${rid}, '","', ${list}, '"]'), ']')`;
}

function printAggregate(e: JsonAgg, to: Printing): string {
  const pairs = printPairs(e, to);
  return pairs === undefined ? `IFNULL(${printExpression(e, to)}, JSON_ARRAY())` : `IFNULL(${pairs}, '[]')`;
}

/** An array of the reads, as text where it can be: what only the tool reads need be no JSON to the server. */
export function printShown(value: Expression, to: Printing): string {
  const text = value.kind === 'jsonArray' ? jsonText(value, textPrinters(to)) : undefined;
  return text === undefined ? printExpression(value, to) : `CONCAT(${printOperands(text)})`;
}

/** The same between a blank, which no array within another has before it, and a comma: operands of a CONCAT. */
function printAppended(reads: Expression, to: Printing): string {
  const text = reads.kind === 'jsonArray' ? jsonText(reads, textPrinters(to), ' ', ',') : undefined;
  return text === undefined ? `${printExpression(reads, to)}, ','` : printOperands(text);
}

function printOperands({ operands, json }: JsonText): string {
  return [...(json ? [BYTES] : []), ...operands].join(', ');
}

function textPrinters(to: Printing): TextPrinters {
  return { expression: (each) => printExpression(each, to), aggregate: (each) => printAggregate(each, to), present: (alias) => to.present?.has(alias) ?? false };
}

/** Within the scope of a FROM. */
export function within(from: From, to: Printing): Printing {
  const present = new Set(to.present);
  for (const { alias } of leavesOf(from)) present.delete(alias);
  for (const alias of presentIn(from)) present.add(alias);
  return { ...to, present };
}

/** The tables that no outer join can leave without a row. */
function presentIn(from: From): readonly string[] {
  if (from.kind === 'join') return [...presentIn(from.left), ...(from.type === 'left' ? [] : presentIn(from.right))];
  return from.kind === 'table' ? [from.alias] : [];
}

/** Names of functions that the family calls otherwise. */
const FUNCTIONS: Readonly<Record<string, string>> = { length: 'char_length' };

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
  concat: (e, to) => (e.operands.length === 0 ? "''" : `CONCAT(${printAll(e.operands, ', ', to)})`),
  call: (e, to) => `${FUNCTIONS[e.name] ?? e.name}(${printAll(e.args, ', ', to)})`,
  case: (e, to) => `(CASE WHEN ${printExpression(e.when, to)} THEN ${printExpression(e.then, to)} ELSE ${printExpression(e.otherwise, to)} END)`,
  cast: (e, to) => (e.type === 'boolean' ? `(${printExpression(e.operand, to)} <> 0)` : `CAST(${printExpression(e.operand, to)} AS ${castType(e.type)})`),
  aggregate: (e, to) => {
    if (e.operand === undefined && (e.name !== 'count' || e.distinct)) throw new InternalError(`${e.name}${e.distinct ? ' DISTINCT' : ''} without an operand: only count(*) has none`);
    if (e.distinct && e.over) throw new InternalError(`${e.name}(DISTINCT ...) OVER: ${to.flavour.title} has no such window function`);
    const operand = e.operand === undefined ? (e.filter === undefined ? '*' : '1') : printExpression(e.operand, to);
    return `${e.name}(${e.distinct ? 'DISTINCT ' : ''}${printFiltered(operand, e.filter, to)})${printOver(e.over, to)}`;
  },
  rank: (e, to) => `${e.name}()${printOver(e.over, to)}`,
  subquery: (e, to) => `(${printQuery(e.query, to)})`,
  exists: (e, to) => `(${not(e.negated)}EXISTS (${printQuery(e.query, to)}))`,
  inQuery: (e, to) => `(${printExpression(e.operand, to)} ${not(e.negated)}IN (${printQuery(e.query, to)}))`,
  quantified: (e, to) => `(${printExpression(e.operand, to)} ${e.op} ${e.quantifier.toUpperCase()} (${printQuery(e.query, to)}))`,
  proposed: (e) => `VALUES(${quoteIdentifier(e.column)})`,
  // A template as its file has it; no server is sent one.
  parameter: (e) => `:${e.name}`,
  default: () => 'DEFAULT',
  jsonArray: (e, to) => `JSON_ARRAY(${printAll(e.items, ', ', to)})`,
  jsonAgg: (e, to) => {
    if (e.over && !to.flavour.windowJson) throw new InternalError(`JSON_ARRAYAGG OVER: ${to.flavour.title} has no such window function`);
    const pairs = printPairs(e, to);
    return pairs !== undefined ? `JSON_COMPACT(${pairs})` : `JSON_ARRAYAGG(${printFiltered(printExpression(e.item, to), e.filter, to)})${printOver(e.over, to)}`;
  },
  capture: (e, to) => printCapture(e.reads.map((each) => printAppended(each, to)), e.once === true, printExpression(e.value, to)),
};

export function printQuery(query: Query, to: Printing): string {
  const print = QUERIES[query.kind] as (query: Query, to: Printing) => string;
  return print(query, to);
}

export function printFrom(from: From, to: Printing): string {
  const print = FROMS[from.kind] as (from: From, to: Printing) => string;
  return print(from, to);
}

export function printItems(items: readonly SelectItem[], to: Printing, print: Print<Expression> = printExpression): string {
  return items.map((item) => `${print(item.expression, to)} AS ${quoteIdentifier(item.alias)}`).join(', ');
}

/** A query whose rows the client gets, and no other query. */
export function printResult(query: Query, to: Printing): string {
  if (query.kind === 'select') return printSelect(query, to, printShown);
  if (query.kind === 'unionAll') return printArms(query.arms.map((arm) => printSelect(arm, to, printShown)));
  return query.op === 'union' && query.all ? printSetOperation(query, to, printResult) : printSetOperation(query, to);
}

/** Those that there are, with blanks between them. */
export function clauses(parts: readonly (string | false | 0 | undefined)[]): string {
  return parts.filter((part) => typeof part === 'string').join(' ');
}

const QUERIES: QueryPrinters = {
  select: (query, to) => printSelect(query, to),
  unionAll: (query, to) => printArms(query.arms.map((arm) => printSelect(arm, to))),
  setOperation: (query, to) => printSetOperation(query, to),
};

const FROMS: FromPrinters = {
  table: (from, to) => named('table', from.table, from.alias, to),
  view: (from, to) => named('view', from.view, from.alias, to),
  cte: (from) => `${quoteIdentifier(from.name)} AS ${quoteIdentifier(from.alias)}`,
  derived: (from, to) => {
    if (from.lateral && !to.flavour.lateral) throw new InternalError(`derived table ${from.alias}: ${to.flavour.title} has no LATERAL (capability lateral), so none may be planned for it`);
    return `${from.lateral ? 'LATERAL ' : ''}(${printQuery(from.query, to)}) AS ${quoteIdentifier(from.alias)}`;
  },
  join: printJoin,
};

function printArms(arms: readonly string[]): string {
  return arms.map((arm) => `(${arm})`).join(' UNION ALL ');
}

/** `print`: its items. */
function printSelect(select: Select, around: Printing, print: Print<Expression> = printExpression): string {
  const to = within(select.from, around);
  if (select.rollup && !select.groupBy?.length) throw new InternalError('ROLLUP without a GROUP BY');
  if (select.rollup && !to.flavour.orderedRollup && select.orderBy?.length) return printOrderedRollup(select, select.orderBy, to);
  const groups = select.groupBy?.map((e) => printPlaced(e, to)).join(', ');
  return clauses([
    printWith(select.with, to),
    `SELECT ${select.distinct ? 'DISTINCT ' : ''}${printItems(select.items, to, print)} FROM ${printFrom(select.from, to)}`,
    select.where && `WHERE ${printExpression(select.where, to)}`,
    groups && `GROUP BY ${groups}${select.rollup ? ' WITH ROLLUP' : ''}`,
    select.having && `HAVING ${printExpression(select.having, to)}`,
    select.orderBy?.length && `ORDER BY ${printOrder(select.orderBy, to)}`,
    select.limit !== undefined && `LIMIT ${select.limit}`,
    select.lock && (select.lock.strength === 'share' ? to.flavour.lockShare : 'FOR UPDATE'),
    select.lock?.wait && (select.lock.wait === 'nowait' ? 'NOWAIT' : to.flavour.skipLocked),
  ]);
}

/** The groups in a derived table, with the values that order them, ordered outside. */
function printOrderedRollup(select: Select, orderBy: readonly OrderItem[], to: Printing): string {
  const { with: clause, orderBy: _, limit, ...rest } = select;
  const shown = select.items.map((item, i): SelectItem => ({ ...item, alias: `iso_c${i}` }));
  const keys = orderBy.map((item, i): SelectItem => ({ expression: item.expression, alias: `iso_o${i}` }));
  const at = (alias: string): string => `iso_g.${quoteIdentifier(alias)}`;
  return clauses([
    printWith(clause, to),
    `SELECT ${select.items.map((item, i) => `${at(`iso_c${i}`)} AS ${quoteIdentifier(item.alias)}`).join(', ')} FROM (${printSelect({ ...rest, items: [...shown, ...keys] }, to)}) AS iso_g`,
    `ORDER BY ${orderBy.map((item, i) => `${at(`iso_o${i}`)} ${item.descending ? 'DESC' : 'ASC'}`).join(', ')}`,
    limit !== undefined && `LIMIT ${limit}`,
  ]);
}

function printSetOperation({ with: clause, op, all, left, right }: SetOperation, to: Printing, print: Print<Query> = printQuery): string {
  return clauses([printWith(clause, to), `(${print(left, to)})`, op.toUpperCase(), all && 'ALL', `(${print(right, to)})`]);
}

export function printWith(clause: With | undefined, to: Printing): string | undefined {
  if (clause === undefined) return undefined;
  if (clause.ctes.length === 0) throw new InternalError('WITH without a common table expression');
  const ctes = clause.ctes.map((cte) => `${quoteIdentifier(cte.name)} AS (${printQuery(cte.query, to)})`);
  return `WITH ${clause.recursive ? 'RECURSIVE ' : ''}${ctes.join(', ')}`;
}

/** A copy is a derived table that cannot be merged, since it has a LIMIT. */
function named(kind: 'table' | 'view', name: string, alias: string, to: Printing): string {
  const table = quoteName(name, to);
  return `${to.copied?.(name, kind) ? `(SELECT * FROM ${table} LIMIT ${NO_LIMIT})` : table} AS ${quoteIdentifier(alias)}`;
}

function printJoin(join: Extract<From, { kind: 'join' }>, to: Printing): string {
  const { type, left, right, on, using, natural } = join;
  const conditions = Number(on !== undefined) + Number(using !== undefined);
  if (conditions !== (type === 'cross' ? 0 : 1)) {
    throw new InternalError(`a ${type} join ${conditions === 0 ? 'without a condition' : conditions === 1 ? 'with a condition' : 'with ON and USING'}: exactly a cross join has none`);
  }
  if (using?.length === 0) throw new InternalError('a join USING no column: make it a cross join');
  const words = `${natural ? 'NATURAL ' : ''}${natural && type === 'inner' ? '' : `${type.toUpperCase()} `}JOIN`;
  const condition = on !== undefined ? `ON ${printExpression(on, to)}` : using !== undefined && !natural && `USING (${using.map(quoteIdentifier).join(', ')})`;
  return `(${clauses([printFrom(left, to), words, printFrom(right, to), condition])})`;
}
