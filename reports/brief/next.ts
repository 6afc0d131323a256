/** The next command to type: it shows the worst finding again as plain SQL. Without a finding it repeats the run for longer. */
import { worstOf } from '../run/worst.ts';
import { displayWidth } from '../../core/index.ts';
import type { BriefInput } from './input.ts';

const CONTINUED = '    ';
const AND_ON = ' \\';

export function nextCommand({ report }: BriefInput, longer: string): string {
  const worst = worstOf(report);
  return worst === undefined ? longer : worst.finding.replay;
}

/** Wraps a command for a shell. Words are never cut. */
export function commandLines(command: string, indent: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words(command)) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(`${last} ${word}${AND_ON}`) <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${indent}${last === undefined ? '' : CONTINUED}${word}`);
  }
  return lines.map((line, i) => (i < lines.length - 1 ? `${line}${AND_ON}` : line));
}

/** A quoted word may hold spaces, and an option stays with its value. */
function words(command: string): readonly string[] {
  const each = command.match(/(?:\\.|'[^']*'|[^\s'\\])+/g) ?? [];
  const pairs: string[] = [];
  for (const word of each) {
    const last = pairs.at(-1);
    if (last !== undefined && /^--[\w-]+$/.test(last) && !word.startsWith('--')) pairs[pairs.length - 1] = `${last} ${word}`;
    else pairs.push(word);
  }
  return pairs;
}
