/**
 * Makes a statement a step of a program: the tables that it touches, and whether it only reads. These decide which
 * steps may be exchanged.
 */
import { contentsOf, effectsOfStatement, isQuery, locksOf, writtenTables } from '../../core/index.ts';
import type { ProgramStep, Query, Schema, Statement } from '../../core/index.ts';
import type { NumberUse } from './number-use.ts';

type ViewQuery = (view: string) => Query | undefined;

export function stepOf(statement: Statement, schema: Pick<Schema, 'tables' | 'views' | 'routines'>): ProgramStep {
  const viewQuery: ViewQuery = (view) => schema.views?.find(({ name }) => name === view)?.query;
  return {
    statement,
    tables: tablesOf(statement, schema, viewQuery),
    // A function may lock the rows that it reads.
    plainRead: isQuery(statement) && locksOf(statement, viewQuery) === undefined && effectsOfStatement(schema, statement).reads.size === 0,
  };
}

/** Adds the server's own numbers that the statement shows. */
export function numberedStepOf(statement: Statement, schema: Schema, use: NumberUse): ProgramStep {
  const numbers = use.shown(statement);
  return { ...stepOf(statement, schema), ...(numbers.length > 0 && { numbers }) };
}

/**
 * Returns the tables that a statement may touch. For a write these are all tables that foreign keys join to the written
 * one, or that its triggers touch. Every statement adds the tables that its functions touch. Savepoints commute with
 * nothing.
 */
function tablesOf(statement: Statement, schema: Pick<Schema, 'tables' | 'routines'>, viewQuery: ViewQuery): readonly string[] {
  const { tables } = schema;
  const own = writtenTables(statement);
  const { reads, changes } = effectsOfStatement(schema, statement);
  const written = [...new Set([...own, ...changes])];
  if (!isQuery(statement) && written.length === 0) return tables.map(({ name }) => name);
  const read = [...readBy(statement, viewQuery), ...reads];
  return [...new Set([...read, ...written.flatMap((table) => [...joinedTo(table, tables)])])].toSorted();
}

function readBy(statement: Statement, viewQuery: ViewQuery): readonly string[] {
  return contentsOf(statement).leaves.flatMap((leaf) => {
    if (leaf.kind === 'table') return [leaf.table];
    const query = leaf.kind === 'view' ? viewQuery(leaf.view) : undefined;
    return query === undefined ? [] : readBy(query, viewQuery);
  });
}

function joinedTo(table: string, tables: Schema['tables']): ReadonlySet<string> {
  const joined = new Set([table]);
  for (let before = 0; before < joined.size;) {
    before = joined.size;
    for (const { name, trigger } of tables) if (trigger !== undefined && joined.has(name)) joined.add(trigger.table);
    for (const { name, foreignKeys } of tables)
      for (const key of foreignKeys) if (joined.has(name) || joined.has(key.table)) joined.add(name).add(key.table);
  }
  return joined;
}
