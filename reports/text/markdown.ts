/**
 * Writes text as markdown that shows exactly that text. Names and SQL from a test may hold every sign that markdown and
 * HTML give a meaning to (CommonMark 0.31, 2.4 and 4.5).
 */
import { oneLine, visible } from './visible.ts';

/** Returns running text on one line. */
export function plain(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_[\]<>|#~]/g, (sign) => `\\${sign}`)
    .replaceAll('&', '&amp;');
}

/** Returns a code span. The fence is longer than any run of backticks inside. */
export function code(text: string): string {
  const line = oneLine(text);
  if (line === '') return '';
  const fence = '`'.repeat(longestRun(line) + 1);
  return fence.length === 1 ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}

/** Returns a fenced block. */
export function block(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${visible(text)}\n${fence}`;
}

/** Returns a table of ready-made cells, head first. Columns whose cells begin with a digit are aligned right. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replace(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
  const rule = head.map((_, c) => (body.length > 0 && body.every((row) => /^\d/.test(row[c] ?? '')) ? '---:' : '---'));
  return [line(head), line(rule), ...body.map(line)].join('\n');
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
