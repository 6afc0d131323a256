/** The one command to go on with: the worst that was found once more, as plain SQL; where nothing was, the same for longer. */
import { worstOf } from '../run/worst.ts';
import { displayWidth } from '../../core/index.ts';
import type { BriefInput } from './input.ts';

const CONTINUED = '    ';
const AND_ON = ' \\';

export function nextCommand({ report }: BriefInput, longer: string): string {
  const worst = worstOf(report);
  return worst === undefined ? longer : worst.finding.replay;
}

/** One that is longer than a line goes on in the next, as a shell reads it; a word of it is never cut. */
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
