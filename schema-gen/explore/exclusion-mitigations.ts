/**
 * Proposes exclusion constraints that may stop a race: a transaction searches for rows whose range overlaps one of its
 * own, and writes to the table. Nothing is proposed if the table has a constraint over the same range already.
 *
 *     SELECT count(*) INTO :n FROM bookings
 *      WHERE room_id = :room AND starts_at < :to AND ends_at > :from;
 *     INSERT INTO bookings VALUES (:id, :room, :from, :to);
 *
 *     EXCLUDE USING gist (room_id WITH =, tsrange(starts_at, ends_at) WITH &&)
 */
import { columnsOf, conjunctsOf, contentsOfExpressions, endsCompared, writtenTables } from '../../core/sql/index.ts';
import type { Bounds, Column, CompareOp, Expression, Schema, Select, Table } from '../../core/sql/index.ts';
import type { TransactionTemplate } from '../workload-file/import.ts';
import { expressionText } from './expression-text.ts';
import type { Spelled } from './spelled.ts';
import { inTable, selectsOver } from './unique-mitigations.ts';

export interface ExclusionMitigation {
  readonly what: string;
  /** Statements after the tables. */
  readonly sql: readonly string[];
}

export function exclusionMitigations({ steps }: TransactionTemplate, schema: Schema, names: Spelled): readonly ExclusionMitigation[] {
  const statements = steps.flatMap((step) => (step.kind === 'statement' ? [step.statement] : []));
  const written = new Set(statements.flatMap(writtenTables));
  const mitigations = schema.tables
    .filter(({ name }) => written.has(name))
    .flatMap((table) =>
      statements.flatMap((statement) => selectsOver(table, statement)).flatMap((query) => mitigationOf(query, table, names)),
    );
  return [...new Map(mitigations.map((mitigation) => [mitigation.what, mitigation])).values()];
}

/** A column that is compared with a value of the transaction. */
interface Compared {
  readonly column: string;
  readonly op: CompareOp;
}

interface Asked {
  readonly equal: readonly string[];
  readonly lower: Compared;
  readonly upper: Compared;
  /** Conditions that name only columns. */
  readonly where: readonly Expression[];
}

function mitigationOf(query: Select, table: Table, names: Spelled): readonly ExclusionMitigation[] {
  const asked = askedBy(query);
  if (asked === undefined || isOwn(asked, table)) return [];
  const [lower, upper] = [asked.lower, asked.upper].map(({ column }) => table.columns.find(({ name }) => name === column));
  const constructor = lower && upper && constructorOf(lower, upper);
  const conditions = asked.where.map((each) => expressionText(inTable(each, table.name), names));
  if (constructor === undefined || conditions.includes(undefined)) return [];
  const spelled = (column: string): string => names.column(table.name, column);
  const bounds = boundsOf(asked);
  const range = `${constructor}(${spelled(asked.lower.column)}, ${spelled(asked.upper.column)}${bounds === '[)' ? '' : `, '${bounds}'`})`;
  const parts = [...asked.equal.map((column) => `${spelled(column)} WITH =`), `${range} WITH &&`].join(', ');
  const behind = conditions.length === 0 ? '' : ` WHERE (${conditions.join(' AND ')})`;
  const on = names.table(table.name);
  const name = `${table.name.toLowerCase().replaceAll(/\W/g, '_')}_tried`;
  return [
    {
      what: `EXCLUDE (${parts})${behind} on ${on}`,
      sql: [
        ...(asked.equal.length > 0 ? ['CREATE EXTENSION IF NOT EXISTS btree_gist'] : []),
        `ALTER TABLE ${on} ADD CONSTRAINT ${name} EXCLUDE USING gist (${parts})${behind}`,
      ],
    },
  ];
}

/** The result is undefined if the query asks for no rows whose range overlaps another one. */
function askedBy({ from, where }: Select): Asked | undefined {
  const { alias } = from as Extract<Select['from'], { kind: 'table' }>;
  const compared: Compared[] = [];
  const plain: Expression[] = [];
  for (const each of conjunctsOf(where).flatMap((condition) =>
    condition.kind === 'overlaps' ? endsCompared(condition).operands : [condition],
  )) {
    const own = each.kind === 'compare' ? comparedIn(each, alias) : undefined;
    if (own !== undefined) compared.push(own);
    else if (isPlain(each, alias)) plain.push(each);
    else return undefined;
  }
  const of = (...ops: readonly CompareOp[]): readonly Compared[] => compared.filter(({ op }) => ops.includes(op));
  const [[lower, ...lowers], [upper, ...uppers]] = [of('<', '<='), of('>', '>=')];
  if (lower === undefined || upper === undefined || lowers.length + uppers.length > 0) return undefined;
  if (lower.column === upper.column) return undefined;
  return { equal: of('=').map(({ column }) => column), lower, upper, where: plain };
}

const TURNED: Readonly<Record<CompareOp, CompareOp>> = { '=': '=', '<>': '<>', '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** Returns a column on one side, with a value on the other side that names no column and has a parameter. */
function comparedIn({ left, op, right }: Extract<Expression, { kind: 'compare' }>, alias: string): Compared | undefined {
  const isValue = (each: Expression): boolean => {
    const { expressions, queries } = contentsOfExpressions([each]);
    return queries.length === 0 && columnsOf(each).length === 0 && expressions.some(({ kind }) => kind === 'parameter');
  };
  if (left.kind === 'column' && left.table === alias && isValue(right)) return { column: left.column, op };
  return right.kind === 'column' && right.table === alias && isValue(left) ? { column: right.column, op: TURNED[op] } : undefined;
}

function isPlain(each: Expression, alias: string): boolean {
  const { expressions, queries } = contentsOfExpressions([each]);
  const open = expressions.some(({ kind }) => kind === 'parameter' || kind === 'routine');
  return queries.length === 0 && !open && columnsOf(each).length > 0 && columnsOf(each).every(({ table }) => table === alias);
}

/** If both ends are compared so that touching ranges overlap, the ranges include their ends. */
function boundsOf({ lower, upper }: Asked): Bounds {
  return lower.op === '<=' && upper.op === '>=' ? '[]' : '[)';
}

/**
 * Returns the range type for the columns as the file declares them. Other types could stand for several range types.
 */
function constructorOf(lower: Column, upper: Column): string | undefined {
  const { kind } = lower.type;
  if (kind !== upper.type.kind || lower.zoned !== upper.zoned) return undefined;
  if (kind === 'timestamp') return lower.zoned ? 'tstzrange' : 'tsrange';
  return { integer: 'int4range', bigint: 'int8range', date: 'daterange' }[kind as string];
}

function isOwn({ lower, upper }: Asked, { exclusions = [] }: Table): boolean {
  return exclusions.some(({ parts }) =>
    parts.some(
      (part) => part.meets === 'overlapping' && isColumn(part.range.lower, lower.column) && isColumn(part.range.upper, upper.column),
    ),
  );
}

function isColumn(each: Expression, name: string): boolean {
  return each.kind === 'column' && each.column === name;
}
