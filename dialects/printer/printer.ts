/**
 * The SQL that all DBMSs share: expressions and queries, which may contain each other. Every operator, every nested
 * query and every join is in parentheses, so that a rewrite keeps the meaning of its parts. A DBMS's own spellings are
 * rows of its `Words`. A new kind of expression that all DBMSs spell alike needs a row only here.
 *
 * `To` is the context that a dialect needs for printing, such as the namespace of tables.
 */
import type {
  Expression,
  From,
  IndexHint,
  Lock,
  OrderItem,
  Query,
  Select,
  SelectItem,
  SetOperation,
  TypeKind,
  Value,
  Window,
  With,
} from '../../core/sql/index.ts';
import { InternalError } from '../../core/base/index.ts';
import { clauses } from './clauses.ts';

export type Print<T, To> = (part: T, to: To) => string;
type Printers<T extends { readonly kind: string }, To> = { readonly [K in T['kind']]: Print<Extract<T, { readonly kind: K }>, To> };
type Of<K extends Expression['kind']> = Extract<Expression, { readonly kind: K }>;

/** The parts of the printer that differ between DBMSs. */
export interface Words<To> {
  /** The server's name in messages. */
  readonly title: (to: To) => string;
  readonly identifier: (name: string) => string;
  readonly text: (text: string) => string;
  readonly literal: (type: TypeKind, value: Value) => string;
  /** The type's name in CAST. */
  readonly castType: (type: TypeKind) => string;
  /** A table or a view with its alias. */
  readonly named: (kind: 'table' | 'view', name: string, alias: string, to: To) => string;
  /** Throws if the DBMS has no index hints. */
  readonly hint: (hint: IndexHint, to: To) => string;
  /** The context inside the scope of a FROM. */
  readonly within: (from: From, to: To) => To;
  /** Throws if the DBMS has no LATERAL. */
  readonly lateral: (alias: string, to: To) => string;
  readonly naturalJoin: (type: 'inner' | 'left' | 'cross') => string;
  readonly grouping: (groups: string, rollup: boolean) => string;
  readonly lock: (lock: Lock, to: To) => readonly (string | undefined)[];
  /** Another form of a whole SELECT. Undefined: it has none. */
  readonly otherSelect?: (select: Select, to: To) => string | undefined;
  /** The argument of an aggregate with a filter, and the text after its parenthesis. The operand is undefined for count(*). */
  readonly filtered: (
    operand: string | undefined,
    filter: Expression | undefined,
    to: To,
  ) => { readonly inside: string; readonly behind: string };
  readonly expressions: {
    readonly [
      K in 'cast' | 'shifted' | 'overlaps' | 'concat' | 'call' | 'routine' | 'proposed' | 'jsonArray' | 'jsonAgg' | 'capture'
    ]: Print<Of<K>, To>;
  };
}

export interface Printer<To> {
  readonly expression: Print<Expression, To>;
  readonly expressions: (list: readonly Expression[], separator: string, to: To) => string;
  /**
   * An expression of ORDER BY or GROUP BY. There a bare integer is a column position, and a bare string may be an
   * error. A cast makes each a constant again.
   */
  readonly placed: Print<Expression, To>;
  readonly order: (items: readonly OrderItem[], to: To) => string;
  /** OVER with a blank before it, or an empty text. */
  readonly over: (over: Window | undefined, to: To) => string;
  readonly items: (items: readonly SelectItem[], to: To, print?: Print<Expression, To>) => string;
  readonly from: Print<From, To>;
  readonly query: Print<Query, To>;
  /** `print` prints its items. */
  readonly select: (select: Select, to: To, print?: Print<Expression, To>) => string;
  readonly arms: (arms: readonly string[]) => string;
  /** `print` prints its sides. */
  readonly setOperation: (operation: SetOperation, to: To, print?: Print<Query, To>) => string;
  readonly with: (clause: With | undefined, to: To) => string | undefined;
}

export function createPrinter<To>(words: Words<To>): Printer<To> {
  const printer: Printer<To> = {
    expression: (part, to) => (expressions[part.kind] as Print<Expression, To>)(part, to),
    expressions: (list, separator, to) => list.map((each) => printer.expression(each, to)).join(separator),
    placed: (part, to) =>
      part.kind === 'literal' ? `CAST(${printer.expression(part, to)} AS ${words.castType(part.type)})` : printer.expression(part, to),
    order: (items, to) => items.map((item) => `${printer.placed(item.expression, to)} ${item.descending ? 'DESC' : 'ASC'}`).join(', '),
    over: (window, to) => printOver(window, printer, to),
    items: (list, to, print = printer.expression) =>
      list.map((item) => `${print(item.expression, to)} AS ${words.identifier(item.alias)}`).join(', '),
    from: (part, to) => (froms[part.kind] as Print<From, To>)(part, to),
    query: (part, to) => (queries[part.kind] as Print<Query, To>)(part, to),
    select: (part, to, print) => printSelect(part, words, printer, to, print),
    arms: (list) => list.map((arm) => `(${arm})`).join(' UNION ALL '),
    setOperation: ({ with: clause, op, all, left, right }, to, print = printer.query) =>
      clauses([printer.with(clause, to), `(${print(left, to)})`, op.toUpperCase(), all && 'ALL', `(${print(right, to)})`]),
    with: (clause, to) => printWith(clause, words, printer, to),
  };
  const expressions = expressionPrinters(words, printer);
  const froms = fromPrinters(words, printer);
  const queries: Printers<Query, To> = {
    select: (part, to) => printer.select(part, to),
    unionAll: (part, to) => printer.arms(part.arms.map((arm) => printer.select(arm, to))),
    setOperation: (part, to) => printer.setOperation(part, to),
  };
  return printer;
}

function expressionPrinters<To>(words: Words<To>, printer: Printer<To>): Printers<Expression, To> {
  return {
    ...words.expressions,
    literal: (e) => words.literal(e.type, e.value),
    column: (e) => `${words.identifier(e.table)}.${words.identifier(e.column)}`,
    compare: (e, to) => `(${printer.expression(e.left, to)} ${e.op} ${printer.expression(e.right, to)})`,
    // Without operands: the neutral element, as in logic.
    logic: (e, to) =>
      e.operands.length === 0 ? (e.op === 'and' ? 'TRUE' : 'FALSE') : `(${printer.expressions(e.operands, ` ${e.op.toUpperCase()} `, to)})`,
    not: (e, to) => `(NOT ${printer.expression(e.operand, to)})`,
    isNull: (e, to) => `(${printer.expression(e.operand, to)} IS ${not(e.negated)}NULL)`,
    between: (e, to) =>
      `(${printer.expression(e.operand, to)} BETWEEN ${printer.expression(e.low, to)} AND ${printer.expression(e.high, to)})`,
    // SQL has no IN (). An empty list contains nothing, not even NULL.
    in: (e, to) =>
      e.list.length === 0
        ? e.negated
          ? 'TRUE'
          : 'FALSE'
        : `(${printer.expression(e.operand, to)} ${not(e.negated)}IN (${printer.expressions(e.list, ', ', to)}))`,
    like: (e, to) => `(${printer.expression(e.operand, to)} ${not(e.negated)}LIKE ${words.text(e.pattern)})`,
    arithmetic: (e, to) => `(${printer.expression(e.left, to)} ${e.op} ${printer.expression(e.right, to)})`,
    case: (e, to) =>
      `(CASE WHEN ${printer.expression(e.when, to)} THEN ${printer.expression(e.then, to)} ELSE ${printer.expression(e.otherwise, to)} END)`,
    aggregate: (e, to) => printAggregate(e, words, printer, to),
    rank: (e, to) => `${e.name}()${printer.over(e.over, to)}`,
    subquery: (e, to) => `(${printer.query(e.query, to)})`,
    exists: (e, to) => `(${not(e.negated)}EXISTS (${printer.query(e.query, to)}))`,
    inQuery: (e, to) => `(${printer.expression(e.operand, to)} ${not(e.negated)}IN (${printer.query(e.query, to)}))`,
    quantified: (e, to) => `(${printer.expression(e.operand, to)} ${e.op} ${e.quantifier.toUpperCase()} (${printer.query(e.query, to)}))`,
    // A parameter appears as in its file. Only texts for people have one.
    parameter: (e) => `:${e.name}`,
    default: () => 'DEFAULT',
  };
}

function printAggregate<To>(e: Of<'aggregate'>, words: Words<To>, printer: Printer<To>, to: To): string {
  if (e.operand === undefined && (e.name !== 'count' || e.distinct))
    throw new InternalError(`${e.name}${e.distinct ? ' DISTINCT' : ''} without an operand: only count(*) has none`);
  if (e.distinct && e.over) throw new InternalError(`${e.name}(DISTINCT ...) OVER: ${words.title(to)} has no such window function`);
  const { inside, behind } = words.filtered(e.operand && printer.expression(e.operand, to), e.filter, to);
  return `${e.name}(${e.distinct ? 'DISTINCT ' : ''}${inside})${behind}${printer.over(e.over, to)}`;
}

function printOver<To>(window: Window | undefined, printer: Printer<To>, to: To): string {
  if (window === undefined) return '';
  const { partitionBy, orderBy } = window;
  return ` OVER (${clauses([partitionBy.length > 0 && `PARTITION BY ${partitionBy.map((each) => printer.placed(each, to)).join(', ')}`, orderBy.length > 0 && `ORDER BY ${printer.order(orderBy, to)}`])})`;
}

function printSelect<To>(part: Select, words: Words<To>, printer: Printer<To>, around: To, print?: Print<Expression, To>): string {
  const to = words.within(part.from, around);
  if (part.rollup && !part.groupBy?.length) throw new InternalError('ROLLUP without a GROUP BY');
  const other = words.otherSelect?.(part, to);
  if (other !== undefined) return other;
  const groups = part.groupBy?.map((each) => printer.placed(each, to)).join(', ');
  return clauses([
    printer.with(part.with, to),
    `SELECT ${part.distinct ? 'DISTINCT ' : ''}${printer.items(part.items, to, print)} FROM ${printer.from(part.from, to)}`,
    part.where && `WHERE ${printer.expression(part.where, to)}`,
    groups && `GROUP BY ${words.grouping(groups, part.rollup === true)}`,
    part.having && `HAVING ${printer.expression(part.having, to)}`,
    part.orderBy?.length && `ORDER BY ${printer.order(part.orderBy, to)}`,
    part.limit !== undefined && `LIMIT ${part.limit}`,
    ...(part.lock === undefined ? [] : words.lock(part.lock, to)),
  ]);
}

function printWith<To>(clause: With | undefined, words: Words<To>, printer: Printer<To>, to: To): string | undefined {
  if (clause === undefined) return undefined;
  if (clause.ctes.length === 0) throw new InternalError('WITH without a common table expression');
  const ctes = clause.ctes.map((cte) => `${words.identifier(cte.name)} AS (${printer.query(cte.query, to)})`);
  return `WITH ${clause.recursive ? 'RECURSIVE ' : ''}${ctes.join(', ')}`;
}

function fromPrinters<To>(words: Words<To>, printer: Printer<To>): Printers<From, To> {
  return {
    table: (part, to) =>
      `${words.named('table', part.table, part.alias, to)}${part.hint === undefined ? '' : ` ${words.hint(part.hint, to)}`}`,
    view: (part, to) => words.named('view', part.view, part.alias, to),
    cte: (part) => `${words.identifier(part.name)} AS ${words.identifier(part.alias)}`,
    derived: (part, to) =>
      `${part.lateral ? words.lateral(part.alias, to) : ''}(${printer.query(part.query, to)}) AS ${words.identifier(part.alias)}`,
    join: (part, to) => printJoin(part, words, printer, to),
  };
}

function printJoin<To>(
  { type, left, right, on, using, natural }: Extract<From, { kind: 'join' }>,
  words: Words<To>,
  printer: Printer<To>,
  to: To,
): string {
  const conditions = Number(on !== undefined) + Number(using !== undefined);
  if (conditions !== (type === 'cross' ? 0 : 1)) {
    throw new InternalError(
      `a ${type} join ${conditions === 0 ? 'without a condition' : conditions === 1 ? 'with a condition' : 'with ON and USING'}: exactly a cross join has none`,
    );
  }
  if (using?.length === 0) throw new InternalError('a join USING no column: make it a cross join');
  const condition =
    on !== undefined
      ? `ON ${printer.expression(on, to)}`
      : using !== undefined && !natural && `USING (${using.map(words.identifier).join(', ')})`;
  return `(${clauses([printer.from(left, to), natural ? words.naturalJoin(type) : `${type.toUpperCase()} JOIN`, printer.from(right, to), condition])})`;
}

function not(negated: boolean): string {
  return negated ? 'NOT ' : '';
}
