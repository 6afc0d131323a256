/** A line of a drafted file that says what is not in it, and why. */
export const LEFT_OUT = '-- Left out: ';

/** A line for each, as it is told on stderr. */
export function leftOutOf(word: string, file: string): readonly string[] {
  return file.split('\n').flatMap((line, i) => {
    const text = line.trimStart();
    return text.startsWith(LEFT_OUT) ? [`${word}:${i + 1}: left out: ${text.slice(LEFT_OUT.length)}`] : [];
  });
}
