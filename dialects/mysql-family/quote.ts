/**
 * The only place where text becomes part of a MySQL or MariaDB statement. String literals double the quote and the
 * backslash, as the sql_mode that every session of ours sets demands (no NO_BACKSLASH_ESCAPES); names stand in backticks,
 * whatever ANSI_QUOTES says. What the servers cannot hold, or would silently change, is refused.
 */
import { UsageError } from '../../core/index.ts';
import { refuseUnprintable } from '../printer/printable.ts';

/** NUL could be escaped, but no other DBMS of ours holds it, so that a case with it could not be compared. */
const WHY = 'cannot be kept';

/** Of tables, columns, databases and savepoints; longer names are an error of the server. */
const IDENTIFIER_CHARACTERS = 64;

/** Of the few names that a round has; a statement names its columns again and again. */
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
  // Names are kept in three-byte UTF-8.
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

/** Of a table or a view. */
export function quoteName(name: string, { namespace }: { readonly namespace?: string | undefined }): string {
  return namespace === undefined ? quoteIdentifier(name) : `${quoteIdentifier(namespace)}.${quoteIdentifier(name)}`;
}

export function quoteText(text: string): string {
  refuseUnprintable(text, 'text value', WHY);
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
