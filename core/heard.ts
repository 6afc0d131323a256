/**
 * What a transaction does with the answers of its statements, as an application would: the values of a row get names, which
 * stand in later statements, and a condition over them may end it early.
 *
 *     SELECT stock INTO :stock FROM items WHERE id = 7;      into: ['stock'], told '3'
 *     IF :stock < 1 ROLLBACK;                                stops: [{ when, end: 'rollback' }], of the statement before it
 *     UPDATE items SET stock = :stock - 1 WHERE id = 7;      sent as ... SET stock = 3 - 1
 *     GET DIAGNOSTICS :changed = ROW_COUNT;                  counted: 'changed', of the statement before it, told '1'
 *
 * The values are kept as the server's text until a statement needs one: there the parameter says of which type it is. A name
 * that was never told, or by a query that found no row, is NULL.
 */
import { LAST_READ } from './bind-statement.ts';
import { UsageError } from './errors.ts';
import { truthOf } from './evaluate.ts';
import { readValue } from './read-value.ts';
import type { ResultRow } from './reply.ts';
import { mapExpression, mapStatement } from './rewrite.ts';
import type { Change } from './rewrite.ts';
import type { Expression, Statement, Stop } from './statement.ts';
import { shiftedLiteral } from './time-units.ts';
import type { TypeKind, Value } from './value.ts';
import { contentsOf, contentsOfExpressions } from './walk-statement.ts';

/** By name, the server's text. */
export type Told = ReadonlyMap<string, string | null>;

/** Names that it needs to be told before it can be sent. */
export function namesNeeded(statement: Statement): readonly string[] {
  return namesOf(contentsOf(statement).expressions);
}

/** Of conditions. */
export function namesIn(expressions: readonly Expression[]): readonly string[] {
  return namesOf(contentsOfExpressions(expressions).expressions);
}

function namesOf(expressions: readonly Expression[]): readonly string[] {
  return [...new Set(expressions.flatMap(nameOf))];
}

/** Every value that was told in its place. */
export function withTold<S extends Statement>(statement: S, told: Told): S {
  return mapStatement(statement, filledIn(told));
}

/** It gives values names. */
export function tells({ into, counted }: Statement): boolean {
  return into !== undefined || counted !== undefined;
}

/** Those that it gives. */
export function namesTold({ into = [], counted }: Statement): readonly string[] {
  return counted === undefined ? into : [...into, counted];
}

/** What is known once the statement has answered with these rows, or affected so many. Throws where it is not known which row is meant. */
export function toldAfter(told: Told, statement: Statement, rows: readonly ResultRow[], affected?: number): Told {
  const { into = [], counted } = statement;
  if (!tells(statement)) return told;
  if (into.length > 0 && rows.length > 1)
    throw new UsageError(
      `INTO ${into.map((name) => `:${name}`).join(', ')}: the statement returned ${rows.length} rows, and nothing says which of them is meant; ` +
        'expected one row or none: look for it by a key, or end the SELECT with ORDER BY and LIMIT 1.',
    );
  const count = counted === undefined ? [] : [[counted, affected === undefined ? null : String(affected)] as const];
  return new Map([...told, ...into.map((name, place) => [name, rows[0]?.[place] ?? null] as const), ...count]);
}

/** How the transaction ends behind the statement; undefined: it goes on. */
export function stopAfter({ stops = [] }: Statement, told: Told): Stop['end'] | undefined {
  return stops.find(({ when }) => truthOf(mapExpression(when, filledIn(told))) === true)?.end;
}

/** The value of a name where one of this type is needed. */
export function toldValue(told: Told, name: string, type: TypeKind): Value {
  const text = told.get(name) ?? null;
  if (text === null) return null;
  const value = readValue(type, text);
  if (value === undefined)
    throw new UsageError(`:${name} was told '${text}', which is no value of the type ${type} here; expected one: make it one with CAST.`);
  return value;
}

function filledIn(told: Told): Change {
  return {
    expression: (each) =>
      nameOf(each).length === 0 || each.kind !== 'parameter'
        ? shiftedLiteral(each)
        : { kind: 'literal', type: each.type, value: toldValue(told, each.name, each.type) },
  };
}

/** The session's own name is not the user's. */
function nameOf(each: Expression): readonly string[] {
  return each.kind === 'parameter' && each.name !== LAST_READ ? [each.name] : [];
}
