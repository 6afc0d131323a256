/**
 * The only place where text becomes part of a MySQL or MariaDB statement. String literals double the quote and the
 * backslash, as our sessions' sql_mode requires (no NO_BACKSLASH_ESCAPES). Names are in backticks, whatever ANSI_QUOTES
 * says. Text that the servers cannot hold, or would silently change, is refused.
 */
import { UsageError } from '../../core/base/index.ts';
import { refuseUnprintable } from '../printer/printable.ts';

/** NUL could be escaped, but no other supported DBMS can hold it. A case with it could not be compared. */
const WHY = 'cannot be kept';

/** The limit for tables, columns, databases and savepoints. A longer name is an error of the server. */
const IDENTIFIER_CHARACTERS = 64;

/** A cache, as a round has few names and its statements repeat them. */
const quoted = new Map<string, string>();
const MOST_QUOTED = 10_000;

export function quoteIdentifier(name: string): string {
  const known = quoted.get(name);
  if (known !== undefined) return known;
  if (quoted.size >= MOST_QUOTED) quoted.clear();
  const fresh = quote(name);
  quoted.set(name, fresh);
  return fresh;
}

function quote(name: string): string {
  refuseUnprintable(name, 'identifier', WHY);
  if (name === '') throw new UsageError('empty identifier: MySQL and MariaDB need a name of at least one character');
  // The servers store names in three-byte UTF-8.
  if (/[\u{10000}-\u{10FFFF}]/u.test(name))
    throw new UsageError(
      `identifier ${JSON.stringify(name)} holds a character beyond U+FFFF, which MySQL and MariaDB do not allow in names: take it out`,
    );
  if (name.endsWith(' '))
    throw new UsageError(`identifier ${JSON.stringify(name)} ends with a space, which MySQL and MariaDB do not allow: take it off`);
  if (name.length > IDENTIFIER_CHARACTERS) {
    throw new UsageError(
      `identifier ${JSON.stringify(name)} has ${name.length} characters; MySQL and MariaDB allow ${IDENTIFIER_CHARACTERS}: choose a shorter name`,
    );
  }
  return `\`${name.replaceAll('`', '``')}\``;
}

/** The quoted name of a table or a view, with its namespace. */
export function quoteName(name: string, { namespace }: { readonly namespace?: string | undefined }): string {
  return namespace === undefined ? quoteIdentifier(name) : `${quoteIdentifier(namespace)}.${quoteIdentifier(name)}`;
}

export function quoteText(text: string): string {
  refuseUnprintable(text, 'text value', WHY);
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
