/**
 * What all SQL shares: expressions and queries, each of which may hold the other. Everything with an operator, every query
 * inside something and every join is in parentheses, so that what a rewrite moves keeps its meaning. What a DBMS spells
 * in its own words are rows of its `Words`; a new kind of expression that all spell alike needs a row here only.
 *
 * `To` is what a dialect must know where it prints, such as the namespace that tables are in.
 */
import type { Expression, From, Lock, OrderItem, Query, Select, SelectItem, SetOperation, TypeKind, Value, Window, With } from '../../core/index.ts';
import { InternalError } from '../../core/index.ts';
import { clauses } from './clauses.ts';

export type Print<T, To> = (part: T, to: To) => string;
type Printers<T extends { readonly kind: string }, To> = { readonly [K in T['kind']]: Print<Extract<T, { readonly kind: K }>, To> };
type Of<K extends Expression['kind']> = Extract<Expression, { readonly kind: K }>;

/** What differs between DBMSs. */
export interface Words<To> {
  /** The server, in sentences. */
  title(to: To): string;
  identifier(name: string): string;
  text(text: string): string;
  literal(type: TypeKind, value: Value): string;
  /** What CAST takes. */
  castType(type: TypeKind): string;
  /** A table or a view with its alias. */
  named(kind: 'table' | 'view', name: string, alias: string, to: To): string;
  /** Within the scope of a FROM. */
  within(from: From, to: To): To;
  /** Throws where there is no LATERAL. */
  lateral(alias: string, to: To): string;
  naturalJoin(type: 'inner' | 'left' | 'cross'): string;
  grouping(groups: string, rollup: boolean): string;
  lock(lock: Lock, to: To): readonly (string | undefined)[];
  /** A SELECT that has another form as a whole; undefined: it has not. */
  otherSelect?(select: Select, to: To): string | undefined;
  /** What an aggregate is over, and what stands behind its parenthesis; no operand: of count(*). */
  filtered(operand: string | undefined, filter: Expression | undefined, to: To): { readonly inside: string; readonly behind: string };
  readonly expressions: { readonly [K in 'cast' | 'concat' | 'call' | 'proposed' | 'jsonArray' | 'jsonAgg' | 'capture']: Print<Of<K>, To> };
}

export interface Printer<To> {
  readonly expression: Print<Expression, To>;
  expressions(list: readonly Expression[], separator: string, to: To): string;
  /** OVER with a blank before it, or nothing. */
  over(over: Window | undefined, to: To): string;
  items(items: readonly SelectItem[], to: To, print?: Print<Expression, To>): string;
  readonly from: Print<From, To>;
  readonly query: Print<Query, To>;
  /** `print`: its items. */
  select(select: Select, to: To, print?: Print<Expression, To>): string;
  arms(arms: readonly string[]): string;
  /** `print`: its sides. */
  setOperation(operation: SetOperation, to: To, print?: Print<Query, To>): string;
  with(clause: With | undefined, to: To): string | undefined;
}

export function createPrinter<To>(words: Words<To>): Printer<To> {
  const name = words.identifier;
  const expression = (part: Expression, to: To): string => (EXPRESSIONS[part.kind] as Print<Expression, To>)(part, to);
  const query = (part: Query, to: To): string => (QUERIES[part.kind] as Print<Query, To>)(part, to);
  const from = (part: From, to: To): string => (FROMS[part.kind] as Print<From, To>)(part, to);

  const expressions = (list: readonly Expression[], separator: string, to: To): string => list.map((each) => expression(each, to)).join(separator);
  /** In ORDER BY and GROUP BY a bare integer is a column position, a bare string may be an error: a cast makes both constants again. */
  const placed = (part: Expression, to: To): string => (part.kind === 'literal' ? `CAST(${expression(part, to)} AS ${words.castType(part.type)})` : expression(part, to));
  const order = (items: readonly OrderItem[], to: To): string => items.map((item) => `${placed(item.expression, to)} ${item.descending ? 'DESC' : 'ASC'}`).join(', ');
  const items = (list: readonly SelectItem[], to: To, print: Print<Expression, To> = expression): string => list.map((item) => `${print(item.expression, to)} AS ${name(item.alias)}`).join(', ');
  const arms = (list: readonly string[]): string => list.map((arm) => `(${arm})`).join(' UNION ALL ');

  const over = (window: Window | undefined, to: To): string => {
    if (window === undefined) return '';
    const { partitionBy, orderBy } = window;
    return ` OVER (${clauses([partitionBy.length > 0 && `PARTITION BY ${partitionBy.map((each) => placed(each, to)).join(', ')}`, orderBy.length > 0 && `ORDER BY ${order(orderBy, to)}`])})`;
  };

  const aggregate = (e: Of<'aggregate'>, to: To): string => {
    if (e.operand === undefined && (e.name !== 'count' || e.distinct)) throw new InternalError(`${e.name}${e.distinct ? ' DISTINCT' : ''} without an operand: only count(*) has none`);
    if (e.distinct && e.over) throw new InternalError(`${e.name}(DISTINCT ...) OVER: ${words.title(to)} has no such window function`);
    const { inside, behind } = words.filtered(e.operand && expression(e.operand, to), e.filter, to);
    return `${e.name}(${e.distinct ? 'DISTINCT ' : ''}${inside})${behind}${over(e.over, to)}`;
  };

  const select = (part: Select, around: To, print?: Print<Expression, To>): string => {
    const to = words.within(part.from, around);
    if (part.rollup && !part.groupBy?.length) throw new InternalError('ROLLUP without a GROUP BY');
    const other = words.otherSelect?.(part, to);
    if (other !== undefined) return other;
    const groups = part.groupBy?.map((each) => placed(each, to)).join(', ');
    return clauses([
      withClause(part.with, to),
      `SELECT ${part.distinct ? 'DISTINCT ' : ''}${items(part.items, to, print)} FROM ${from(part.from, to)}`,
      part.where && `WHERE ${expression(part.where, to)}`,
      groups && `GROUP BY ${words.grouping(groups, part.rollup === true)}`,
      part.having && `HAVING ${expression(part.having, to)}`,
      part.orderBy?.length && `ORDER BY ${order(part.orderBy, to)}`,
      part.limit !== undefined && `LIMIT ${part.limit}`,
      ...(part.lock === undefined ? [] : words.lock(part.lock, to)),
    ]);
  };

  const setOperation = ({ with: clause, op, all, left, right }: SetOperation, to: To, print: Print<Query, To> = query): string =>
    clauses([withClause(clause, to), `(${print(left, to)})`, op.toUpperCase(), all && 'ALL', `(${print(right, to)})`]);

  const withClause = (clause: With | undefined, to: To): string | undefined => {
    if (clause === undefined) return undefined;
    if (clause.ctes.length === 0) throw new InternalError('WITH without a common table expression');
    const ctes = clause.ctes.map((cte) => `${name(cte.name)} AS (${query(cte.query, to)})`);
    return `WITH ${clause.recursive ? 'RECURSIVE ' : ''}${ctes.join(', ')}`;
  };

  const join = ({ type, left, right, on, using, natural }: Extract<From, { kind: 'join' }>, to: To): string => {
    const conditions = Number(on !== undefined) + Number(using !== undefined);
    if (conditions !== (type === 'cross' ? 0 : 1)) {
      throw new InternalError(`a ${type} join ${conditions === 0 ? 'without a condition' : conditions === 1 ? 'with a condition' : 'with ON and USING'}: exactly a cross join has none`);
    }
    if (using?.length === 0) throw new InternalError('a join USING no column: make it a cross join');
    const condition = on !== undefined ? `ON ${expression(on, to)}` : using !== undefined && !natural && `USING (${using.map(name).join(', ')})`;
    return `(${clauses([from(left, to), natural ? words.naturalJoin(type) : `${type.toUpperCase()} JOIN`, from(right, to), condition])})`;
  };

  const EXPRESSIONS: Printers<Expression, To> = {
    ...words.expressions,
    literal: (e) => words.literal(e.type, e.value),
    column: (e) => `${name(e.table)}.${name(e.column)}`,
    compare: (e, to) => `(${expression(e.left, to)} ${e.op} ${expression(e.right, to)})`,
    // No operands: the neutral element, as in logic.
    logic: (e, to) => (e.operands.length === 0 ? (e.op === 'and' ? 'TRUE' : 'FALSE') : `(${expressions(e.operands, ` ${e.op.toUpperCase()} `, to)})`),
    not: (e, to) => `(NOT ${expression(e.operand, to)})`,
    isNull: (e, to) => `(${expression(e.operand, to)} IS ${not(e.negated)}NULL)`,
    between: (e, to) => `(${expression(e.operand, to)} BETWEEN ${expression(e.low, to)} AND ${expression(e.high, to)})`,
    // IN () is no SQL; nothing is in an empty list, not even NULL.
    in: (e, to) => (e.list.length === 0 ? (e.negated ? 'TRUE' : 'FALSE') : `(${expression(e.operand, to)} ${not(e.negated)}IN (${expressions(e.list, ', ', to)}))`),
    like: (e, to) => `(${expression(e.operand, to)} ${not(e.negated)}LIKE ${words.text(e.pattern)})`,
    arithmetic: (e, to) => `(${expression(e.left, to)} ${e.op} ${expression(e.right, to)})`,
    case: (e, to) => `(CASE WHEN ${expression(e.when, to)} THEN ${expression(e.then, to)} ELSE ${expression(e.otherwise, to)} END)`,
    aggregate,
    rank: (e, to) => `${e.name}()${over(e.over, to)}`,
    subquery: (e, to) => `(${query(e.query, to)})`,
    exists: (e, to) => `(${not(e.negated)}EXISTS (${query(e.query, to)}))`,
    inQuery: (e, to) => `(${expression(e.operand, to)} ${not(e.negated)}IN (${query(e.query, to)}))`,
    quantified: (e, to) => `(${expression(e.operand, to)} ${e.op} ${e.quantifier.toUpperCase()} (${query(e.query, to)}))`,
    // A template as its file has it; no server is sent one.
    parameter: (e) => `:${e.name}`,
    default: () => 'DEFAULT',
  };

  const QUERIES: Printers<Query, To> = {
    select: (part, to) => select(part, to),
    unionAll: (part, to) => arms(part.arms.map((arm) => select(arm, to))),
    setOperation: (part, to) => setOperation(part, to),
  };

  const FROMS: Printers<From, To> = {
    table: (part, to) => words.named('table', part.table, part.alias, to),
    view: (part, to) => words.named('view', part.view, part.alias, to),
    cte: (part) => `${name(part.name)} AS ${name(part.alias)}`,
    derived: (part, to) => `${part.lateral ? words.lateral(part.alias, to) : ''}(${query(part.query, to)}) AS ${name(part.alias)}`,
    join,
  };

  return { expression, expressions, over, items, from, query, select, arms, setOperation, with: withClause };
}

function not(negated: boolean): string {
  return negated ? 'NOT ' : '';
}
