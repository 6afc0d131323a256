/**
 * Captures: rows that a statement does not return are appended, as JSON, to a variable of the session while it runs
 * (as in `SET iso_w = CONCAT(iso_w, IF((@w := CONCAT_WS(...`). Assignments within expressions are deprecated and work in
 * all members of the family up to today's releases.
 *
 * The variable holds bytes: whatever the collations of the connection, the columns and JSON are, they never mix. A CASE, since it lets no outer join be taken for an inner one: the optimizer knows nothing of its operands being NULL. Once
 * NULL (a text beyond max_allowed_packet), the variable stays NULL, and the capture is known to be no whole one.
 */
import type { Capture } from '../../core/index.ts';

const VARIABLE = '@iso_c';

const BEFORE = `SET ${VARIABLE} = x''`;

/** `emptied`: by the statement that reads it, whose items are sent one after the other. */
export function captureOf(emptied: boolean): Pick<Capture, 'before' | 'after' | 'empties'> {
  return emptied
    ? { before: BEFORE, after: `SELECT ${VARIABLE}, ${VARIABLE} := x''`, empties: true }
    : { before: BEFORE, after: `SELECT ${VARIABLE}` };
}

/**
 * `reads`: each the operands of a CONCAT. `once`: what the variable holds already is not appended again, since every
 * assignment copies it; the sum is of conditions that are never NULL, and so each is evaluated. Each begins with a blank and
 * has none within, so it is not found in an array that nests the same versions: a compact one has no blank before them, JSON
 * has blanks between them. In a JSON text quotes are escaped.
 */
export function printCapture(reads: readonly string[], once: boolean, value: string): string {
  const appended = (each: string): string => `(${VARIABLE} := CONCAT(${VARIABLE}, ${each})) IS NULL`;
  const all = once
    ? `${reads.map((each) => `(LOCATE(CONCAT(${each}), ${VARIABLE}) > 0 OR ${appended(each)})`).join(' + ')} > 0`
    : appended(reads.join(', '));
  return `(CASE WHEN ${all} THEN ${value} ELSE ${value} END)`;
}
