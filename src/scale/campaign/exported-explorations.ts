/**
 * Adds up a campaign's explorations as `merge` adds up shards. There is one report for each job on each server, with the
 * store's families, each with its program of the fewest statements.
 */
import type { ExploredPart } from '../../../core/verdict/index.ts';
import { exploredPart } from '../../../reports/index.ts';
import type { ExploreReport } from '../../../reports/index.ts';
import { exploredFiles } from '../../pipeline/explored-files.ts';
import { mergedExplorations } from '../merge/explored.ts';
import { sliceExplorations } from './store/read-results.ts';
import type { StoredExplored } from './store/read-explored.ts';
import type { Store } from './store/store.ts';

export interface ExportedExplorations {
  readonly part: ExploredPart;
  /** A terminal shows all reports as one. */
  readonly whole: ExploreReport;
  readonly files: Readonly<Record<string, string>>;
}

interface Campaign {
  readonly name: string;
  /** The reports name this command. */
  readonly command: string;
  readonly found: readonly StoredExplored[];
}

/** Undefined: nothing was explored. */
export async function exportedExplorations(
  store: Store,
  { name: campaign, command, found }: Campaign,
): Promise<ExportedExplorations | undefined> {
  const groups = new Map<string, { readonly slices: ExploreReport[]; readonly server: string }>();
  for (const { job, report } of await store.connection.transaction((sql) => sliceExplorations(sql, campaign))) {
    const server = serverKey(report.target, report.server, report.configuration);
    const key = `${job} ${server}`;
    const group = groups.get(key) ?? { slices: [], server };
    // The store keeps families in another table. They are added below.
    group.slices.push({ ...report, levels: report.levels.map((level) => ({ ...level, families: [] })) });
    groups.set(key, group);
  }
  const told = new Set<StoredExplored>();
  const reports = [...groups.values()].map(({ slices, server }): ExploreReport => {
    // Two jobs on one server share its families, which stand with the first job.
    const own = found.filter((each) => !told.has(each) && serverKey(each.target, each.release, each.settings) === server);
    for (const each of own) told.add(each);
    const merged = mergedExplorations(slices);
    const levels = merged.levels.map((level) => ({
      ...level,
      families: own.filter((each) => each.level === level.level).map(({ finding }) => finding.family),
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

function serverKey(target: string, release: string, settings: Readonly<Record<string, string>>): string {
  return JSON.stringify([target, release, Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Only the first report is kept as JSON, the others as pages, because nothing reads another explore.json in a folder. */
function isKept([name]: readonly [string, string]): boolean {
  return name === 'explore.json' || name.endsWith('.html');
}
