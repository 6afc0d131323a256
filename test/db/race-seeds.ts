/**
 * The seeds of a test that a race decides: it goes on through them until the race has gone the way that the test is about.
 * A busy machine lets fewer transactions meet, so the bound is far beyond the seeds that a quiet machine needs.
 */
const MOST_SEEDS = 40;

/** The given seeds first, then the smallest others; always the same ones in the same order. */
export function raceSeeds(...first: readonly number[]): readonly string[] {
  const others = Array.from({ length: MOST_SEEDS + first.length }, (_, i) => i + 1).filter((seed) => !first.includes(seed));
  return [...first, ...others].slice(0, MOST_SEEDS).map(String);
}

/** Seconds for the attempt with that number: each has twice those of the one before, up to 64 times the first. */
export function growingSeconds(first: number, attempt: number): number {
  return first * 2 ** Math.min(attempt, 6);
}
