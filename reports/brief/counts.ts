/** The cells of the grid, for rounds and exploration: the number of each anomaly at each level, by verdict. */
import type { ExploreFamily, PromiseVerdict } from '../../core/index.ts';
import { familyName } from '../finding/facts.ts';
import { levelKey, sum } from '../run/figures.ts';
import { holdsWord } from '../run/holds.ts';
import type { BriefInput } from './input.ts';

export type Counts = Readonly<Record<PromiseVerdict, number>>;

export interface CountedLevel {
  readonly label: string;
  readonly byName: ReadonlyMap<string, Counts>;
  /** The share of transactions for which the level is shown to hold; empty if that is not asked. */
  readonly holds: string;
}

/** Returns the levels with anomalies of the rounds, then programs of the exploration. */
export function countedLevels({ report, explored }: BriefInput): readonly CountedLevel[] {
  const several = new Set(report.levels.map(({ target }) => target)).size > 1;
  return [
    ...report.levels.map((level): CountedLevel => ({
      label: several ? `${levelKey(level)}, ${level.target}` : levelKey(level),
      byName: new Map(Object.entries(level.names).map(([name, counts]) => [name, countsOf((verdict) => counts[verdict] ?? 0)])),
      holds: holdsWord(level),
    })),
    ...(explored?.levels ?? []).map(({ level, families }): CountedLevel => ({
      label: `${level}, ${explored?.of === 'rounds' ? 'outcomes' : 'explore'}`,
      byName: byName(families),
      holds: '',
    })),
  ];
}

export function addedCounts(all: readonly (Counts | undefined)[]): Counts {
  return countsOf((verdict) => sum(all.map((counts) => counts?.[verdict])));
}

function countsOf(count: (verdict: PromiseVerdict) => number): Counts {
  return { bug: count('bug'), undocumented: count('undocumented'), documented: count('documented') };
}

function byName(families: readonly ExploreFamily[]): ReadonlyMap<string, Counts> {
  const names = new Set(families.map(familyName));
  return new Map(
    [...names].map((name) => [
      name,
      countsOf((verdict) =>
        sum(families.filter((family) => familyName(family) === name && family.verdict === verdict).map(({ programs }) => programs)),
      ),
    ]),
  );
}
