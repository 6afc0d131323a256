/**
 * Every stage asks two questions about a whole statement: its nature, such as query or write, and the tables that it names. A
 * new kind of statement does not compile without an answer to each.
 */
import type { ChangeTable, Query, RowlessStatement, Statement, StatementKind, WithWrites, WriteStatement } from './statement.ts';

type Nature<S extends Statement> = S extends Query
  ? 'query'
  : S extends WriteStatement
    ? 'write'
    : S extends WithWrites
      ? 'parts'
      : S extends ChangeTable
        ? 'change'
        : S extends RowlessStatement
          ? 'rowless'
          : never;

/** Each kind has its nature. A new kind does not compile without a row, nor with a row that contradicts its type. */
const NATURES: { readonly [K in StatementKind]: Nature<Extract<Statement, { readonly kind: K }>> } = {
  select: 'query',
  unionAll: 'query',
  setOperation: 'query',
  insert: 'write',
  update: 'write',
  delete: 'write',
  merge: 'write',
  withWrites: 'parts',
  changeTable: 'change',
  savepoint: 'rowless',
  rollbackTo: 'rowless',
  release: 'rowless',
  advisoryLock: 'rowless',
  lockTable: 'rowless',
};

export function isQuery(statement: Statement): statement is Query {
  return NATURES[statement.kind] === 'query';
}

export function isWrite(statement: Statement): statement is WriteStatement {
  return NATURES[statement.kind] === 'write';
}

export function isRowless(statement: Statement): statement is RowlessStatement {
  return NATURES[statement.kind] === 'rowless';
}

/** Returns the tables that the statement names outside its queries. It writes, changes or locks them. */
export function namedTables(statement: Statement): readonly string[] {
  switch (statement.kind) {
    case 'select':
    case 'unionAll':
    case 'setOperation':
    case 'savepoint':
    case 'rollbackTo':
    case 'release':
    case 'advisoryLock':
      return [];
    case 'insert':
    case 'update':
    case 'delete':
    case 'merge':
    case 'changeTable':
    case 'lockTable':
      return [statement.table];
    case 'withWrites':
      return writtenTables(statement);
  }
}

/** Returns the tables that the statement itself writes. Triggers and foreign keys may write others. */
export function writtenTables(statement: Statement): readonly string[] {
  if (isWrite(statement)) return [statement.table];
  return statement.kind === 'withWrites' ? [...statement.writes.map(({ write }) => write.table), ...writtenTables(statement.last)] : [];
}
