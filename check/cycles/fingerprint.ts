/**
 * The skeleton of an anomaly: for each edge its relation, the kinds of its two statements, the read point, and which
 * edges share a row. It is the least of all rotations. It therefore depends on no name, on no statement off the cycle,
 * and not on where the cycle was entered.
 *
 *     G-single-item|rw:select>update:snapshot:0|ww:update>update:0
 */
import type { CycleStep, SentKind, Shape } from '../../core/index.ts';

type Step = Pick<CycleStep, 'rel' | 'row' | 'table' | 'fromStatement' | 'toStatement' | 'readPoint'>;

/** Anomalies that are no cycles give the statements that they rest on, the reader first. */
export function fingerprintOf(
  name: string,
  shapes: readonly Shape[],
  steps: readonly Step[],
  kinds: readonly SentKind[],
  statements: readonly number[] = [],
): string {
  if (steps.length === 0) return [name, ...[...shapes].sort(), statements.map((s) => kinds[s]).join('>')].join('|');
  let least: string | undefined;
  for (let i = 0; i < steps.length; i++) {
    const word = spell([...steps.slice(i), ...steps.slice(0, i)], kinds);
    if (least === undefined || word < least) least = word;
  }
  return `${name}|${least}`;
}

function spell(steps: readonly Step[], kinds: readonly SentKind[]): string {
  const rows: string[] = [];
  const kind = (s: number | undefined): string => (s === undefined ? '' : kinds[s]);
  return steps
    .map(({ rel, row, table, fromStatement, toStatement, readPoint }) => {
      const parts = [rel as string];
      if (row !== undefined) {
        const name = `${table}\0${row}`;
        if (!rows.includes(name)) rows.push(name);
        parts.push(`${kind(fromStatement)}>${kind(toStatement)}`);
        if (readPoint !== undefined) parts.push(readPoint);
        parts.push(String(rows.indexOf(name)));
      }
      return parts.join(':');
    })
    .join('|');
}
