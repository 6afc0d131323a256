/**
 * A catalogue that is cut to what words name: of skeletons, of worlds, of ways to read and of ways to write those whose name has
 * one of the words in it, and all of a kind of which nothing is named. So new forms can be explored by themselves.
 */
import { UsageError } from '../../core/index.ts';

interface Named {
  readonly name: string;
}

export function onlyNamed<T extends Named>(all: readonly T[], words: readonly string[]): readonly T[] {
  const named = all.filter(({ name }) => words.some((word) => name.includes(word)));
  return named.length === 0 ? all : named;
}

/** Each word is to name something. */
export function expectNames(words: readonly string[], all: readonly Named[]): void {
  const unknown = words.find((word) => !all.some(({ name }) => name.includes(word)));
  if (unknown !== undefined)
    throw new UsageError(
      `--only ${unknown}: no skeleton, world or form of the catalogue that the server takes has it in its name; expected one of docs/EXPLORE.md.`,
    );
}
