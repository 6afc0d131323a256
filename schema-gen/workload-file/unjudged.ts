/**
 * Recognises invariants that a correct server may break at any level. Its documents except two features from
 * transactions: numbers that it gives (an abort leaves one out), and SKIP LOCKED, which may show an inconsistent view.
 * A broken invariant of that kind says nothing about isolation.
 */
import { contentsOf, effectsOfStatement, isWrite } from '../../core/sql/index.ts';
import type { Query, Schema, Statement, WriteStatement } from '../../core/sql/index.ts';
import type { AnyLevelFeature } from '../../core/level/index.ts';
import { ServerNumbers } from './numbers.ts';

export interface NamedStatement {
  readonly transaction: string;
  readonly statement: Statement;
}

/**
 * Returns a function that tells why a broken invariant proves nothing. Its result is undefined if it does prove
 * something. The facts that all of them share are computed once.
 */
export function judgeOfInvariants(schema: Schema, statements: readonly NamedStatement[]): (query: Query) => AnyLevelFeature | undefined {
  const skipping = statements.find(({ statement }) =>
    contentsOf(statement).queries.some((each) => each.kind === 'select' && each.lock?.wait === 'skip locked'),
  );
  const numbers = new ServerNumbers(
    schema,
    statements.flatMap(({ statement }) => writesOf(statement)),
  );
  return (query) =>
    skipping === undefined ? unjudged(query, schema, numbers) : { code: 'skip-locked', transaction: skipping.transaction };
}

function unjudged(query: Query, schema: Schema, numbers: ServerNumbers): AnyLevelFeature | undefined {
  const { reads } = effectsOfStatement(schema, query);
  const numbered = schema.tables.find(({ name, columns }) => reads.has(name) && columns.some(({ identity }) => identity === true));
  if (numbered !== undefined) return { code: 'function-reads-numbers', table: numbered.name };
  const use = numbers.countedOn(query);
  return use && { code: 'uses-numbers', use };
}

function writesOf(statement: Statement): readonly WriteStatement[] {
  if (statement.kind === 'withWrites') return [...statement.writes.map(({ write }) => write), ...writesOf(statement.last)];
  return isWrite(statement) ? [statement] : [];
}
