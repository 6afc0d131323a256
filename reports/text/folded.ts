/** Wraps prose into lines of a terminal's width. */
import { displayWidth } from '../../core/index.ts';

/** The width if the reader's is not known: a pipe, a file. */
const USUAL_COLUMNS = 80;

/** Wraps prose. A word that is longer than a line stays whole, so that it can be copied. Colours are added afterwards. */
export function folded(text: string, indent: string = '', columns: number = USUAL_COLUMNS): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(last) + 1 + displayWidth(word) <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${last === undefined ? '' : '  '}${indent}${word}`);
  }
  return lines;
}
