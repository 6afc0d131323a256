/**
 * Resolves expressions in a scope: every column gets its alias, and every literal the type of the operand beside it.
 * Types are known as far as literals need them.
 */
import type { Drawn, Expression, Query, Schema, TypeKind, Window } from '../../core/index.ts';
import { refuseApart, refusePassing, refuseUnlessBoolean } from './families.ts';
import { fit, isOpen } from './fit-literal.ts';
import type { Grammar } from './grammar.ts';
import { refuse } from './refuse.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import { findColumn, typed, type Field, type Found, type Same, type Scope } from './scope.ts';

export interface ResolvedQuery {
  readonly query: Query;
  readonly fields: readonly Field[];
}

/** The state that the resolution of one statement shares. */
export interface Context {
  readonly schema: Schema;
  readonly grammar: Grammar;
  readonly same: Same;
  /** Aliases that the statement uses already, in lower case. */
  readonly taken: Set<string>;
  /** Names of WITH that the statement uses already. */
  readonly commonNames: Set<string>;
  /** Makes a parameter for a value that the server would draw. Present only for statements of transactions. */
  readonly drawn?: (what: Drawn) => Expression;
  /** Resolves a query inside an expression (resolve-query.ts). */
  query(query: Query, scope: Scope, context: Context): ResolvedQuery;
}

type Resolvers = { readonly [K in Expression['kind']]: (expression: Extract<Expression, { kind: K }>, at: At) => Found };

interface At {
  readonly scope: Scope;
  readonly context: Context;
}

export function resolveExpression(expression: Expression, scope: Scope, context: Context): Found {
  return resolve(expression, { scope, context });
}

export function resolveCondition<T extends Expression | undefined>(
  expression: T,
  scope: Scope,
  context: Context,
): Expression | (T & undefined) {
  if (expression === undefined) return expression;
  const found = resolve(expression, { scope, context });
  refuseUnlessBoolean(found, context.grammar);
  return found.expression;
}

function resolve(expression: Expression, at: At): Found {
  const row = RESOLVERS[expression.kind] as (expression: Expression, at: At) => Found;
  return row(expression, at);
}

/** The operands, adapted to the type of one that has its own, and that type. */
function together(expressions: readonly Expression[], at: At): { readonly expressions: readonly Expression[]; readonly type?: TypeKind } {
  return agree(
    expressions.map((each) => resolve(each, at)),
    at.context,
  );
}

function agree(
  operands: readonly Found[],
  { grammar }: Pick<Context, 'grammar'>,
): { readonly expressions: readonly Expression[]; readonly type?: TypeKind } {
  const closed = operands.filter(({ expression, type }) => type !== undefined && !isOpen(expression));
  const anchor = (closed.find(({ expression }) => expression.kind !== 'literal') ?? closed[0])?.type;
  if (anchor === undefined) return { expressions: operands.map(({ expression }) => expression), ...typed(operands[0]?.type) };
  refuseApart(closed, grammar);
  return { expressions: operands.map(({ expression }) => fit(expression, anchor, grammar)), type: widest(closed) ?? anchor };
}

const WIDTH: Readonly<Partial<Record<TypeKind, number>>> = { integer: 1, bigint: 2, decimal: 3 };

/** The widest type of numbers. Undefined: some operand is no number. */
function widest(operands: readonly Found[]): TypeKind | undefined {
  const widths = operands.map(({ type }) => (type === undefined ? undefined : WIDTH[type]));
  if (widths.length === 0 || widths.includes(undefined)) return undefined;
  return operands.reduce((a, b) => (WIDTH[b.type!]! > WIDTH[a.type!]! ? b : a)).type;
}

/**
 * Resolves operands that must be numbers. A NULL becomes a number. A string is refused, since its conversion depends on
 * the DBMS.
 */
function numbers(
  expressions: readonly Expression[],
  at: At,
  what: string,
): { readonly expressions: readonly Expression[]; readonly type?: TypeKind } {
  const operands = expressions.map((each) => resolve(each, at));
  for (const { expression } of operands) {
    if (expression.kind === 'literal' && expression.type === 'text' && expression.value !== null)
      refuse(`the string '${String(expression.value)}' is an operand of ${what}: write a number`);
  }
  const type = widest(operands.filter(({ expression }) => !isOpen(expression)));
  return {
    expressions: operands.map(({ expression }) =>
      isOpen(expression) ? fit(expression, type ?? 'integer', at.context.grammar) : expression,
    ),
    ...typed(type),
  };
}

function window(over: Window | undefined, at: At): { readonly over?: Window } {
  if (over === undefined) return {};
  const one = (expression: Expression): Expression => resolve(expression, at).expression;
  return {
    over: { partitionBy: over.partitionBy.map(one), orderBy: over.orderBy.map((item) => ({ ...item, expression: one(item.expression) })) },
  };
}

/** Subqueries in expressions do not see one another. Their aliases only differ from the outer ones. */
function nested(query: Query, { scope, context }: At): ResolvedQuery {
  return context.query(query, scope, { ...context, taken: new Set(context.taken) });
}

function subquery(query: Query, at: At): { readonly query: Query; readonly type?: TypeKind } {
  const { query: resolved, fields } = nested(query, at);
  if (fields.length !== 1) refuse(`a subquery gives ${fields.length} columns where one value is expected: select one column`);
  return { query: resolved, ...typed(fields[0]!.type) };
}

function against(operand: Expression, type: TypeKind | undefined, at: At): Expression {
  const found = resolve(operand, at);
  if (type === undefined) return found.expression;
  if (!isOpen(found.expression))
    refuseApart([found, { expression: { kind: 'column', table: '', column: 'the subquery' }, type }], at.context.grammar);
  return fit(found.expression, type, at.context.grammar);
}

/** The type of an aggregate's result. */
function aggregateType(name: Extract<Expression, { kind: 'aggregate' }>['name'], operand: TypeKind | undefined): TypeKind | undefined {
  if (name === 'count') return 'bigint';
  if (name === 'avg') return 'decimal';
  if (name === 'sum') return operand === 'integer' ? 'bigint' : 'decimal';
  return operand;
}

const onlyTheTool = (e: Expression): never => refuse(`${e.kind}: this expression is reserved for generated statements; leave it out`);

/** Why an interval cannot be added to a value of another type. */
const SHIFTED: Readonly<Partial<Record<TypeKind, string>>> & { readonly others: string } = {
  date: 'an interval is added to a date, which is a timestamp on some servers and a date on others: make the date a timestamp with CAST',
  text: "an interval is added to a text: make it a timestamp with CAST, or draw it as one, -- @parameter :name timestamp '2026-01-01 10:00' + 0..5 hours",
  others: 'an interval is added to something that is no timestamp: make it one with CAST',
};

const RESOLVERS: Resolvers = {
  literal: (e) => ({ expression: e, type: e.type }),
  parameter: (e) => ({ expression: e, type: e.type }),
  column: (e, { scope, context }) => findColumn(scope, e.table, e.column, context.same),
  compare: (e, at) => {
    const [left, right] = together([e.left, e.right], at).expressions as [Expression, Expression];
    return { expression: { ...e, left, right }, type: 'boolean' };
  },
  logic: (e, at) => ({ expression: { ...e, operands: e.operands.map((operand) => resolve(operand, at).expression) }, type: 'boolean' }),
  not: (e, at) => ({ expression: { ...e, operand: resolve(e.operand, at).expression }, type: 'boolean' }),
  isNull: (e, at) => ({ expression: { ...e, operand: resolve(e.operand, at).expression }, type: 'boolean' }),
  between: (e, at) => {
    const [operand, low, high] = together([e.operand, e.low, e.high], at).expressions as [Expression, Expression, Expression];
    return { expression: { ...e, operand, low, high }, type: 'boolean' };
  },
  in: (e, at) => {
    const [operand, ...list] = together([e.operand, ...e.list], at).expressions as [Expression, ...Expression[]];
    return { expression: { ...e, operand, list }, type: 'boolean' };
  },
  like: (e, at) => ({ expression: { ...e, operand: resolve(e.operand, at).expression }, type: 'boolean' }),
  arithmetic: (e, at) => {
    const { expressions, type } = numbers([e.left, e.right], at, e.op);
    const [left, right] = expressions as [Expression, Expression];
    return { expression: { ...e, left, right }, ...typed(type) };
  },
  shifted: (e, at) => {
    const { expression, type } = resolve(e.operand, at);
    const operand = isOpen(expression) ? fit(expression, 'timestamp', at.context.grammar) : expression;
    if (operand === expression && type !== undefined && type !== 'timestamp') refuse(SHIFTED[type] ?? SHIFTED.others);
    return { expression: { ...e, operand }, type: 'timestamp' };
  },
  overlaps: (e, at) => resolveOverlaps(e, (each) => resolve(each, at), at.context.grammar),
  concat: (e, at) => ({ expression: { ...e, operands: e.operands.map((operand) => resolve(operand, at).expression) }, type: 'text' }),
  call: (e, at) => CALLS[e.name](e, at),
  routine: resolveRoutine,
  case: (e, at) => {
    const when = resolve(e.when, at).expression;
    const { expressions, type } = together([e.then, e.otherwise], at);
    const [then, otherwise] = expressions as [Expression, Expression];
    // oxlint-disable-next-line unicorn/no-thenable -- the IR's name for the branch
    return { expression: { ...e, when, then, otherwise }, ...typed(type) };
  },
  cast: (e, at) => ({ expression: { ...e, operand: resolve(e.operand, at).expression }, type: e.type }),
  aggregate: (e, at) => {
    const operand = e.operand === undefined ? undefined : resolve(e.operand, at);
    const filter = e.filter === undefined ? undefined : resolve(e.filter, at).expression;
    return {
      expression: {
        kind: 'aggregate',
        name: e.name,
        ...(operand && { operand: operand.expression }),
        ...(e.distinct && { distinct: true }),
        ...(filter && { filter }),
        ...window(e.over, at),
      },
      ...typed(aggregateType(e.name, operand?.type)),
    };
  },
  rank: (e, at) => ({ expression: { kind: 'rank', name: e.name, over: window(e.over, at).over! }, type: 'bigint' }),
  subquery: (e, at) => {
    const { query, type } = subquery(e.query, at);
    return { expression: { kind: 'subquery', query }, ...typed(type) };
  },
  exists: (e, at) => ({ expression: { ...e, query: nested(e.query, at).query }, type: 'boolean' }),
  inQuery: (e, at) => {
    const { query, type } = subquery(e.query, at);
    return { expression: { kind: 'inQuery', operand: against(e.operand, type, at), query, negated: e.negated }, type: 'boolean' };
  },
  quantified: (e, at) => {
    const { query, type } = subquery(e.query, at);
    return {
      expression: { kind: 'quantified', op: e.op, quantifier: e.quantifier, operand: against(e.operand, type, at), query },
      type: 'boolean',
    };
  },
  proposed: (e, { scope, context }) => {
    const fields = scope.relations[0]?.fields ?? [];
    const field = fields.find(({ written }) => written !== undefined && context.same(written, e.column));
    if (field === undefined) refuse(`there is no column ${e.column} in the row that is inserted`);
    return { expression: { kind: 'proposed', column: field.column }, ...typed(field.type) };
  },
  default: (e) => ({ expression: e }),
  jsonArray: onlyTheTool,
  jsonAgg: onlyTheTool,
  capture: onlyTheTool,
};

/** Finds the function by its name in the file, and checks the types of the arguments. */
function resolveRoutine({ name, args }: Extract<Expression, { kind: 'routine' }>, at: At): Found {
  const { schema, same, grammar } = at.context;
  if (schema.routines === undefined)
    refuse(`${name}() is a function of the file: it is called in transactions and invariants; write here what it computes`);
  const called = schema.routines.find((each) => each.kind === 'function' && same(each.name, name));
  if (called?.kind !== 'function') return refuse(`the function ${name}() of the file was refused, so it cannot be called`);
  const { returns, takes } = called;
  if (returns === undefined)
    return refuse(`${name}() returns an unsupported type: let it return text, a number, boolean, date or timestamp`);
  if (args.length !== takes.length) refuse(`${name}() is called with ${args.length} arguments: it takes ${takes.length}`);
  const given = args.map((arg, i) => {
    const type = takes[i];
    if (type === undefined)
      return refuse(`the argument ${i + 1} of ${name}() has an unsupported type: let it take text, a number, boolean, date or timestamp`);
    const found = resolve(arg, at);
    if (!isOpen(found.expression)) refusePassing(found, type, `the argument ${i + 1} of ${name}()`, grammar);
    return fit(found.expression, type, grammar);
  });
  return { expression: { kind: 'routine', name: called.name, args: given }, type: returns };
}

type Call = Extract<Expression, { kind: 'call' }>;

function calling(type: TypeKind): (e: Call, at: At) => Found {
  return (e, at) => ({ expression: { ...e, args: e.args.map((arg) => resolve(arg, at).expression) }, type });
}

function calculating(e: Call, at: At): Found {
  const { expressions, type } = numbers(e.args, at, e.name);
  return { expression: { ...e, args: expressions }, ...typed(type) };
}

function choosing(e: Call, at: At): Found {
  const { expressions, type } = together(e.args, at);
  return { expression: { ...e, args: expressions }, ...typed(type) };
}

const CALLS = {
  abs: calculating,
  mod: calculating,
  coalesce: choosing,
  nullif: choosing,
  lower: calling('text'),
  upper: calling('text'),
  right: calling('text'),
  length: calling('integer'),
} satisfies Record<Call['name'], (e: Call, at: At) => Found>;
