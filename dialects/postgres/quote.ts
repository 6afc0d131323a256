/**
 * The only place where text becomes part of a PostgreSQL statement: identifiers and string literals, escaped so that
 * they mean the same whatever standard_conforming_strings says. What PostgreSQL cannot hold, or would silently change
 * (NUL, lone surrogates, identifiers it would cut at 63 bytes), is refused.
 */
import { UsageError } from '../../core/index.ts';
import { refuseUnprintable } from '../printer/printable.ts';

const WHY = 'PostgreSQL cannot store';

/** NAMEDATALEN - 1 of every stock build; longer names are cut with only a notice, so two of them could meet. */
const IDENTIFIER_BYTES = 63;

export function quoteIdentifier(name: string): string {
  refuseUnprintable(name, 'identifier', WHY);
  if (name === '') throw new UsageError('empty identifier: PostgreSQL needs a name of at least one character');
  const bytes = Buffer.byteLength(name);
  if (bytes > IDENTIFIER_BYTES) {
    throw new UsageError(
      `identifier ${JSON.stringify(name)} has ${bytes} bytes; PostgreSQL keeps ${IDENTIFIER_BYTES}: choose a shorter name`,
    );
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** What tables and views are named with. */
export interface Printing {
  /** The schema that they are in; absent: the text names none, and is for people. */
  readonly namespace?: string | undefined;
}

export function quoteName(name: string, { namespace }: Printing): string {
  return namespace === undefined ? quoteIdentifier(name) : `${quoteIdentifier(namespace)}.${quoteIdentifier(name)}`;
}

export function quoteText(text: string): string {
  refuseUnprintable(text, 'text value', WHY);
  const quoted = `'${text.replaceAll("'", "''")}'`;
  // E'' reads a backslash the same way whatever standard_conforming_strings is; '' does not.
  return text.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}
