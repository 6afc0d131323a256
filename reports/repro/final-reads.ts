import type { PlainRun } from '../../core/index.ts';

/** Returns the reads that show the final tables: `SELECT a, b FROM t ORDER BY 1, 2`. */
export function finalReads({ finalState }: Pick<PlainRun, 'finalState'>, quote: string): readonly string[] {
  const name = (text: string): string => `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;
  return finalState.map(
    ({ table, columns }) =>
      `SELECT ${columns.map(name).join(', ')} FROM ${name(table)} ORDER BY ${columns.map((_, i) => i + 1).join(', ')}`,
  );
}
