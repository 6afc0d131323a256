/**
 * Invariants that a correct server may break at any level, by what its documents except from transactions: numbers that it
 * gives (an abort leaves one out), and SKIP LOCKED, which is said to show an inconsistent view. A broken one of those tells
 * nothing of isolation.
 */
import { contentsOf, effectsOfStatement, isWrite } from '../../core/index.ts';
import type { Query, Schema, Statement, WriteStatement } from '../../core/index.ts';
import { ServerNumbers } from './numbers.ts';

export interface NamedStatement {
  readonly transaction: string;
  readonly statement: Statement;
}

/** Why a broken invariant proves nothing; undefined: it does. */
export function unjudged(query: Query, schema: Schema, statements: readonly NamedStatement[]): string | undefined {
  const skipping = statements.find(({ statement }) =>
    contentsOf(statement).queries.some((each) => each.kind === 'select' && each.lock?.wait === 'skip locked'),
  );
  if (skipping !== undefined)
    return `the transaction ${skipping.transaction} reads with SKIP LOCKED, which is documented to show an inconsistent view`;
  const { reads } = effectsOfStatement(schema, query);
  const numbered = schema.tables.find(({ name, columns }) => reads.has(name) && columns.some(({ identity }) => identity === true));
  if (numbered !== undefined)
    return `it calls a function that reads ${numbered.name}, whose rows the server numbers outside of transactions: an abort leaves a gap`;
  const writes = statements.flatMap(({ statement }) => writesOf(statement));
  const used = new ServerNumbers(schema, writes).countedOn(query);
  return used === undefined
    ? undefined
    : `it counts on ${used}, numbers that the server gives outside of transactions: an abort leaves a gap`;
}

function writesOf(statement: Statement): readonly WriteStatement[] {
  if (statement.kind === 'withWrites') return [...statement.writes.map(({ write }) => write), ...writesOf(statement.last)];
  return isWrite(statement) ? [statement] : [];
}
