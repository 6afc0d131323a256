/**
 * The only place where text becomes part of a PostgreSQL statement. Identifiers and string literals are escaped so that
 * they do not depend on standard_conforming_strings. PostgreSQL cannot hold NUL and lone surrogates, and cuts
 * identifiers at 63 bytes. These texts are refused.
 */
import { UsageError } from '../../core/base/index.ts';
import { refuseUnprintable } from '../printer/printable.ts';

const WHY = 'PostgreSQL cannot store';

/** NAMEDATALEN - 1 of every standard build. PostgreSQL cuts longer names with only a notice, so two names could become equal. */
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

/** The context for naming tables and views. */
export interface Printing {
  /** Their schema. Absent: the text names none and is for people. */
  readonly namespace?: string | undefined;
}

export function quoteName(name: string, { namespace }: Printing): string {
  return namespace === undefined ? quoteIdentifier(name) : `${quoteIdentifier(namespace)}.${quoteIdentifier(name)}`;
}

export function quoteText(text: string): string {
  refuseUnprintable(text, 'text value', WHY);
  const quoted = `'${text.replaceAll("'", "''")}'`;
  // E'' treats a backslash the same way whatever standard_conforming_strings is, and '' does not.
  return text.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}
