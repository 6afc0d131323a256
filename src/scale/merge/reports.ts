/**
 * Merges the reports of several runs into one. The order of the runs does not matter. A merged report names its runs and
 * can be merged again. The sum of all shards equals the report of the whole run, where a run repeats itself
 * (docs/CAMPAIGNS.md).
 */
import type { ExploredPart, MergedPart, Note, NoteCode, Report } from '../../../core/index.ts';
import { UsageError, byRound, noteAt } from '../../../core/index.ts';
import { exploredPart } from '../../../reports/index.ts';
import type { ExploreReport } from '../../../reports/index.ts';
import { leftOut } from '../../pipeline/left-out.ts';
import { mergedExplorations } from './explored.ts';
import { mergedFindings } from './findings.ts';
import { mergedLevels } from './levels.ts';
import { expectDistinct, inOrder, whyEndedEarly } from './parts.ts';

export interface RunPart extends Pick<MergedPart, 'digest' | 'command'> {
  readonly report: Report;
  /** The report of its exploration, whole. */
  readonly explored?: ExploreReport | undefined;
}

export interface Merged {
  readonly report: Report;
  readonly explored?: ExploreReport;
}

/** `page`: the page that will show the whole exploration. */
export function mergedRuns(named: readonly RunPart[], runId: string, page: (explored: ExploreReport) => string): Merged {
  const runs = inOrder(named.map((run) => ({ ...run, ...(run.report.shard && { shard: run.report.shard }) })));
  const parts = runs.flatMap(partsOf);
  expectDistinct(parts);
  const reports = runs.map(({ report }) => report);
  const [first] = reports;
  if (first === undefined) throw new UsageError('there is no run to merge');
  for (const report of reports) expectAlike(first, report);
  const endedEarly = whyEndedEarly(parts);
  const command = commandOf(parts);
  const { findings, listed } = mergedFindings(reports);
  const dropped = reports.reduce((sum, each) => sum + (each.dropped ?? 0), 0);
  const explored = exploredOf(runs);
  return {
    report: {
      tool: first.tool,
      runId,
      seed: distinct(reports.flatMap(({ seed }) => seed.split(', '))).join(', '),
      command,
      startedAt: reports.map(({ startedAt }) => startedAt).toSorted()[0]!,
      seconds: reports.reduce((sum, { seconds }) => sum + seconds, 0),
      mode: first.mode,
      instrument: first.instrument,
      levels: mergedLevels(reports.map(({ levels }) => levels)),
      findings,
      ...(listed.length > 0 && { listed }),
      ...(dropped > 0 && { dropped }),
      parts,
      ...(endedEarly !== undefined && { endedEarly }),
      ...partOfExplored(reports, explored, page),
      notes: [...notesOf(reports), ...ended(endedEarly), ...leftOut(dropped, listed.length)],
    },
    ...(explored && { explored }),
  };
}

function partsOf({ digest, command, report }: RunPart): readonly MergedPart[] {
  if (report.parts !== undefined) return report.parts;
  const { runId, shard, endedEarly } = report;
  return [{ digest, runId, command, ...(shard && { shard }), ...(endedEarly !== undefined && { endedEarly }) }];
}

function expectAlike(a: Report, b: Report): void {
  for (const what of ['tool', 'mode', 'instrument'] as const)
    if (a[what] !== b[what])
      throw new UsageError(
        `the folders are of runs with ${what} ${a[what]} and ${what} ${b[what]}, which one report cannot say together; expected the same: merge the folders of each by themselves.`,
      );
}

/** All shards of one run share its command. */
function commandOf(parts: readonly MergedPart[]): string {
  return distinct(parts.map(({ command }) => command)).join('; ');
}

/** Returns the notes of the rounds in their order. Notes about a part as a whole are made anew. */
function notesOf(reports: readonly Report[]): readonly Note[] {
  const told = reports.flatMap(({ runId, notes }) =>
    notes
      .filter(({ code }) => !SAID_ANEW.has(code))
      .map((note) => (note.round === undefined && note.run === undefined ? noteAt(note, { run: runId }) : note)),
  );
  return told.toSorted(byRound);
}

const SAID_ANEW: ReadonlySet<NoteCode> = new Set<NoteCode>(['ended-early', 'anomalies-dropped', 'findings-listed']);

function ended(why: string | undefined): readonly Note[] {
  return why === undefined ? [] : [{ code: 'ended-early', data: { why } }];
}

function exploredOf(runs: readonly RunPart[]): ExploreReport | undefined {
  const reports = runs.flatMap(({ explored }) => (explored === undefined ? [] : [explored]));
  return reports.length === 0 ? undefined : mergedExplorations(reports);
}

/** A part that could not run is included too. */
function partOfExplored(
  reports: readonly Report[],
  explored: ExploreReport | undefined,
  page: (explored: ExploreReport) => string,
): { readonly explored?: ExploredPart } {
  const parts = reports.flatMap((report) => (report.explored === undefined ? [] : [report.explored]));
  if (parts.length === 0) return {};
  const cut = distinct(parts.flatMap(({ cutShort }) => (cutShort === undefined ? [] : [cutShort])));
  const cutShort = cut.length === 0 ? {} : { cutShort: cut.join('; ') };
  return { explored: { ...(explored === undefined ? { levels: [] } : exploredPart(explored, page(explored))), ...cutShort } };
}

function distinct(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}
