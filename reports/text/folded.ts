/** Prose in lines of a terminal's width. */
import { displayWidth } from '../../core/index.ts';

/** Of a reader whose width is not known: a pipe, a file. */
const USUAL_COLUMNS = 80;

/** Prose in lines that a terminal shows whole; a word that is longer than that stays so, to be copied. Colours come afterwards. */
export function folded(text: string, indent: string = '', columns: number = USUAL_COLUMNS): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(last) + 1 + displayWidth(word) <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${last === undefined ? '' : '  '}${indent}${word}`);
  }
  return lines;
}
