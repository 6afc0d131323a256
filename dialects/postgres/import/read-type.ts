/** Reads the type names of columns and casts, and the literals that result from casts of constants. */
import type { Expression, TypeKind } from '../../../core/sql/index.ts';
import { columnType, fromText, refuse, rowOf, type DeclaredType } from '../../import/index.ts';
import { consume, inside, kindOf, namesIn, type Fields, type Node } from './fields.ts';

export interface TypeWords {
  /** The name without pg_catalog. */
  readonly name: string;
  readonly args: readonly number[];
}

/** The parser's names of types, with their common spellings. */
const SPELLED: Readonly<Record<string, string>> = {
  bpchar: 'char',
  int2: 'smallint',
  float4: 'real',
  float8: 'double precision',
  timetz: 'time with time zone',
  timestamptz: 'timestamp with time zone',
};

/** `typmods`: the type may have a length or scale. An array's name ends in []. */
export function readType(node: Node, typmods: boolean): TypeWords {
  return consume('TypeName', node, (f) => {
    f.expect('typemod', [-1]);
    const name = ownName(namesIn(f.nodes('names')));
    const args = typmods ? f.nodes('typmods').map(numberOf) : [];
    const array = f.nodes('arrayBounds').length > 0 ? '[]' : '';
    return { name: `${rowOf(SPELLED, name) ?? name}${array}`, args: array === '' ? args : [] };
  });
}

/** A type's name without the schema that all types share. */
export function ownName(names: readonly string[]): string {
  const [first = '', second, third] = names;
  if (second === undefined) return first;
  return third === undefined && (first === 'pg_catalog' || first === 'public')
    ? second
    : refuse(`the type ${names.join('.')} is not supported: use one of the file's own, or a built-in one`);
}

/** A column's type: one of the file, or a built-in one. */
export function declaredType(node: Node, types: ReadonlyMap<string, DeclaredType>): DeclaredType {
  const { name, args } = readType(node, true);
  return types.get(name) ?? columnType(name, args);
}

function numberOf(node: Node): number {
  const literal = readConstant(inside(node, 'A_Const'));
  return literal.kind === 'literal' && typeof literal.value === 'number'
    ? literal.value
    : refuse('the length or scale of a type is no number');
}

type Literal = Extract<Expression, { kind: 'literal' }>;

const CONSTANTS: Readonly<Record<string, (inner: Node) => Literal>> = {
  ival: (inner) =>
    literal(
      'integer',
      consume('Integer', inner, (f) => f.number('ival')),
    ),
  boolval: (inner) =>
    literal(
      'boolean',
      consume('Boolean', inner, (f) => f.flag('boolval')),
    ),
  sval: (inner) =>
    literal(
      'text',
      consume('String', inner, (f) => f.text('sval')),
    ),
  fval: (inner) => numeric(consume('Float', inner, (f) => f.text('fval'))),
};

const BIGINT = 2n ** 63n;

/** PostgreSQL gives a whole number the first type of integer, bigint and numeric that holds it. */
function numeric(text: string): Literal {
  if (!/^-?\d*\.?\d*$/.test(text)) return refuse(`the number ${text} is not supported: write it as digits with a decimal point`);
  if (/^-?\d+$/.test(text) && BigInt(text) < BIGINT && BigInt(text) >= -BIGINT) return literal('bigint', BigInt(text).toString());
  return literal('decimal', text.replace(/^(-?)\./, '$10.').replace(/\.$/, ''));
}

export function readConstant(node: Node): Expression {
  return consume('A_Const', node, (f) => {
    if (f.has('isnull')) {
      f.flag('isnull');
      return literal('text', null);
    }
    const key = Object.keys(CONSTANTS).find((each) => f.has(each));
    if (key === undefined) return refuse('bit strings are not supported: use numbers, or texts');
    return CONSTANTS[key]!(f.node(key));
  });
}

function literal(type: TypeKind, value: Literal['value']): Literal {
  return { kind: 'literal', type, value };
}

/**
 * The parser's names -> the IR's types. smallint and others are missing, as a cast to a wider type would change what
 * overflows.
 */
export const CASTS: Readonly<Record<string, TypeKind>> = {
  int4: 'integer',
  int8: 'bigint',
  numeric: 'decimal',
  text: 'text',
  varchar: 'varchar',
  bool: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
};

/**
 * Reads a cast. A cast of a constant becomes a literal: NULL with a type, or a quoted value of a type that has literals
 * of its own. A type that another one replaces becomes that one.
 */
export function readCast(f: Fields, expression: (node: Node) => Expression, types: ReadonlyMap<string, DeclaredType>): Expression {
  const { name } = readType(f.node('typeName'), false);
  const arg = f.node('arg');
  const constant = CONSTANT.has(kindOf(arg)[0]);
  const type = rowOf(CASTS, name) ?? standingIn(name, types, constant);
  const operand = expression(arg);
  if (!constant || operand.kind !== 'literal') return { kind: 'cast', operand, type };
  if (operand.value === null) return literal(type, null);
  if (operand.type === type && type !== 'text') return operand;
  if (operand.type === 'text' && rowOf(CASTS, name) === undefined && (type === 'text' || type === 'varchar')) return operand;
  if (operand.type === 'text' && type !== 'text' && type !== 'varchar') return literal(type, fromText(String(operand.value), type));
  return { kind: 'cast', operand, type };
}

const CONSTANT: ReadonlySet<string> = new Set(['A_Const', 'A_ArrayExpr']);

const CAST_TYPES = /^(uuid|jsonb?|timestamp with time zone)$|\[\]$/;

/** The type that replaces the named one. A constant may have any type that a column may have. */
function standingIn(name: string, types: ReadonlyMap<string, DeclaredType>, constant: boolean): TypeKind {
  const declared = types.get(name) ?? (constant || CAST_TYPES.test(name) ? columnType(name, []) : undefined);
  return (
    declared?.type.kind ??
    refuse(
      `a cast to ${name} is not supported: cast to integer, bigint, numeric, text, boolean, date, timestamp, uuid, json, or a type of the file's own`,
    )
  );
}
