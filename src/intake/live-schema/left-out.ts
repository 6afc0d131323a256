/** Marks a line of a drafted file that says which part of the original is not in it, and why. */
export const LEFT_OUT = '-- Left out: ';

/** Returns a line for each part, as stderr shows it. */
export function leftOutOf(word: string, file: string): readonly string[] {
  return file.split('\n').flatMap((line, i) => {
    const text = line.trimStart();
    return text.startsWith(LEFT_OUT) ? [`${word}:${i + 1}: left out: ${text.slice(LEFT_OUT.length)}`] : [];
  });
}
