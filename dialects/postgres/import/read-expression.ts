/** Turns expressions of PostgreSQL's parser into unresolved IR, with a row for each kind of node. Other kinds are refused. */
import type {
  AggregateName,
  CompareOp,
  Drawn,
  Expression,
  FunctionName,
  OrderItem,
  Query,
  RankName,
  Window,
} from '../../../core/sql/index.ts';
import { refuse, rowOf, type DeclaredType } from '../../import/index.ts';
import { consume, inside, kindOf, namesIn, type Fields, type Node } from './fields.ts';
import { intervalOf } from './read-interval.ts';
import { overlapOf, readOverlaps } from './read-range.ts';
import { readCast, readConstant, readType } from './read-type.ts';
import { REFUSED_EXPRESSIONS, REFUSED_FUNCTIONS, REFUSED_WORDS } from './refused.ts';

/** The context for reading an expression. */
export interface Reading {
  parameter(index: number): Expression;
  /** Makes a parameter for a value that the server draws at each call. */
  readonly drawn: (what: Drawn) => Expression;
  /** The types of the file. */
  readonly types: ReadonlyMap<string, DeclaredType>;
  /** The functions of the file. */
  readonly functions: ReadonlySet<string>;
  /** Present in ON CONFLICT DO UPDATE, where EXCLUDED is the proposed row. */
  readonly proposed?: true;
  query(node: Node, reading: Reading): Query;
}

type Readers = Readonly<Record<string, (fields: Fields, reading: Reading) => Expression>>;

export function readExpression(node: Node, reading: Reading): Expression {
  const [kind, inner] = kindOf(node);
  if (kind === 'A_Const') return readConstant(inner);
  const read = READERS[kind];
  if (read === undefined) return refuse(REFUSED_EXPRESSIONS[kind] ?? `the expression ${kind} is not supported`);
  return consume(kind, inner, (fields) => read(fields, reading));
}

export function readAll(nodes: readonly Node[], reading: Reading): readonly Expression[] {
  return nodes.map((node) => readExpression(node, reading));
}

export function readOrder(nodes: readonly Node[], reading: Reading): readonly OrderItem[] {
  return nodes.map((node) =>
    consume('SortBy', inside(node, 'SortBy'), (f) => {
      f.expect('sortby_nulls', ['SORTBY_NULLS_DEFAULT']);
      const direction = f.text('sortby_dir');
      if (direction === 'SORTBY_USING') refuse('ORDER BY ... USING is not supported: use ASC or DESC');
      return { expression: readExpression(f.node('node'), reading), descending: direction === 'SORTBY_DESC' };
    }),
  );
}

const READERS: Readers = {
  ColumnRef: readColumn,
  ParamRef: (f, reading) => reading.parameter(f.number('number') - 1),
  A_Expr: (f, reading) => readOperator(f.text('kind'), namesIn(f.nodes('name')).join('.'), f, reading),
  BoolExpr: (f, reading) => {
    const operands = readAll(f.nodes('args'), reading);
    const op = f.text('boolop');
    return op === 'NOT_EXPR' ? negated(operands[0]!) : { kind: 'logic', op: op === 'AND_EXPR' ? 'and' : 'or', operands };
  },
  NullTest: (f, reading) => {
    f.expect('argisrow', [false]);
    return { kind: 'isNull', operand: readExpression(f.node('arg'), reading), negated: f.text('nulltesttype') === 'IS_NOT_NULL' };
  },
  BooleanTest: (f, reading) => {
    const operand = readExpression(f.node('arg'), reading);
    const test = f.text('booltesttype');
    return BOOLEAN_TESTS[test]?.(operand) ?? refuse(`${test} is not supported`);
  },
  TypeCast: (f, reading) => readCast(f, (node) => readExpression(node, reading), reading.types),
  A_ArrayExpr: readArray,
  SQLValueFunction: (f, reading) => reading.drawn(clockOf(f) ?? refuse(REFUSED_EXPRESSIONS['SQLValueFunction']!)),
  CoalesceExpr: (f, reading) => ({ kind: 'call', name: 'coalesce', args: readAll(f.nodes('args'), reading) }),
  CaseExpr: readCase,
  SubLink: readSubLink,
  FuncCall: readCall,
  SetToDefault: () => ({ kind: 'default' }),
};

function readColumn(f: Fields, { proposed }: Reading): Expression {
  const parts = f.nodes('fields').map((part) => (kindOf(part)[0] === 'A_Star' ? '*' : namesIn([part])[0]!));
  const [first, second, third] = parts;
  if (third !== undefined) return refuse(`the column ${parts.join('.')} is not supported: write it as table.column`);
  if (second !== undefined && first === 'excluded' && proposed) return { kind: 'proposed', column: second };
  return second === undefined ? { kind: 'column', table: '', column: first! } : { kind: 'column', table: first!, column: second };
}

/** NOT EXISTS and NOT IN (query) are one node in the IR and two in the parser's tree. */
function negated(operand: Expression): Expression {
  if ((operand.kind === 'exists' || operand.kind === 'inQuery') && !operand.negated) return { ...operand, negated: true };
  return { kind: 'not', operand };
}

const boolean = (value: boolean): Expression => ({ kind: 'literal', type: 'boolean', value });
const orElse = (operand: Expression, value: boolean): Expression => ({ kind: 'call', name: 'coalesce', args: [operand, boolean(value)] });

const BOOLEAN_TESTS: Readonly<Record<string, (operand: Expression) => Expression>> = {
  IS_TRUE: (operand) => orElse(operand, false),
  IS_NOT_TRUE: (operand) => ({ kind: 'not', operand: orElse(operand, false) }),
  IS_FALSE: (operand) => ({ kind: 'not', operand: orElse(operand, true) }),
  IS_NOT_FALSE: (operand) => orElse(operand, true),
  IS_UNKNOWN: (operand) => ({ kind: 'isNull', operand, negated: false }),
  IS_NOT_UNKNOWN: (operand) => ({ kind: 'isNull', operand, negated: true }),
};

const COMPARISONS: ReadonlySet<string> = new Set<CompareOp>(['=', '<>', '<', '<=', '>', '>=']);

type Operator = (name: string, f: Fields, reading: Reading) => Expression;

const left = (f: Fields, reading: Reading): Expression => readExpression(f.node('lexpr'), reading);
const right = (f: Fields, reading: Reading): Expression => readExpression(f.node('rexpr'), reading);
/** Reads the list after IN and BETWEEN. */
const list = (f: Fields, reading: Reading): readonly Expression[] =>
  consume('List', inside(f.node('rexpr'), 'List'), (items) => readAll(items.nodes('items'), reading));

const OPERATORS: Readonly<Record<string, Operator>> = {
  AEXPR_OP: readPlainOperator,
  AEXPR_IN: (name, f, reading) => ({ kind: 'in', operand: left(f, reading), list: list(f, reading), negated: name === '<>' }),
  AEXPR_BETWEEN: (_, f, reading) => readBetween(f, reading),
  AEXPR_NOT_BETWEEN: (_, f, reading) => ({ kind: 'not', operand: readBetween(f, reading) }),
  AEXPR_LIKE: (name, f, reading) => readLike(left(f, reading), right(f, reading), name === '!~~'),
  AEXPR_OP_ANY: (name, f, reading) => {
    const items = name === '=' ? constantItems(f.node('rexpr'), reading) : undefined;
    if (items === undefined) return refuse('= ANY (array) is not supported: use IN (...)');
    return { kind: 'in', operand: left(f, reading), list: items, negated: false };
  },
  AEXPR_NULLIF: (_, f, reading) => ({ kind: 'call', name: 'nullif', args: [left(f, reading), right(f, reading)] }),
};

function readLike(operand: Expression, pattern: Expression, negated: boolean): Expression {
  const written = uncast(pattern);
  if (written.kind !== 'literal' || typeof written.value !== 'string' || written.type !== 'text')
    return refuse('LIKE takes a pattern written as a string, without ESCAPE: compare with = or with right(), or write the pattern out');
  return { kind: 'like', operand, pattern: written.value, negated };
}

/** Removes the cast of a literal, which PostgreSQL adds when it prints one. */
function uncast(expression: Expression): Expression {
  return expression.kind === 'cast' && expression.operand.kind === 'literal' ? expression.operand : expression;
}

/** The elements of ARRAY[...], perhaps cast. PostgreSQL prints an IN this way. */
function constantItems(node: Node, reading: Reading): readonly Expression[] | undefined {
  const [kind, inner] = kindOf(node);
  if (kind === 'TypeCast') {
    return consume(kind, inner, (f) => {
      readType(f.node('typeName'), false);
      return constantItems(f.node('arg'), reading);
    });
  }
  if (kind !== 'A_ArrayExpr') return undefined;
  const items = consume(kind, inner, (f) => readAll(f.nodes('elements'), reading));
  return items.map(uncast);
}

const INSIDE = 'the tool stores such a value as one text: use columns';
const PATTERN = 'it is a regular expression: use LIKE';

export const REFUSED_SIGNS: Readonly<Record<string, string>> = {
  '~': PATTERN,
  '~*': PATTERN,
  '!~': PATTERN,
  '!~*': PATTERN,
  '~~*': 'it is ILIKE: use lower(column) LIKE',
  '!~~*': 'it is ILIKE: use lower(column) LIKE',
  '->': INSIDE,
  '->>': INSIDE,
  '#>': INSIDE,
  '#>>': INSIDE,
  '@>': INSIDE,
  '<@': INSIDE,
  '&&': 'it is supported only between ranges of two ends, tsrange(a, b) && tsrange(c, d): for other values use columns',
  '?': INSIDE,
  '@@': 'it searches texts: use LIKE',
  '^': 'multiply, or compute the value outside',
};

export const REFUSED_OPERATORS: Readonly<Record<string, string>> = {
  AEXPR_ILIKE: 'ILIKE is not supported: use lower(column) LIKE',
  AEXPR_SIMILAR: 'SIMILAR TO is not supported: use LIKE',
  AEXPR_DISTINCT: 'IS DISTINCT FROM is not supported: write (a <> b OR (a IS NULL) <> (b IS NULL)) or use coalesce()',
  AEXPR_NOT_DISTINCT: 'IS NOT DISTINCT FROM is not supported: write (a = b OR (a IS NULL AND b IS NULL))',
  AEXPR_OP_ALL: '<> ALL (array) is not supported: use NOT IN (...)',
  AEXPR_BETWEEN_SYM: 'BETWEEN SYMMETRIC is not supported: order the bounds',
  AEXPR_NOT_BETWEEN_SYM: 'BETWEEN SYMMETRIC is not supported: order the bounds',
};

function readOperator(kind: string, name: string, f: Fields, reading: Reading): Expression {
  const read = OPERATORS[kind];
  return read === undefined ? refuse(REFUSED_OPERATORS[kind] ?? `the operator ${name} (${kind}) is not supported`) : read(name, f, reading);
}

function readBetween(f: Fields, reading: Reading): Expression {
  const [low, high] = list(f, reading) as [Expression, Expression];
  return { kind: 'between', operand: left(f, reading), low, high };
}

function readPlainOperator(name: string, f: Fields, reading: Reading): Expression {
  if (!f.has('lexpr')) return readSign(name, right(f, reading));
  const shifted = readShifted(name, f, reading);
  if (shifted !== undefined) return shifted;
  const overlap = name === '&&' ? overlapOf(f, (node) => readExpression(node, reading)) : undefined;
  if (overlap !== undefined) return overlap;
  const operands = [left(f, reading), right(f, reading)] as const;
  if (COMPARISONS.has(name)) return { kind: 'compare', op: name as CompareOp, left: operands[0], right: operands[1] };
  // PostgreSQL prints LIKE this way.
  if (name === '~~' || name === '!~~') return readLike(...operands, name === '!~~');
  if (name === '+' || name === '-' || name === '*') return { kind: 'arithmetic', op: name, left: operands[0], right: operands[1] };
  if (name === '%') return { kind: 'call', name: 'mod', args: operands };
  // a || b || c becomes one concatenation of three operands.
  if (name === '||') return { kind: 'concat', operands: operands[0].kind === 'concat' ? [...operands[0].operands, operands[1]] : operands };
  if (name === '/')
    return refuse(
      'the operator / is not supported: what it gives for whole numbers differs between servers; multiply, or compute the quotient outside',
    );
  return refuse(
    `the operator ${name} is not supported: ${rowOf(REFUSED_SIGNS, name) ?? 'only comparisons, + - * % and || are; compute the value outside, and pass it as a parameter'}`,
  );
}

/** Reads a timestamp plus or minus an interval. */
function readShifted(name: string, f: Fields, reading: Reading): Expression | undefined {
  const [first, second] = [f.node('lexpr'), f.node('rexpr')].map(intervalOf);
  if (first === undefined && second === undefined) return undefined;
  const moment = second === undefined ? right : left;
  if ((name !== '+' && name !== '-') || (first !== undefined && (second !== undefined || name === '-')))
    return refuse(`an interval with the operator ${name} is not supported: add it to a timestamp, or subtract it from one`);
  return { kind: 'shifted', operand: moment(f, reading), seconds: (name === '-' ? -1 : 1) * (first ?? second!) };
}

/** -x becomes 0 - x, for every type of number. */
function readSign(name: string, operand: Expression): Expression {
  if (name === '+') return operand;
  if (name === '-') return { kind: 'arithmetic', op: '-', left: { kind: 'literal', type: 'integer', value: 0 }, right: operand };
  return refuse(`the operator ${name} is not supported`);
}

/** Several WHENs become nested CASEs. CASE x WHEN v compares x with v in each of them. */
function readCase(f: Fields, reading: Reading): Expression {
  const subject = f.has('arg') ? readExpression(f.node('arg'), reading) : undefined;
  const branches = f
    .nodes('args')
    .map((node) =>
      consume('CaseWhen', inside(node, 'CaseWhen'), (when) => ({
        when: readExpression(when.node('expr'), reading),
        result: readExpression(when.node('result'), reading),
      })),
    );
  const otherwise: Expression = f.has('defresult')
    ? readExpression(f.node('defresult'), reading)
    : { kind: 'literal', type: 'text', value: null };
  return branches.reduceRight<Expression>((rest, { when, result }) => {
    const condition: Expression = subject === undefined ? when : { kind: 'compare', op: '=', left: subject, right: when };
    // oxlint-disable-next-line unicorn/no-thenable -- the IR's name for the branch
    return { kind: 'case', when: condition, then: result, otherwise: rest };
  }, otherwise);
}

function readSubLink(f: Fields, reading: Reading): Expression {
  const type = f.text('subLinkType');
  const { proposed: _, ...within } = reading;
  const query = reading.query(inside(f.node('subselect'), 'SelectStmt'), within);
  if (type === 'EXPR_SUBLINK') return { kind: 'subquery', query };
  if (type === 'EXISTS_SUBLINK') return { kind: 'exists', query, negated: false };
  if (type !== 'ANY_SUBLINK' && type !== 'ALL_SUBLINK')
    return refuse('ARRAY (SELECT ...) is not supported: no array is; use IN (SELECT ...)');
  const operand = readExpression(f.node('testexpr'), reading);
  if (!f.has('operName')) return { kind: 'inQuery', operand, query, negated: false };
  const op = namesIn(f.nodes('operName')).join('.');
  if (!COMPARISONS.has(op)) return refuse(`the operator ${op} before ANY or ALL is not supported`);
  return { kind: 'quantified', op: op as CompareOp, quantifier: type === 'ANY_SUBLINK' ? 'any' : 'all', operand, query };
}

/** A constant array becomes one value, in the form of its string. */
function readArray(f: Fields, reading: Reading): Expression {
  const items = readAll(f.nodes('elements'), reading)
    .map(uncast)
    .map((each) =>
      each.kind === 'literal' && each.value !== null && /^[\w.@ -]+$/.test(String(each.value))
        ? String(each.value)
        : refuse("an array of something else than plain words and numbers is not supported: write it as a string, '{a,b}'"),
    );
  return { kind: 'literal', type: 'text', value: `{${items.join(',')}}` };
}

const DRAWN: Readonly<Record<string, Drawn>> = {
  now: 'now',
  transaction_timestamp: 'now',
  statement_timestamp: 'now',
  clock_timestamp: 'now',
  gen_random_uuid: 'uuid',
  uuid_generate_v4: 'uuid',
};
const CLOCKS: Readonly<Record<string, Drawn>> = {
  SVFOP_CURRENT_TIMESTAMP: 'now',
  SVFOP_CURRENT_TIMESTAMP_N: 'now',
  SVFOP_LOCALTIMESTAMP: 'now',
  SVFOP_LOCALTIMESTAMP_N: 'now',
  SVFOP_CURRENT_DATE: 'today',
};

function clockOf(f: Fields): Drawn | undefined {
  f.number('typmod');
  return rowOf(CLOCKS, f.text('op'));
}

/** The drawn value of a DEFAULT. Undefined: the DEFAULT is something else. */
export function drawnDefault(node: Node): Drawn | undefined {
  const [kind, inner] = kindOf(node);
  if (kind === 'SQLValueFunction') return consume(kind, inner, clockOf);
  if (kind !== 'FuncCall') return undefined;
  const names = namesIn(inner['funcname'] as readonly Node[]);
  return inner['args'] === undefined ? rowOf(DRAWN, names.at(-1)!) : undefined;
}

const AGGREGATES: ReadonlySet<string> = new Set<AggregateName>(['count', 'sum', 'min', 'max', 'avg']);
const RANKS: ReadonlySet<string> = new Set<RankName>(['row_number', 'rank']);
/** Function -> name in the IR and number of arguments. */
const FUNCTIONS: Readonly<Record<string, readonly [name: FunctionName, args: number]>> = {
  abs: ['abs', 1],
  lower: ['lower', 1],
  upper: ['upper', 1],
  length: ['length', 1],
  char_length: ['length', 1],
  character_length: ['length', 1],
  mod: ['mod', 2],
  right: ['right', 2],
};

function readCall(f: Fields, reading: Reading): Expression {
  const names = namesIn(f.nodes('funcname'));
  const name = names.at(-1)!;
  const own = reading.functions.has(name) && (names.length === 1 || (names.length === 2 && names[0] === 'public'));
  if (names.length > 1 && name === 'overlaps') {
    f.expect('funcformat', ['COERCE_SQL_SYNTAX']);
    return readOverlaps(f, (node) => readExpression(node, reading));
  }
  const words = names.length > 1 ? rowOf(REFUSED_WORDS, name) : undefined;
  if (words !== undefined) refuse(words);
  f.expect('funcformat', ['COERCE_EXPLICIT_CALL']);
  f.expect('agg_within_group', [false]);
  f.expect('func_variadic', [false]);
  if (own && !f.has('over')) return { kind: 'routine', name, args: readAll(f.nodes('args'), reading) };
  if (names.length > 1) return refuse(`the function ${names.join('.')} is not supported: write a built-in function, without a schema`);
  const drawn = rowOf(DRAWN, name);
  if (drawn !== undefined && f.nodes('args').length === 0) return reading.drawn(drawn);
  const over = f.has('over') ? readWindow(f.node('over'), reading) : undefined;
  if (AGGREGATES.has(name)) return readAggregate(name as AggregateName, over, f, reading);
  const args = readAll(f.nodes('args'), reading);
  if (RANKS.has(name))
    return over === undefined || args.length > 0
      ? refuse(`${name}() takes OVER (...) and no argument`)
      : { kind: 'rank', name: name as RankName, over };
  const row = rowOf(FUNCTIONS, name);
  if (row === undefined || over !== undefined) {
    const taken = [...AGGREGATES, ...RANKS, ...Object.keys(FUNCTIONS), 'coalesce', 'nullif'].join(', ');
    return refuse(`the function ${name}() is not supported: ${rowOf(REFUSED_FUNCTIONS, name) ?? `these are: ${taken}`}`);
  }
  if (args.length !== row[1]) return refuse(`the function ${name}() with ${args.length} arguments is not supported: it takes ${row[1]}`);
  return { kind: 'call', name: row[0], args };
}

function readAggregate(name: AggregateName, over: Window | undefined, f: Fields, reading: Reading): Expression {
  const star = f.flag('agg_star');
  const args = readAll(f.nodes('args'), reading);
  if (args.length !== (star ? 0 : 1)) return refuse(`${name}() with ${args.length} arguments is not supported: it takes one argument`);
  const distinct = f.flag('agg_distinct');
  const filter = f.has('agg_filter') ? readExpression(f.node('agg_filter'), reading) : undefined;
  return {
    kind: 'aggregate',
    name,
    ...(args[0] && { operand: args[0] }),
    ...(distinct && { distinct: true }),
    ...(filter && { filter }),
    ...(over && { over }),
  };
}

/** The parser's value for SQL's default frame, RANGE UNBOUNDED PRECEDING to CURRENT ROW, when it is not written. */
const DEFAULT_FRAME = 1058;

function readWindow(node: Node, reading: Reading): Window {
  return consume('WindowDef', node, (f) => {
    f.expect('frameOptions', [DEFAULT_FRAME]);
    return { partitionBy: readAll(f.nodes('partitionClause'), reading), orderBy: readOrder(f.nodes('orderClause'), reading) };
  });
}
