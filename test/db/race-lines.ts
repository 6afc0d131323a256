/** The answers of several explorations of one file, each with how many of them gave it: docs/RACES.md is written from these lines. */
import type { ExploreReport, ExploreTogether, TriedCure } from '../../reports/index.ts';

export function raceLines(reports: readonly ExploreReport[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { levels } of reports)
    for (const line of new Set(levels.flatMap(({ together = [] }) => together.flatMap((each) => linesOf(each)))))
      counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => `  ${count} of ${reports.length}: ${line}`);
}

/** The report says that the cure stops the race, or that it keeps the invariants. */
export function isOffered({ stops, keeps, why }: TriedCure): boolean {
  return why === undefined && (stops || keeps === true);
}

function linesOf({ name, answer, breaks, aimed, cures = [] }: ExploreTogether): readonly string[] {
  const { ways = [], missing = [], without = [], apart } = aimed ?? {};
  return [
    [answer, ...breaks.map((invariant) => `breaks ${invariant}`)].join(', '),
    ...ways.map(({ way, ran }) => `${ran > 0 ? 'aimed at' : 'no transaction succeeds alone with'} ${way}`),
    ...missing.map((way) => `could not be aimed at ${way}`),
    ...without.map((way) => `not aimed at ${way}`),
    ...(apart === undefined ? [] : [`cannot meet: ${apart}`]),
    ...cures.map((cure) => `${labelOf(cure)}: ${cure.what}`),
  ].map((line) => `${name}: ${line}`);
}

function labelOf(cure: TriedCure): string {
  if (cure.why !== undefined) return `not tried, as ${cure.why}`;
  if (isOffered(cure)) return 'cure';
  return cure.evens === true ? 'no difference' : cure.unseen === true ? 'not seen' : 'no cure';
}
