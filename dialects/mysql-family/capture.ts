/**
 * Captures: a statement appends rows that it does not return, as JSON, to a session variable while it runs. The form is
 * `SET iso_w = CONCAT(iso_w, IF((@w := CONCAT_WS(...`. Assignments within expressions are deprecated, but work in all
 * members of the family up to today's releases.
 *
 * The variable holds bytes, so the collations of the connection, the columns and JSON never mix. The expression is a CASE, because
 * the optimizer does not know when a CASE is NULL. So it cannot turn an outer join into an inner one. A text longer than
 * max_allowed_packet makes the variable NULL. It then stays NULL, which shows that the capture is incomplete.
 */
import type { Capture } from '../../core/dialect/index.ts';

const VARIABLE = '@iso_c';

const BEFORE = `SET ${VARIABLE} = x''`;

/** `emptied`: the statement that reads the variable also empties it, as its items are evaluated in order. */
export function captureOf(emptied: boolean): Pick<Capture, 'before' | 'after' | 'empties'> {
  return emptied
    ? { before: BEFORE, after: `SELECT ${VARIABLE}, ${VARIABLE} := x''`, empties: true }
    : { before: BEFORE, after: `SELECT ${VARIABLE}` };
}

/**
 * Each of `reads` holds the operands of a CONCAT. `once`: an array that the variable holds already is not appended
 * again, because every assignment copies the variable. The sum adds conditions that are never NULL, so each of them is
 * evaluated. Each array begins with a blank and has none inside, so it is not found inside an array that nests the same
 * versions. A compact array has no blank before its parts, and JSON has blanks between them. Quotes in a JSON text are
 * escaped.
 */
export function printCapture(reads: readonly string[], once: boolean, value: string): string {
  const appended = (each: string): string => `(${VARIABLE} := CONCAT(${VARIABLE}, ${each})) IS NULL`;
  const all = once
    ? `${reads.map((each) => `(LOCATE(CONCAT(${each}), ${VARIABLE}) > 0 OR ${appended(each)})`).join(' + ')} > 0`
    : appended(reads.join(', '));
  return `(CASE WHEN ${all} THEN ${value} ELSE ${value} END)`;
}
