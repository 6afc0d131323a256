/**
 * Captures: rows that a statement does not return are appended, as JSON, to a variable of the session while it runs
 * (DESIGN: `SET iso_w = CONCAT(iso_w, IF((@w := CONCAT_WS(...` ). Assignments within expressions are deprecated and work in
 * all members of the family up to today's releases.
 *
 * The variable holds bytes: whatever the collations of the connection, the columns and JSON are, they never mix. A CASE, since it lets no outer join be taken for an inner one: the optimizer knows nothing of its operands being NULL. Once
 * NULL (a text beyond max_allowed_packet), the variable stays NULL, and the capture is known to be no whole one.
 */
import type { Capture } from '../../core/index.ts';

const VARIABLE = '@iso_c';

export const CAPTURE: Pick<Capture, 'before' | 'after'> = {
  before: `SET ${VARIABLE} = x''`,
  after: `SELECT ${VARIABLE}`,
};

export function printCapture(reads: string, value: string): string {
  return `(CASE WHEN (${VARIABLE} := CONCAT(${VARIABLE}, ${reads}, ',')) IS NULL THEN ${value} ELSE ${value} END)`;
}
