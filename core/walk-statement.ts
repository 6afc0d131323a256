/**
 * The parts of a statement, one step at a time: what every stage that looks for something inside a statement shares.
 * Walks are made of these steps; a new kind of expression gets its row here and is then seen by all of them.
 */
import type { Expression, From, Query, Select, SelectItem, Statement, Window, With, WriteStatement } from './statement.ts';

export interface Parts {
  readonly expressions: readonly Expression[];
  readonly queries: readonly Query[];
}

type PartsOf = { readonly [K in Expression['kind']]: (expression: Extract<Expression, { kind: K }>) => Parts };

const NONE: Parts = { expressions: [], queries: [] };

/** Operands and subqueries that stand directly in the expression. */
export function partsOfExpression(expression: Expression): Parts {
  const parts = PARTS[expression.kind] as (expression: Expression) => Parts;
  return parts(expression);
}

/** What a query is made of: a select's FROM is walked by `leavesOf`, the queries of its leaves are not among these. */
export function partsOfSelect(select: Select): Parts {
  return of([
    ...select.items.map((item) => item.expression),
    ...joinConditions(select.from),
    ...optional(select.where),
    ...(select.groupBy ?? []),
    ...optional(select.having),
    ...(select.orderBy ?? []).map((item) => item.expression),
  ], withQueries(select.with));
}

/** The FROM items that are no joins, left to right. */
export function leavesOf(from: From): readonly Exclude<From, { kind: 'join' }>[] {
  return from.kind === 'join' ? [...leavesOf(from.left), ...leavesOf(from.right)] : [from];
}

/** The items that name the columns of a query's result. */
export function itemsOf(query: Query): readonly SelectItem[] {
  if (query.kind === 'select') return query.items;
  if (query.kind === 'setOperation') return itemsOf(query.left);
  return query.arms[0]?.items ?? [];
}

/** Everything inside a statement, itself included, outermost first: its queries, their FROM leaves, its expressions. */
export interface Contents {
  readonly queries: readonly Query[];
  readonly leaves: readonly Exclude<From, { kind: 'join' }>[];
  readonly joins: readonly Extract<From, { kind: 'join' }>[];
  readonly expressions: readonly Expression[];
}

export function contentsOf(statement: Statement): Contents {
  const queries: Query[] = [];
  const leaves: Exclude<From, { kind: 'join' }>[] = [];
  const joins: Extract<From, { kind: 'join' }>[] = [];
  const expressions: Expression[] = [];
  const todo: (() => void)[] = [];
  const queue = (parts: Parts): void => {
    for (const expression of parts.expressions) todo.push(() => addExpression(expression));
    for (const query of parts.queries) todo.push(() => addQuery(query));
  };
  const addExpression = (expression: Expression): void => {
    expressions.push(expression);
    queue(partsOfExpression(expression));
  };
  const addFrom = (from: From): void => {
    joins.push(...joinsOf(from));
    for (const leaf of leavesOf(from)) {
      leaves.push(leaf);
      if (leaf.kind === 'derived') todo.push(() => addQuery(leaf.query));
    }
  };
  const addQuery = (query: Query): void => {
    queries.push(query);
    if (query.kind === 'unionAll') queue(of([], query.arms));
    else if (query.kind === 'setOperation') queue(of([], [query.left, query.right, ...withQueries(query.with)]));
    else {
      queue(partsOfSelect(query));
      addFrom(query.from);
    }
  };

  if (statement.kind === 'insert' || statement.kind === 'update' || statement.kind === 'delete') {
    const from = statement.kind === 'update' ? statement.from : statement.kind === 'delete' ? statement.using : undefined;
    queue(partsOfWrite(statement));
    if (from) addFrom(from);
  } else if (statement.kind === 'select' || statement.kind === 'unionAll' || statement.kind === 'setOperation') addQuery(statement);
  for (let i = 0; i < todo.length; i++) todo[i]!();
  return { queries, leaves, joins, expressions };
}

/** What a write is made of: the FROM of an UPDATE and the USING of a DELETE are walked by `leavesOf`. */
export function partsOfWrite(write: WriteStatement): Parts {
  if (write.kind === 'insert') return of(insertExpressions(write), optional(write.query));
  const from = write.kind === 'update' ? write.from : write.using;
  const set = write.kind === 'update' ? write.set.map((assignment) => assignment.value) : [];
  return of([...set, ...(from ? joinConditions(from) : []), ...optional(write.where), ...(write.returning ?? []).map((item) => item.expression)]);
}

function insertExpressions(insert: Extract<Statement, { kind: 'insert' }>): readonly Expression[] {
  const { conflict } = insert;
  const update = conflict?.action === 'update' ? [...conflict.set.map((assignment) => assignment.value), ...optional(conflict.where)] : [];
  return [...insert.rows.flat(), ...update, ...(insert.returning ?? []).map((item) => item.expression)];
}

function joinsOf(from: From): readonly Extract<From, { kind: 'join' }>[] {
  return from.kind === 'join' ? [from, ...joinsOf(from.left), ...joinsOf(from.right)] : [];
}

function joinConditions(from: From): readonly Expression[] {
  return joinsOf(from).flatMap((join) => optional(join.on));
}

function withQueries(clause: With | undefined): readonly Query[] {
  return (clause?.ctes ?? []).map((cte) => cte.query);
}

function of(expressions: readonly Expression[], queries: readonly Query[] = []): Parts {
  return { expressions, queries };
}

function optional<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}

function windowParts(over: Window | undefined): readonly Expression[] {
  return over === undefined ? [] : [...over.partitionBy, ...over.orderBy.map((item) => item.expression)];
}

const PARTS: PartsOf = {
  literal: () => NONE,
  column: () => NONE,
  parameter: () => NONE,
  proposed: () => NONE,
  default: () => NONE,
  compare: (e) => of([e.left, e.right]),
  arithmetic: (e) => of([e.left, e.right]),
  logic: (e) => of(e.operands),
  concat: (e) => of(e.operands),
  not: (e) => of([e.operand]),
  isNull: (e) => of([e.operand]),
  like: (e) => of([e.operand]),
  cast: (e) => of([e.operand]),
  between: (e) => of([e.operand, e.low, e.high]),
  in: (e) => of([e.operand, ...e.list]),
  call: (e) => of(e.args),
  case: (e) => of([e.when, e.then, e.otherwise]),
  jsonArray: (e) => of(e.items),
  jsonAgg: (e) => of([e.item, ...optional(e.filter), ...windowParts(e.over)]),
  capture: (e) => of([...e.reads, e.value]),
  aggregate: (e) => of([...optional(e.operand), ...optional(e.filter), ...windowParts(e.over)]),
  rank: (e) => of(windowParts(e.over)),
  subquery: (e) => of([], [e.query]),
  exists: (e) => of([], [e.query]),
  inQuery: (e) => of([e.operand], [e.query]),
  quantified: (e) => of([e.operand], [e.query]),
};
