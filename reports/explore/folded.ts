/** Prose of an exploration in lines of a terminal's width. */
const COLUMNS = 80;

/** Prose in lines that a terminal shows whole; SQL and commands stay as they are, to be copied. Colours come afterwards. */
export function folded(text: string, indent: string = ''): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= COLUMNS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${last === undefined ? '' : '  '}${indent}${word}`);
  }
  return lines;
}
