/**
 * Prints expressions and queries: each may hold the other. Everything with an operator, every query inside something and
 * every join is in parentheses, so that what a rewrite moves keeps its meaning.
 */
import type { Expression, From, OrderItem, Query, Select, SelectItem, SetOperation, Window, With } from '../../core/index.ts';
import { InternalError, LIST_COLUMN, RID_COLUMN } from '../../core/index.ts';
import { printLiteral, typeName } from './literal.ts';
import { quoteIdentifier, quoteText } from './quote.ts';

type Printers = { readonly [K in Expression['kind']]: (expression: Extract<Expression, { kind: K }>) => string };
type QueryPrinters = { readonly [K in Query['kind']]: (query: Extract<Query, { kind: K }>) => string };
type FromPrinters = { readonly [K in From['kind']]: (from: Extract<From, { kind: K }>) => string };

export function printExpression(expression: Expression): string {
  const print = PRINTERS[expression.kind] as (expression: Expression) => string;
  return print(expression);
}

/** In ORDER BY and GROUP BY a bare integer is a column position and a bare string an error: a cast makes both constants again. */
function printPlaced(expression: Expression): string {
  const text = printExpression(expression);
  return expression.kind === 'literal' ? `CAST(${text} AS ${typeName(expression.type)})` : text;
}

function printOrder(items: readonly OrderItem[]): string {
  return items.map((item) => `${printPlaced(item.expression)} ${item.descending ? 'DESC' : 'ASC'}`).join(', ');
}

function printAll(expressions: readonly Expression[], separator: string): string {
  return expressions.map(printExpression).join(separator);
}

function not(negated: boolean): string {
  return negated ? 'NOT ' : '';
}

/** What follows an aggregate or window function. */
function printTail(filter: Expression | undefined, over: Window | undefined): string {
  const tail = clauses([filter && `FILTER (WHERE ${printExpression(filter)})`, over && `OVER (${printWindow(over)})`]);
  return tail === '' ? '' : ` ${tail}`;
}

function printWindow({ partitionBy, orderBy }: Window): string {
  return clauses([partitionBy.length > 0 && `PARTITION BY ${partitionBy.map(printPlaced).join(', ')}`, orderBy.length > 0 && `ORDER BY ${printOrder(orderBy)}`]);
}

const PRINTERS: Printers = {
  literal: (e) => printLiteral(e.type, e.value),
  column: (e) => `${quoteIdentifier(e.table)}.${quoteIdentifier(e.column)}`,
  compare: (e) => `(${printExpression(e.left)} ${e.op} ${printExpression(e.right)})`,
  // No operands: the neutral element, as in logic.
  logic: (e) => (e.operands.length === 0 ? (e.op === 'and' ? 'TRUE' : 'FALSE') : `(${printAll(e.operands, ` ${e.op.toUpperCase()} `)})`),
  not: (e) => `(NOT ${printExpression(e.operand)})`,
  isNull: (e) => `(${printExpression(e.operand)} IS ${not(e.negated)}NULL)`,
  between: (e) => `(${printExpression(e.operand)} BETWEEN ${printExpression(e.low)} AND ${printExpression(e.high)})`,
  // IN () is no SQL; nothing is in an empty list, not even NULL.
  in: (e) => (e.list.length === 0 ? (e.negated ? 'TRUE' : 'FALSE') : `(${printExpression(e.operand)} ${not(e.negated)}IN (${printAll(e.list, ', ')}))`),
  like: (e) => `(${printExpression(e.operand)} ${not(e.negated)}LIKE ${quoteText(e.pattern)})`,
  arithmetic: (e) => `(${printExpression(e.left)} ${e.op} ${printExpression(e.right)})`,
  concat: (e) => (e.operands.length === 0 ? "''" : `(${printAll(e.operands, ' || ')})`),
  call: (e) => `${e.name}(${printAll(e.args, ', ')})`,
  case: (e) => `(CASE WHEN ${printExpression(e.when)} THEN ${printExpression(e.then)} ELSE ${printExpression(e.otherwise)} END)`,
  cast: (e) => `CAST(${printExpression(e.operand)} AS ${typeName(e.type)})`,
  aggregate: (e) => {
    if (e.operand === undefined && (e.name !== 'count' || e.distinct)) throw new InternalError(`${e.name}${e.distinct ? ' DISTINCT' : ''} without an operand: only count(*) has none`);
    if (e.distinct && e.over) throw new InternalError(`${e.name}(DISTINCT ...) OVER: PostgreSQL has no such window function`);
    return `${e.name}(${e.operand === undefined ? '*' : `${e.distinct ? 'DISTINCT ' : ''}${printExpression(e.operand)}`})${printTail(e.filter, e.over)}`;
  },
  rank: (e) => `${e.name}()${printTail(undefined, e.over)}`,
  subquery: (e) => `(${printQuery(e.query)})`,
  exists: (e) => `(${not(e.negated)}EXISTS (${printQuery(e.query)}))`,
  inQuery: (e) => `(${printExpression(e.operand)} ${not(e.negated)}IN (${printQuery(e.query)}))`,
  quantified: (e) => `(${printExpression(e.operand)} ${e.op} ${e.quantifier.toUpperCase()} (${printQuery(e.query)}))`,
  proposed: (e) => `EXCLUDED.${quoteIdentifier(e.column)}`,
  // A template as its file has it; no server is sent one.
  parameter: (e) => `:${e.name}`,
  default: () => 'DEFAULT',
  jsonArray: (e) => `json_build_array(${printAll(e.items, ', ')})`,
  jsonAgg: (e) => (e.once ? printOnce(e) : `json_agg(${printExpression(e.item)})${printTail(e.filter, e.over)}`),
  capture: () => {
    throw new InternalError('a capture: PostgreSQL has RETURNING (no capability capture), so none may be planned for it');
  },
};

/** json has no equality. A row version becomes one text behind its table's name, which sorts quickest; all else jsonb. */
function printOnce({ item, filter, over }: Extract<Expression, { kind: 'jsonAgg' }>): string {
  const tail = printTail(filter, over);
  const [table, rid, list, ...more] = item.kind === 'jsonArray' ? item.items : [];
  if (table?.kind !== 'literal' || rid?.kind !== 'column' || rid.column !== RID_COLUMN || list?.kind !== 'column' || list.column !== LIST_COLUMN || more.length > 0) {
    return `jsonb_agg(DISTINCT CAST(${printExpression(item)} AS jsonb))${tail}`;
  }
  return `json_build_array(${printExpression(table)}, array_agg(DISTINCT (${printExpression(rid)} || ' ' || coalesce(${printExpression(list)}, '')))${tail})`;
}

export function printQuery(query: Query): string {
  const print = QUERIES[query.kind] as (query: Query) => string;
  return print(query);
}

export function printFrom(from: From): string {
  const print = FROMS[from.kind] as (from: From) => string;
  return print(from);
}

export function printItems(items: readonly SelectItem[]): string {
  return items.map((item) => `${printExpression(item.expression)} AS ${quoteIdentifier(item.alias)}`).join(', ');
}

/** Those that there are, with blanks between them. */
export function clauses(parts: readonly (string | false | 0 | undefined)[]): string {
  return parts.filter((part) => typeof part === 'string').join(' ');
}

const QUERIES: QueryPrinters = {
  select: printSelect,
  unionAll: (query) => query.arms.map((arm) => `(${printSelect(arm)})`).join(' UNION ALL '),
  setOperation: printSetOperation,
};

const FROMS: FromPrinters = {
  table: (from) => named(from.table, from.alias),
  view: (from) => named(from.view, from.alias),
  cte: (from) => named(from.name, from.alias),
  derived: (from) => `${from.lateral ? 'LATERAL ' : ''}(${printQuery(from.query)}) AS ${quoteIdentifier(from.alias)}`,
  join: printJoin,
};

function printSelect(select: Select): string {
  if (select.rollup && !select.groupBy?.length) throw new InternalError('ROLLUP without a GROUP BY');
  const groups = select.groupBy?.map(printPlaced).join(', ');
  return clauses([
    printWith(select.with),
    `SELECT ${select.distinct ? 'DISTINCT ' : ''}${printItems(select.items)} FROM ${printFrom(select.from)}`,
    select.where && `WHERE ${printExpression(select.where)}`,
    groups && `GROUP BY ${select.rollup ? `ROLLUP (${groups})` : groups}`,
    select.having && `HAVING ${printExpression(select.having)}`,
    select.orderBy?.length && `ORDER BY ${printOrder(select.orderBy)}`,
    select.limit !== undefined && `LIMIT ${select.limit}`,
    select.lock && `FOR ${select.lock.strength.toUpperCase()}`,
    select.lock?.wait?.toUpperCase(),
  ]);
}

function printSetOperation({ with: clause, op, all, left, right }: SetOperation): string {
  return clauses([printWith(clause), `(${printQuery(left)})`, op.toUpperCase(), all && 'ALL', `(${printQuery(right)})`]);
}

function printWith(clause: With | undefined): string | undefined {
  if (clause === undefined) return undefined;
  if (clause.ctes.length === 0) throw new InternalError('WITH without a common table expression');
  const ctes = clause.ctes.map((cte) => `${quoteIdentifier(cte.name)} AS (${printQuery(cte.query)})`);
  return `WITH ${clause.recursive ? 'RECURSIVE ' : ''}${ctes.join(', ')}`;
}

function named(name: string, alias: string): string {
  return `${quoteIdentifier(name)} AS ${quoteIdentifier(alias)}`;
}

function printJoin(join: Extract<From, { kind: 'join' }>): string {
  const { type, left, right, on, using, natural } = join;
  const conditions = Number(on !== undefined) + Number(using !== undefined);
  if (conditions !== (type === 'cross' ? 0 : 1)) {
    throw new InternalError(`a ${type} join ${conditions === 0 ? 'without a condition' : conditions === 1 ? 'with a condition' : 'with ON and USING'}: exactly a cross join has none`);
  }
  if (using?.length === 0) throw new InternalError('a join USING no column: make it a cross join');
  const words = `${natural ? 'NATURAL ' : ''}${type.toUpperCase()} JOIN`;
  const condition = on !== undefined ? `ON ${printExpression(on)}` : using !== undefined && !natural && `USING (${using.map(quoteIdentifier).join(', ')})`;
  return `(${clauses([printFrom(left), words, printFrom(right), condition])})`;
}
