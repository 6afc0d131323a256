/**
 * How a transaction uses the answers of its statements, as an application would. The values of a row are bound to
 * names, later statements use the names, and a condition over them may end the transaction early.
 *
 *     SELECT stock INTO :stock FROM items WHERE id = 7;      into: ['stock'], bound to '3'
 *     IF :stock < 1 ROLLBACK;                                stops: [{ when, end: 'rollback' }], of the statement before it
 *     UPDATE items SET stock = :stock - 1 WHERE id = 7;      sent as ... SET stock = 3 - 1
 *     GET DIAGNOSTICS :changed = ROW_COUNT;                  counted: 'changed', of the statement before it, bound to '1'
 *
 * Bindings keep the server's text until a statement uses them: the parameter there has the type. A name is NULL if nothing bound
 * it, or if its query found no row.
 */
import {
  LAST_READ,
  truthOf,
  readValue,
  mapExpression,
  mapStatement,
  shiftedLiteral,
  contentsOf,
  contentsOfExpressions,
} from '../sql/index.ts';
import { UsageError } from '../base/index.ts';
import type { ResultRow } from '../dialect/index.ts';
import type { Change, Expression, Statement, Stop, TypeKind, Value } from '../sql/index.ts';

/** Name -> the server's text. */
export type Bindings = ReadonlyMap<string, string | null>;

/** The names that must be bound before the statement can be sent. */
export function namesNeeded(statement: Statement): readonly string[] {
  return namesOf(contentsOf(statement).expressions);
}

/** The names that these expressions use. */
export function namesIn(expressions: readonly Expression[]): readonly string[] {
  return namesOf(contentsOfExpressions(expressions).expressions);
}

function namesOf(expressions: readonly Expression[]): readonly string[] {
  return [...new Set(expressions.flatMap(nameOf))];
}

/** Replaces each name by its bound value. */
export function withBindings<S extends Statement>(statement: S, bindings: Bindings): S {
  return mapStatement(statement, filledIn(bindings));
}

/** Whether the statement binds names. */
export function bindsNames({ into, counted }: Statement): boolean {
  return into !== undefined || counted !== undefined;
}

/** The names that the statement binds. */
export function namesBound({ into = [], counted }: Statement): readonly string[] {
  return counted === undefined ? into : [...into, counted];
}

/**
 * Returns the bindings after the statement answered with these rows, or affected so many. Throws UsageError if several
 * rows leave it open which one is meant.
 */
export function bindAnswer(bindings: Bindings, statement: Statement, rows: readonly ResultRow[], affected?: number): Bindings {
  const { into = [], counted } = statement;
  if (!bindsNames(statement)) return bindings;
  if (into.length > 0 && rows.length > 1)
    throw new UsageError(
      `INTO ${into.map((name) => `:${name}`).join(', ')}: the statement returned ${rows.length} rows, and nothing says which of them is meant; ` +
        'expected one row or none: look for it by a key, or end the SELECT with ORDER BY and LIMIT 1.',
    );
  const count = counted === undefined ? [] : [[counted, affected === undefined ? null : String(affected)] as const];
  return new Map([...bindings, ...into.map((name, place) => [name, rows[0]?.[place] ?? null] as const), ...count]);
}

/** How the transaction ends after the statement. Undefined: it continues. */
export function stopAfter({ stops = [] }: Statement, bindings: Bindings): Stop['end'] | undefined {
  return stops.find(({ when }) => truthOf(mapExpression(when, filledIn(bindings))) === true)?.end;
}

/** The value of a name as a value of this type. */
export function boundValue(bindings: Bindings, name: string, type: TypeKind): Value {
  const text = bindings.get(name) ?? null;
  if (text === null) return null;
  const value = readValue(type, text);
  if (value === undefined)
    throw new UsageError(`:${name} was told '${text}', which is no value of the type ${type} here; expected one: make it one with CAST.`);
  return value;
}

function filledIn(bindings: Bindings): Change {
  return {
    expression: (each) =>
      nameOf(each).length === 0 || each.kind !== 'parameter'
        ? shiftedLiteral(each)
        : { kind: 'literal', type: each.type, value: boundValue(bindings, each.name, each.type) },
  };
}

/** LAST_READ is no name of the user's. */
function nameOf(each: Expression): readonly string[] {
  return each.kind === 'parameter' && each.name !== LAST_READ ? [each.name] : [];
}
