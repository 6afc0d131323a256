/**
 * The explorations of a campaign, added up as `merge` adds up shards: one report for each job on each server, with the families
 * that the store holds, each with the program of the fewest statements so far.
 */
import type { ExploreFamily, ExploredPart } from '../../../core/index.ts';
import { exploredPart } from '../../../reports/index.ts';
import type { ExploreReport } from '../../../reports/index.ts';
import { exploredFiles } from '../../pipeline/explored-files.ts';
import { mergedExplorations } from '../merge/explored.ts';
import { sliceExplorations } from './store/read-results.ts';
import { storedExplored } from './store/read-explored.ts';
import type { StoredExplored } from './store/read-explored.ts';
import type { Store } from './store/store.ts';

export interface ExportedExplorations {
  readonly part: ExploredPart;
  /** Of all of them, for a terminal. */
  readonly whole: ExploreReport;
  readonly files: Readonly<Record<string, string>>;
}

/** Undefined: nothing was explored. `command`: what is told as theirs. */
export async function exportedExplorations(store: Store, campaign: string, command: string): Promise<ExportedExplorations | undefined> {
  const groups = new Map<string, { readonly slices: ExploreReport[]; readonly server: string }>();
  for (const { job, report } of await store.connection.transaction((sql) => sliceExplorations(sql, campaign))) {
    const server = serverKey(report.target, report.server, report.configuration);
    const key = `${job} ${server}`;
    const group = groups.get(key) ?? { slices: [], server };
    // Families have a table of their own.
    group.slices.push({ ...report, levels: report.levels.map((level) => ({ ...level, families: [] })) });
    groups.set(key, group);
  }
  const found = (await store.connection.transaction(storedExplored)).filter((each) => each.campaign === campaign);
  const told = new Set<StoredExplored>();
  const reports = [...groups.values()].map(({ slices, server }): ExploreReport => {
    // Two jobs on one server share its families: they stand with the first.
    const own = found.filter((each) => !told.has(each) && serverKey(each.target, each.release, each.settings) === server);
    for (const each of own) told.add(each);
    const merged = mergedExplorations(slices);
    const levels = merged.levels.map((level) => ({
      ...level,
      families: own.filter((each) => each.level === level.level).map(({ family, count }) => withPrograms(family, count)),
    }));
    return { ...merged, command, levels };
  });
  const [first] = reports;
  if (first === undefined) return undefined;
  const nameOf = (i: number): string => (i === 0 ? 'explore' : `explore-${i + 1}`);
  const whole = { ...first, levels: reports.flatMap(({ levels }) => levels) };
  return {
    part: exploredPart(whole, `${nameOf(0)}.html`),
    whole,
    files: Object.fromEntries(reports.flatMap((report, i) => Object.entries(exploredFiles(report, nameOf(i))).filter(isKept))),
  };
}

/** Of a family with a fingerprint all programs are the case of the corpus that it names; of an older one those that it counted. */
export function withPrograms(stored: ExploreFamily, programs: number): ExploreFamily {
  const { accepted: _, ...family } = stored;
  const { known, fingerprint } = family;
  return { ...family, programs, ...(known !== undefined && fingerprint !== undefined && { known: { ...known, programs } }) };
}

function serverKey(target: string, release: string, settings: Readonly<Record<string, string>>): string {
  return JSON.stringify([target, release, Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Of all but the first the page alone: nobody reads another explore.json in a folder. */
function isKept([name]: readonly [string, string]): boolean {
  return name === 'explore.json' || name.endsWith('.html');
}
