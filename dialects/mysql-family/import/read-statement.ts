/** Reads one statement of a transaction, from its first word to its last token. */
import type { Drawn, Expression, Query } from '../../../core/sql/index.ts';
import type { Unresolved } from '../../import/index.ts';
import { Cursor } from './cursor.ts';
import { readAdvisoryLock } from './read-advisory-lock.ts';
import { readExpression } from './read-expression.ts';
import { readQuery } from './read-query.ts';
import { readDelete, readInsert, readUpdate } from './read-write.ts';
import type { Reading } from './reading.ts';

const DEFINITION = 'it commits the transaction implicitly: write definitions before the transactions';
const BOUNDARY = 'the directives of the file say where a transaction begins and ends: leave it out';
const SESSION = 'it changes or reads the state of the session, which no table holds';

export const REFUSED: Readonly<Record<string, string>> = {
  CREATE: DEFINITION,
  ALTER: DEFINITION,
  DROP: DEFINITION,
  TRUNCATE: DEFINITION,
  RENAME: DEFINITION,
  OPTIMIZE: DEFINITION,
  ANALYZE: DEFINITION,
  GRANT: DEFINITION,
  REVOKE: DEFINITION,
  BEGIN: BOUNDARY,
  START: BOUNDARY,
  COMMIT: BOUNDARY,
  XA: BOUNDARY,
  SET: SESSION,
  USE: SESSION,
  PREPARE: SESSION,
  EXECUTE: SESSION,
  DEALLOCATE: SESSION,
  HANDLER: SESSION,
  DO: SESSION,
  CALL: 'the tool does not see the statements of a procedure: write them into the transaction',
  LOCK: 'it commits the transaction implicitly: lock rows with SELECT ... FOR UPDATE',
  UNLOCK: 'it commits the transaction implicitly: lock rows with SELECT ... FOR UPDATE',
  LOAD: 'it reads a file: write INSERT',
  VALUES: 'it reads no table: put the rows into a table',
  TABLE: 'write SELECT * FROM ...',
  SHOW: 'it reads no table of the file: leave it out',
  EXPLAIN: 'it reads no table of the file: leave it out',
  DESCRIBE: 'it reads no table of the file: leave it out',
  DESC: 'it reads no table of the file: leave it out',
  MERGE: 'no server of the family has it: write INSERT ... ON DUPLICATE KEY UPDATE',
};

type Drawing = (what: Drawn) => Expression;

export function readStatement(
  sql: string,
  parameter: (index: number) => Expression,
  drawn: Drawing,
  functions?: Reading['functions'],
): Unresolved {
  const reading = readingOf(sql, parameter, drawn, functions);
  const read = statementOf(reading);
  reading.cursor.expectEnd();
  return read;
}

export function readingOf(
  sql: string,
  parameter: (index: number) => Expression,
  drawn: Drawing,
  functions?: Reading['functions'],
): Reading {
  return { cursor: new Cursor(sql), parameter, drawn, functions, query: nested, expression: readExpression };
}

/** Reads a query inside something else. Its rows cannot be locked apart from those of the whole statement. */
function nested(reading: Reading): Query {
  const at = reading.cursor.offset;
  const query = readQuery(reading);
  if (query.kind === 'select' && query.lock)
    reading.cursor.refuse(
      'a locking clause inside a subquery, a set operation or an INSERT is not supported: lock the rows with a SELECT of their own',
      at,
    );
  return query;
}

function statementOf(reading: Reading): Unresolved {
  const { cursor } = reading;
  const writing: Reading = { ...reading, copies: true };
  const lock = readAdvisoryLock(reading);
  if (lock !== undefined) return { statement: lock };
  if (cursor.accept('INSERT')) return readInsert(writing, false);
  if (cursor.accept('REPLACE')) return readInsert(writing, true);
  if (cursor.accept('UPDATE')) return readUpdate(writing);
  if (cursor.accept('DELETE')) return readDelete(writing);
  if (cursor.accept('SAVEPOINT')) return { statement: { kind: 'savepoint', name: savepoint(cursor) } };
  if (cursor.accept('RELEASE', 'SAVEPOINT')) return { statement: { kind: 'release', name: savepoint(cursor) } };
  if (cursor.accept('ROLLBACK')) return rollbackTo(reading);
  if (!cursor.seesAny(['SELECT', 'WITH', '('])) {
    const reason = cursor.token.kind === 'word' ? REFUSED[cursor.token.text.toUpperCase()] : undefined;
    cursor.refuse(
      reason === undefined
        ? `${cursor.shown()} where SELECT, INSERT, REPLACE, UPDATE, DELETE or SAVEPOINT is expected`
        : `${cursor.token.text.toUpperCase()}: ${reason}`,
    );
  }
  return { statement: readQuery(reading) };
}

function rollbackTo({ cursor }: Reading): Unresolved {
  cursor.accept('WORK');
  if (!cursor.accept('TO')) cursor.refuse(`ROLLBACK: ${BOUNDARY}`);
  cursor.accept('SAVEPOINT');
  return { statement: { kind: 'rollbackTo', name: savepoint(cursor) } };
}

/**
 * Reads a savepoint's name. The server's collation treats Sp and sp as equal, and e and é too. The tool compares names
 * exactly.
 */
function savepoint(cursor: Cursor): string {
  const at = cursor.offset;
  const name = cursor.name('savepoint');
  if (!/^[\x20-\x7e]*$/.test(name))
    cursor.refuse(
      `the savepoint ${name}: the server takes letters with and without an accent for the same; name it with letters of ASCII`,
      at,
    );
  return name.toLowerCase();
}
