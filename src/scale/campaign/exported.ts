/**
 * Writes a campaign as a run's folder. Its slices are added up to one report, in the way that `merge` adds up shards. Each finding has
 * the file of its smallest reproduction. One target with several releases or settings becomes several targets there.
 */
import { stringify } from 'yaml';
import { noteKey } from '../../../core/history/index.ts';
import { isAnomaly } from '../../../core/verdict/index.ts';
import type { Note } from '../../../core/history/index.ts';
import type { AnomalyFinding, Finding, LevelReport, ListedFinding, ProgramFinding, Report } from '../../../core/verdict/index.ts';
import { findingFile, findingFileText } from '../../../reports/index.ts';
import type { ExploreReport } from '../../../reports/index.ts';
import { shellWord } from '../../target/target.ts';
import { mergedLevels } from '../merge/levels.ts';
import { readFinding } from '../merge/read-folders.ts';
import { leftOut } from '../../pipeline/left-out.ts';
import { VERSION } from '../../process/version.ts';
import type { CampaignFile } from './file.ts';
import { exportedExplorations } from './exported-explorations.ts';
import { releaseName } from './chosen-findings.ts';
import { hasFile, isExplored } from './store/read-everything.ts';
import type { AnyStored } from './store/read-everything.ts';
import type { StoredExplored } from './store/read-explored.ts';
import { findingTexts } from './store/read-findings.ts';
import type { StoredFinding } from './store/read-findings.ts';
import { sliceReports } from './store/read-results.ts';
import type { SliceReport } from './store/read-results.ts';
import { statusOf } from './status.ts';
import type { CampaignRow, Store } from './store/store.ts';

const CAMPAIGN_FILE = 'campaign.yaml';
/** A report keeps at most so many notes of rounds. A long campaign has many, and most say the same about another round. */
const MOST_NOTES = 100;
const AT_ONCE = 100;

export interface Exported {
  readonly report: Report;
  /** The report adds up the campaign's explorations. */
  readonly explored?: ExploreReport;
  /** The map has the findings' files as the slices wrote them, with the campaign's numbers, and the campaign's own file. */
  readonly files: Readonly<Record<string, string>>;
}

export async function exported(
  store: Store,
  { file }: Pick<CampaignRow, 'file'>,
  stored: readonly AnyStored[],
  { runId, path }: { readonly runId: string; readonly path: (file: string) => string },
): Promise<Exported> {
  const { servers, ...added } = await addedUp(store, file.name);
  const nameOf = ({ target, release, settings }: AnyStored): string => servers.get(keyOf(target, release, settings))?.name ?? target;
  const command = `anomalist campaign start ${shellWord(path(CAMPAIGN_FILE))}`;
  const explored = await exportedExplorations(store, { name: file.name, command, found: stored.filter(isExplored) });
  const files: Record<string, string> = { ...campaignFiles(file), ...explored?.files };
  const findings: Finding[] = [];
  const placeOf = (each: AnyStored): Place => ({ target: nameOf(each), path: path(findingFile(each.n)), campaign: file });
  const whole = stored.filter(hasFile);
  for (let from = 0; from < whole.length; from += AT_ONCE) {
    const part = whole.slice(from, from + AT_ONCE);
    const keys = part.map(({ key }) => key);
    const texts = await store.connection.transaction((sql) => findingTexts(sql, keys));
    for (const each of part) {
      if (isExplored(each)) {
        findings.push(placed(each, placeOf(each)));
        continue;
      }
      const name = findingFile(each.n);
      const finding = filed(JSON.parse(texts.get(each.key)!) as AnomalyFinding, each, placeOf(each));
      files[name] = findingFileText({ ...finding, n: each.n });
      findings.push(readFinding(name, finding));
    }
  }
  const listed = stored
    .flatMap((each) => (isExplored(each) || each.whole ? [] : [each]))
    .map((each): ListedFinding => ({ ...each.line, id: `f${each.n}`, target: nameOf(each), count: each.count }));
  return {
    files,
    ...(explored && { explored: explored.whole }),
    report: {
      ...added,
      runId,
      seed: String(file.seed),
      command,
      findings,
      ...(listed.length > 0 && { listed }),
      ...(explored && { explored: explored.part }),
      ...(await unfinished(store, file.name)),
      notes: [...added.notes, ...replayedNote(findings.filter(isAnomaly)), ...leftOut(added.dropped ?? 0, 0), ...linesNote(listed.length)],
    },
  };
}

/** A campaign that is running, stopped or lost slices reports only its accepted slices. */
async function unfinished(store: Store, name: string): Promise<Pick<Report, 'endedEarly'>> {
  const status = (await statusOf(store)).find((each) => each.name === name);
  if (status === undefined || status.done === status.slices) return {};
  const givenUp = status.givenUp === 0 ? '' : `, ${status.givenUp} given up`;
  return { endedEarly: `${status.done} of ${status.slices} slices of the campaign are done${givenUp}` };
}

/** Returns the campaign's own file, with the workload files that it names beside it. */
function campaignFiles({ files = {}, ...campaign }: CampaignFile): Record<string, string> {
  const names = new Map(Object.keys(files).map((word, i) => [word, `workload-${i + 1}.sql`]));
  const jobs = campaign.jobs.map((job) => {
    const name = 'run' in job ? names.get(job.run.workload ?? '') : undefined;
    return 'run' in job && name !== undefined ? { run: { ...job.run, workload: name } } : job;
  });
  return {
    [CAMPAIGN_FILE]: stringify({ ...campaign, jobs }),
    ...Object.fromEntries(Object.entries(files).map(([word, text]) => [names.get(word)!, text])),
  };
}

interface Place {
  readonly target: string;
  readonly path: string;
  readonly campaign: CampaignFile;
}

/** Returns a slice's file with the campaign's numbers. A finding that occurred again begins with the command that shows it again. */
function filed(written: AnomalyFinding, { n, line, count }: StoredFinding, place: Place): AnomalyFinding {
  const replay = written.reproduction === undefined ? line.replay : replayCommand(line.target, place);
  return { ...written, id: `f${n}`, target: place.target, count, replay };
}

/** Returns a finding of an exploration with its number here. One that holds its case begins with the command that replays it. */
function placed({ n, finding, target }: StoredExplored, place: Place): ProgramFinding {
  const replay = finding.family.example.case === undefined ? finding.replay : replayCommand(target, place);
  return { ...finding, id: `e${n}`, target: place.target, replay };
}

function replayCommand(target: string, { path, campaign }: Place): string {
  const words = campaign.targets.some((each) => 'target' in each && each.target === target)
    ? `--target ${target}`
    : target
        .split(', ')
        .map((url) => `--url ${shellWord(url)}`)
        .join(' ');
  return `anomalist replay ${shellWord(path)} ${words}`;
}

type Added = Pick<Report, 'tool' | 'startedAt' | 'seconds' | 'mode' | 'instrument' | 'levels' | 'dropped' | 'notes'>;

interface Server {
  readonly target: string;
  readonly release: string;
  name: string;
  levels: readonly LevelReport[];
}

async function addedUp(store: Store, campaign: string): Promise<Added & { readonly servers: ReadonlyMap<string, Server> }> {
  const servers = new Map<string, Server>();
  const notes = new Map<string, { readonly note: Note; of: number }>();
  const modes = new Set<Report['mode']>();
  let first: SliceReport | undefined;
  let [seconds, slices, dropped] = [0, 0, 0];
  for await (const reports of sliceReports(store.connection, campaign))
    for (const report of reports) {
      first ??= report;
      seconds += report.seconds;
      modes.add(report.mode);
      for (const [key, note] of new Map(report.notes.map((each) => [noteKey(each), each]))) {
        const told = notes.get(key) ?? { note, of: 0 };
        told.of++;
        notes.set(key, told);
      }
      slices++;
      dropped += report.dropped ?? 0;
      for (const level of report.levels) {
        const key = keyOf(level.target, level.server, level.configuration);
        const server = servers.get(key) ?? { target: level.target, release: level.server, name: level.target, levels: [] };
        server.levels = mergedLevels([server.levels, [level]]);
        servers.set(key, server);
      }
    }
  nameApart([...servers.values()]);
  return {
    tool: first?.tool ?? `anomalist ${VERSION}`,
    startedAt: first?.startedAt ?? new Date().toISOString(),
    seconds,
    mode: first?.mode ?? 'stress',
    instrument: first?.instrument ?? 'exact',
    levels: [...servers.values()].flatMap(({ name, levels }) => levels.map((level) => ({ ...level, target: name }))),
    ...(dropped > 0 && { dropped }),
    notes: [
      ...(modes.size > 1 ? [{ code: 'slices-of-both-modes', data: {} } as const] : []),
      // A note about a slice as a whole is not true of the campaign.
      ...shortened([...notes.values()].flatMap(({ note, of }) => (of === slices || note.round !== undefined ? [note] : []))),
    ],
    servers,
  };
}

function keyOf(target: string, release: string, settings: Readonly<Record<string, string>>): string {
  return JSON.stringify([target, release, Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Gives targets with several servers a name for each. A target that was always one server keeps its name. */
function nameApart(servers: readonly Server[]): void {
  for (const server of servers) {
    const alike = servers.filter(({ target }) => target === server.target);
    if (alike.length === 1) continue;
    const settings = alike.filter(({ release }) => release === server.release);
    const which = settings.length === 1 ? '' : `, settings ${settings.indexOf(server) + 1}`;
    server.name = `${server.target} (${releaseName(server.release)}${which})`;
  }
}

function replayedNote(findings: readonly AnomalyFinding[]): readonly Note[] {
  const replayed = findings.filter(({ reproduction }) => reproduction !== undefined).length;
  return findings.length === 0 ? [] : [{ code: 'replayed-by-slices', data: { replayed, of: findings.length } }];
}

function linesNote(lines: number): readonly Note[] {
  return lines === 0 ? [] : [{ code: 'listed-by-slices', data: { findings: lines } }];
}

function shortened(notes: readonly Note[]): readonly Note[] {
  const more = notes.length - MOST_NOTES;
  return more > 0 ? [...notes.slice(0, MOST_NOTES), { code: 'more-notes', data: { notes: more } }] : notes;
}
