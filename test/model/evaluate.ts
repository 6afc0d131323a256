/**
 * Expressions -> closures. Three-valued logic (null is unknown), exact arithmetic, PostgreSQL's types: integer op
 * bigint is bigint, with a decimal it is decimal; products add their scales. Columns are resolved once, to a slot of
 * the frame (one slot per FROM alias, those of the queries around it last) and a position in that slot's row.
 *
 * SQL gives AND and OR no order. Here operands without a subquery go first, and all subqueries that they leave open are
 * evaluated, so that what is read does not depend on chance (docs/EXACT-READS.md).
 */
import { unreachable } from '../../core/base/index.ts';
import { hasSubquery } from '../../core/sql/index.ts';
import type { ArithmeticOp, CompareOp, Expression, FunctionName, Query } from '../../core/sql/index.ts';
import { aggregateOf, jsonOf } from './aggregate.ts';
import { castTo } from './cast.ts';
import type { Evaluator, Frame } from './frame.ts';
import { SqlError, canonicalText, compareValues, fromLiteral, isNumber, jsonText, number, power10 } from './values.ts';
import type { Num, SqlValue } from './values.ts';
import { windowValue } from './window.ts';

export interface ScopeEntry {
  readonly alias: string;
  readonly columns: readonly string[];
}
export type Scope = readonly ScopeEntry[];

/** What expressions need of the query that they stand in. */
export interface Surroundings {
  /** The rows of a subquery for a frame of the scope. */
  subquery(query: Query, scope: Scope): (frame: Frame) => readonly (readonly SqlValue[])[];
  /** The keys of GROUP BY ROLLUP, as JSON. */
  readonly rollup?: readonly string[];
}

const ALONE: Surroundings = {
  subquery: () => {
    throw new SqlError('0A000', 'syntax', 'no subquery is allowed here');
  },
};

/** The alias of the row that could not be inserted. */
export const PROPOSED = 'proposed row';

export function compile(expression: Expression, scope: Scope, around: Surroundings = ALONE): Evaluator {
  const key = around.rollup?.indexOf(JSON.stringify(expression)) ?? -1;
  if (key >= 0) {
    const { rollup: _, ...inside } = around;
    const value = compile(expression, scope, inside);
    return (frame) => (key < frame.keyed! ? value(frame) : null);
  }
  switch (expression.kind) {
    case 'literal': {
      const value = fromLiteral(expression.type, expression.value);
      return () => value;
    }
    case 'column':
      return column(expression.table, expression.column, scope);
    case 'compare': {
      const left = compile(expression.left, scope, around);
      const right = compile(expression.right, scope, around);
      const op = expression.op;
      return (frame) => comparison(op, left(frame), right(frame));
    }
    case 'logic': {
      const plain = expression.operands.filter((operand) => !hasSubquery(operand)).map((operand) => compile(operand, scope, around));
      const others = expression.operands.filter(hasSubquery).map((operand) => compile(operand, scope, around));
      const absorbing = expression.op === 'or';
      return (frame) => {
        let unknown = false;
        for (const operand of plain) {
          const value = truth(operand(frame));
          if (value === absorbing) return absorbing;
          if (value === null) unknown = true;
        }
        const values = others.map((operand) => truth(operand(frame)));
        if (values.includes(absorbing)) return absorbing;
        return unknown || values.includes(null) ? null : !absorbing;
      };
    }
    case 'not': {
      const operand = compile(expression.operand, scope, around);
      return (frame) => not(truth(operand(frame)));
    }
    case 'isNull': {
      const operand = compile(expression.operand, scope, around);
      return (frame) => (operand(frame) === null) !== expression.negated;
    }
    case 'between': {
      const operand = compile(expression.operand, scope, around);
      const low = compile(expression.low, scope, around);
      const high = compile(expression.high, scope, around);
      return (frame) => {
        const value = operand(frame);
        return and(comparison('>=', value, low(frame)), comparison('<=', value, high(frame)));
      };
    }
    case 'in': {
      const operand = compile(expression.operand, scope, around);
      const list = expression.list.map((item) => compile(item, scope, around));
      return (frame) => {
        const value = operand(frame);
        let found: boolean | null = false;
        for (const item of list) {
          const equal = comparison('=', value, item(frame));
          if (equal === true) {
            found = true;
            break;
          }
          if (equal === null) found = null;
        }
        return expression.negated ? not(found) : found;
      };
    }
    case 'like': {
      const operand = compile(expression.operand, scope, around);
      const pattern = likePattern(expression.pattern);
      return (frame) => {
        const value = operand(frame);
        return value === null ? null : matchesLike(text(value), pattern) !== expression.negated;
      };
    }
    case 'arithmetic': {
      const left = compile(expression.left, scope, around);
      const right = compile(expression.right, scope, around);
      const op = expression.op;
      return (frame) => {
        const a = left(frame);
        const b = right(frame);
        return a === null || b === null ? null : arithmetic(op, numeric(a), numeric(b));
      };
    }
    case 'shifted':
      throw new Error('an interval: no generated statement has one');
    case 'overlaps':
      throw new Error('spans that overlap: no generated statement has them');
    case 'concat': {
      const operands = expression.operands.map((operand) => compile(operand, scope, around));
      return (frame) => {
        let result = '';
        for (const operand of operands) {
          const value = operand(frame);
          if (value === null) return null;
          result += typeof value === 'boolean' ? String(value) : canonicalText(value)!;
        }
        return result;
      };
    }
    case 'call':
      return call(
        expression.name,
        expression.args.map((arg) => compile(arg, scope, around)),
      );
    case 'case': {
      const when = compile(expression.when, scope, around);
      const then = compile(expression.then, scope, around);
      const otherwise = compile(expression.otherwise, scope, around);
      return (frame) => (truth(when(frame)) === true ? then(frame) : otherwise(frame));
    }
    case 'jsonArray': {
      const items = expression.items.map((item) => compile(item, scope, around));
      return (frame) => ({ json: `[${items.map((item) => jsonText(item(frame))).join(', ')}]` });
    }
    case 'default':
      throw new SqlError('42601', 'syntax', 'DEFAULT is not allowed in this context');
    case 'capture':
      throw new SqlError('42601', 'syntax', 'the model has RETURNING and no session variables');
    case 'routine':
      throw new SqlError('42883', 'syntax', 'the model has no functions of a file');
    case 'cast': {
      const operand = compile(expression.operand, scope, around);
      return (frame) => castTo(expression.type, operand(frame));
    }
    case 'aggregate':
    case 'jsonAgg': {
      const { rollup: _, ...inside } = around;
      const given = expression.kind === 'aggregate' ? expression.operand : expression.item;
      const operand = given && compile(given, scope, expression.over ? around : inside);
      const filter = expression.filter && compile(expression.filter, scope, expression.over ? around : inside);
      const fold = (frames: readonly Frame[]): SqlValue => {
        const kept = frames.filter((frame) => holds(filter, frame));
        const values = operand ? kept.map(operand) : kept.map(() => true);
        return expression.kind === 'jsonAgg' ? jsonOf(values) : aggregateOf(expression.name, values, expression.distinct === true);
      };
      return expression.over ? windowValue(expression.over, fold, (each) => compile(each, scope, around)) : (frame) => fold(frame.group!);
    }
    case 'rank':
      return windowValue(expression.over, expression.name, (each) => compile(each, scope, around));
    case 'subquery': {
      const query = around.subquery(expression.query, scope);
      return (frame) => {
        const rows = query(frame);
        if (rows.length > 1) throw new SqlError('21000', 'data', 'more than one row returned by a subquery used as an expression');
        return rows[0]?.[0] ?? null;
      };
    }
    case 'exists': {
      const query = around.subquery(expression.query, scope);
      return (frame) => query(frame).length > 0 !== expression.negated;
    }
    case 'inQuery': {
      const operand = compile(expression.operand, scope, around);
      const query = around.subquery(expression.query, scope);
      return (frame) => {
        const found = some('=', operand(frame), query(frame));
        return expression.negated ? not(found) : found;
      };
    }
    case 'quantified': {
      const operand = compile(expression.operand, scope, around);
      const query = around.subquery(expression.query, scope);
      const { op } = expression;
      if (expression.quantifier === 'any') return (frame) => some(op, operand(frame), query(frame));
      return (frame) => not(some(OPPOSITE[op], operand(frame), query(frame)));
    }
    case 'proposed':
      return column(PROPOSED, expression.column, scope);
    case 'parameter':
      throw new Error(`:${expression.name} is not bound`);
    default:
      return unreachable(expression);
  }
}

/** A condition holds only when it is true: unknown is not enough. */
export function holds(evaluator: Evaluator | undefined, frame: Frame): boolean {
  return evaluator === undefined || truth(evaluator(frame)) === true;
}

function column(table: string, name: string, scope: Scope): Evaluator {
  const slot = scope.findIndex((entry) => entry.alias === table);
  const position = scope[slot]?.columns.indexOf(name) ?? -1;
  if (position < 0) throw new SqlError('42703', 'syntax', `column ${table}.${name} does not exist`);
  return (frame) => frame[slot]?.[position] ?? null;
}

const COMPARISONS: Readonly<Record<CompareOp, (order: number) => boolean>> = {
  '=': (o) => o === 0,
  '<>': (o) => o !== 0,
  '<': (o) => o < 0,
  '<=': (o) => o <= 0,
  '>': (o) => o > 0,
  '>=': (o) => o >= 0,
};

function comparison(op: CompareOp, a: SqlValue, b: SqlValue): boolean | null {
  return a === null || b === null ? null : COMPARISONS[op](compareValues(a, b));
}

const OPPOSITE: Readonly<Record<CompareOp, CompareOp>> = { '=': '<>', '<>': '=', '<': '>=', '<=': '>', '>': '<=', '>=': '<' };

/** value op ANY (rows) */
function some(op: CompareOp, value: SqlValue, rows: readonly (readonly SqlValue[])[]): boolean | null {
  let found: boolean | null = false;
  for (const [other] of rows) {
    const is = comparison(op, value, other!);
    if (is === true) return true;
    if (is === null) found = null;
  }
  return found;
}

function truth(value: SqlValue): boolean | null {
  if (value === null || typeof value === 'boolean') return value;
  throw new SqlError('42804', 'syntax', 'argument of a condition must be boolean');
}

function not(value: boolean | null): boolean | null {
  return value === null ? null : !value;
}

function and(a: boolean | null, b: boolean | null): boolean | null {
  if (a === false || b === false) return false;
  return a === null || b === null ? null : true;
}

const WIDTH = { integer: 0, bigint: 1, decimal: 2 } as const;

function wider(a: Num, b: Num): Num['type'] {
  return WIDTH[a.type] >= WIDTH[b.type] ? a.type : b.type;
}

function arithmetic(op: ArithmeticOp, a: Num, b: Num): Num {
  const type = wider(a, b);
  if (op === '*') return number(type, a.unscaled * b.unscaled, a.scale + b.scale);
  const scale = Math.max(a.scale, b.scale);
  const x = a.unscaled * power10(scale - a.scale);
  const y = b.unscaled * power10(scale - b.scale);
  return number(type, op === '+' ? x + y : x - y, scale);
}

function numeric(value: SqlValue): Num {
  if (isNumber(value)) return value;
  throw new SqlError('42883', 'syntax', `no such function for ${String(canonicalText(value))}`);
}

function text(value: SqlValue): string {
  if (typeof value === 'string') return value;
  throw new SqlError('42883', 'syntax', `no such text function for ${String(canonicalText(value))}`);
}

type Call = (args: readonly SqlValue[]) => SqlValue;

/** Strict functions: null if an argument is null. */
const FUNCTIONS: Readonly<Record<Exclude<FunctionName, 'coalesce' | 'nullif'>, Call>> = {
  abs: ([a]) => {
    const n = numeric(a!);
    return number(n.type, n.unscaled < 0n ? -n.unscaled : n.unscaled, n.scale);
  },
  lower: ([a]) => text(a!).replace(/[A-Z]/g, (c) => c.toLowerCase()),
  upper: ([a]) => text(a!).replace(/[a-z]/g, (c) => c.toUpperCase()),
  length: ([a]) => number('integer', BigInt(Array.from(text(a!)).length), 0),
  mod: ([a, b]) => {
    const x = numeric(a!);
    const y = numeric(b!);
    if (y.unscaled === 0n) throw new SqlError('22012', 'data', 'division by zero');
    const scale = Math.max(x.scale, y.scale);
    return number(wider(x, y), (x.unscaled * power10(scale - x.scale)) % (y.unscaled * power10(scale - y.scale)), scale);
  },
  right: ([a, b]) => {
    const points = Array.from(text(a!));
    const n = Number(numeric(b!).unscaled);
    return (n === 0 ? [] : points.slice(-n)).join('');
  },
};

function call(name: FunctionName, args: readonly Evaluator[]): Evaluator {
  if (name === 'coalesce') {
    return (frame) => {
      for (const arg of args) {
        const value = arg(frame);
        if (value !== null) return value;
      }
      return null;
    };
  }
  if (name === 'nullif') {
    const [first, second] = args;
    return (frame) => {
      const value = first!(frame);
      return comparison('=', value, second!(frame)) === true ? null : value;
    };
  }
  const apply = FUNCTIONS[name];
  return (frame) => {
    const values: SqlValue[] = [];
    for (const arg of args) {
      const value = arg(frame);
      if (value === null) return null;
      values.push(value);
    }
    return apply(values);
  };
}

const ANY_CHARACTER = 1;
const ANY_STRING = 2;
type LikeStep = string | typeof ANY_CHARACTER | typeof ANY_STRING;

function likePattern(pattern: string): readonly LikeStep[] {
  const points = Array.from(pattern);
  const steps: LikeStep[] = [];
  for (let i = 0; i < points.length; i++) {
    const c = points[i]!;
    if (c === '%') steps.push(ANY_STRING);
    else if (c === '_') steps.push(ANY_CHARACTER);
    else if (c !== '\\') steps.push(c);
    else if (++i < points.length) steps.push(points[i]!);
    else throw new SqlError('22025', 'data', 'LIKE pattern must not end with escape character');
  }
  return steps;
}

/** Two pointers with one backtrack point: the last %. */
function matchesLike(value: string, steps: readonly LikeStep[]): boolean {
  const points = Array.from(value);
  let p = 0;
  let s = 0;
  let starStep = -1;
  let starPoint = 0;
  while (p < points.length) {
    const step = steps[s];
    if (step === ANY_STRING) {
      starStep = s++;
      starPoint = p;
    } else if (step !== undefined && (step === ANY_CHARACTER || step === points[p])) {
      p++;
      s++;
    } else if (starStep >= 0) {
      s = starStep + 1;
      p = ++starPoint;
    } else return false;
  }
  while (steps[s] === ANY_STRING) s++;
  return s === steps.length;
}
