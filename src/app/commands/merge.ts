/**
 * `anomalist merge OUT...` makes one report of many folders: the shards of a run, or several runs. It writes the same
 * files, the same brief on stdout and the same exit code as a run (docs/CAMPAIGNS.md).
 */
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { EXIT, UsageError, isAnomaly } from '../../../core/index.ts';
import type { Finding, ListedFinding, Report } from '../../../core/index.ts';
import {
  briefText,
  detailsText,
  exploreText,
  exploredPart,
  findingFile,
  matrixJson,
  matrixText,
  numberedFindings,
  reportJson,
  withExploredFindings,
} from '../../../reports/index.ts';
import type { ExploreReport, MatrixReport } from '../../../reports/index.ts';
import { mergedExplorations } from '../../scale/merge/explored.ts';
import { mergedMatrices } from '../../scale/merge/matrices.ts';
import { readFolders } from '../../scale/merge/read-folders.ts';
import type { Folders } from '../../scale/merge/read-folders.ts';
import { mergedRuns } from '../../scale/merge/reports.ts';
import { colour } from '../terminal/colour.ts';
import { columnsOf } from '../../process/columns.ts';
import { NOTHING_KNOWN, isKnown, readKnown, withAccepted } from '../../pipeline/known.ts';
import type { Known } from '../../pipeline/known.ts';
import { findingFilesOf, newRunId, writeReports } from '../terminal/out-folder.ts';
import { typed } from '../../process/typed.ts';
import { writeAsked } from '../../process/write-whole.ts';
import { matrixExit, MATRIX_FILES } from './matrix.ts';
import { exploredFiles } from '../../pipeline/explored-files.ts';
import { KNOWN_FILE, failOnOption } from './fail-on-option.ts';
import { exploreExit } from './explored-exit.ts';
import { exitCode, worseExit } from './run-exit.ts';
import type { FailOn } from '../../pipeline/fail-on.ts';
import { shellWord } from '../../target/target.ts';

export function mergeCommand(finish: (exit: number) => void): CommandUnknownOpts {
  const command = new Command('merge');
  command
    .argument('<out...>', 'folders of runs, of `explore --out` or of `matrix --out`, or folders that hold such folders')
    .option('--out <dir>', 'folder for the report', 'out')
    .option('--known <file>', KNOWN_FILE)
    .addOption(failOnOption())
    .option('--verbose', 'on stdout also what each level showed and covered, and what the documents allow', false)
    .option('--json', 'one JSON object on stdout', false)
    .action((folders, options) => {
      finish(merge(folders, options));
    });
  return command;
}

interface MergeOptions {
  readonly out: string;
  readonly known?: string | undefined;
  readonly failOn: FailOn;
  readonly verbose: boolean;
  readonly json: boolean;
}

function merge(paths: readonly string[], options: MergeOptions): number {
  const known = options.known === undefined ? NOTHING_KNOWN : readKnown(options.known);
  const folders = readFolders(paths);
  for (const folder of folders.unfinished)
    process.stderr.write(`anomalist: ${folder} is left out: the run there wrote no report, as one that is killed does not\n`);
  const kinds = (['runs', 'explorations', 'matrices'] as const).filter((kind) => folders[kind].length > 0);
  const [kind] = kinds;
  if (kind === undefined) throw new UsageError('none of the folders holds a report; expected those of runs that came to their end.');
  if (kinds.length > 1)
    throw new UsageError(`the folders hold ${kinds.join(' and ')}, which no report says together; expected one of these kinds.`);
  return MERGES[kind](folders, options, known);
}

const MERGES: Readonly<Record<'runs' | 'explorations' | 'matrices', (folders: Folders, options: MergeOptions, known: Known) => number>> = {
  runs: mergeRuns,
  explorations: ({ explorations }, options, known) => mergeExplorations(explorations, options, known),
  matrices: ({ matrices }, options) => mergeMatrices(matrices, options),
};

const pageName = ({ of }: ExploreReport): string => (of === 'rounds' ? 'outcomes' : 'explore');

function mergeRuns({ runs }: Folders, options: MergeOptions, known: Known): number {
  const folder = newRunId(options.out, 'merged');
  try {
    const merged = mergedRuns(runs, folder.id, (explored) => `${pageName(explored)}.html`);
    const explored = merged.explored && withAccepted(merged.explored, known);
    const report = withCommands(withKnown(withExplored(merged.report, explored), known), folder.path, explored);
    writeReports(folder.path, report, explored && exploredFiles(explored, pageName(explored)));
    const pages = ['report.html', ...(explored === undefined ? [] : [`${pageName(explored)}.html`])];
    process.stdout.write(
      options.json
        ? `${JSON.stringify(reportJson(report))}\n`
        : (options.verbose ? `${detailsText(report, { color: colour, typed })}\n` : '') +
            briefText(
              { report, explored },
              {
                columns: columnsOf(process.stdout),
                color: colour,
                typed,
                every: options.verbose,
                pages: pages.map((page) => join(folder.path, page)),
                longer: report.command,
              },
            ),
    );
    if (report.endedEarly !== undefined) process.stderr.write(`anomalist: ${report.endedEarly}\n`);
    return worseExit(
      exitCode(report, options.failOn, known),
      explored === undefined ? EXIT.clean : exploreExit(explored, options.failOn, known),
    );
  } catch (error) {
    folder.discardUnused();
    throw error;
  }
}

function withExplored(report: Report, explored: ExploreReport | undefined): Report {
  const part = explored && exploredPart(explored, `${pageName(explored)}.html`);
  return part === undefined ? report : { ...withExploredFindings(report, explored), explored: { ...report.explored, ...part } };
}

/** Only this command's known findings are marked, not those of the runs. The exploration marks its own. */
function withKnown(report: Report, known: Known): Report {
  const marked = (finding: ListedFinding): { readonly known?: true } => (isKnown(finding, known) ? { known: true } : {});
  const findings = report.findings.map((each): Finding => {
    if (!isAnomaly(each)) return each;
    const { known: _, ...finding } = each;
    return { ...finding, ...marked(each) };
  });
  const listed = report.listed?.map((each): ListedFinding => {
    const { known: _, ...finding } = each;
    return { ...finding, ...marked(each) };
  });
  return { ...report, findings, ...(listed && { listed }) };
}

/** Commands name the files of the merged report. */
function withCommands(report: Report, folder: string, { targetWords }: Partial<ExploreReport> = {}): Report {
  const file = new Map(numberedFindings(report).map(({ n, finding }) => [finding, shellWord(join(folder, findingFile(n)))]));
  const command = (finding: Finding): string => {
    const path = file.get(finding)!;
    if (isAnomaly(finding)) return finding.replay.replace(/^anomalist replay .*?finding-\d+\.json'?/, () => `anomalist replay ${path}`);
    return finding.family.example.case === undefined ? finding.replay : `anomalist replay ${path} ${targetWords ?? ''}`.trimEnd();
  };
  return { ...report, findings: report.findings.map((finding) => ({ ...finding, replay: command(finding) })) };
}

function mergeExplorations(reports: readonly ExploreReport[], { out, json, failOn }: MergeOptions, known: Known): number {
  const report = withAccepted(mergedExplorations(reports), known);
  const { path } = newRunId(out, 'merged');
  const files = { ...exploredFiles(report, pageName(report)), ...findingFilesOf(report, path) };
  for (const [name, text] of Object.entries(files)) writeAsked(join(path, name), text, 'the report');
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : exploreText(report, { color: colour, typed }));
  process.stderr.write(`anomalist: ${join(path, `${pageName(report)}.html`)}\n`);
  return exploreExit(report, failOn, known);
}

function mergeMatrices(reports: readonly MatrixReport[], { out, json }: MergeOptions): number {
  const report = mergedMatrices(reports);
  const { path } = newRunId(out, 'merged');
  for (const [name, form] of Object.entries(MATRIX_FILES)) writeAsked(join(path, name), form(report), 'the matrix');
  process.stdout.write(json ? `${JSON.stringify(matrixJson(report))}\n` : matrixText(report, { color: colour }));
  process.stderr.write(`anomalist: ${join(path, 'matrix.html')}\n`);
  return worseExit(matrixExit(report), report.endedEarly === undefined ? EXIT.clean : EXIT.failure);
}
