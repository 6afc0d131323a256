/** Every order of the items, each item once in each: n! of n. Of none there is one, which is empty. */
export function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, i) => permutations(items.toSpliced(i, 1)).map((rest) => [first, ...rest]));
}
