/**
 * Reads the folders that `merge` gets. Each is the output of a run, an exploration or a matrix, or contains such folders,
 * as a CI job collects them. A killed run without a report is named and skipped.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError, isAnomaly } from '../../../core/index.ts';
import type { Finding, Report } from '../../../core/index.ts';
import { RECORD_FILE, RECORD_FORMAT, readNotes, readReport } from '../../../reports/index.ts';
import type { ExploreReport, MatrixJson, MatrixReport, RunRecord } from '../../../reports/index.ts';
import { findingOf } from '../../replay/index.ts';
import { withoutShard } from './parts.ts';
import type { RunPart } from './reports.ts';

export interface Folders {
  readonly runs: readonly RunPart[];
  /** Reports of `explore --out`. */
  readonly explorations: readonly ExploreReport[];
  readonly matrices: readonly MatrixReport[];
  /** Runs that left a history and no report. */
  readonly unfinished: readonly string[];
}

const EXPLORED = ['explore.json', 'outcomes.json'] as const;
const MATRIX = 'matrix.json';
const HISTORIES = ['history.ndjson.gz', 'history.ndjson'] as const;
const EXPECTED = 'the folder of a run, of `explore --out` or of `matrix --out`, or one that holds such folders';

export function readFolders(paths: readonly string[]): Folders {
  const seen = new Set<string>();
  const all = paths.flatMap((path) => {
    const folders = foldersIn(path);
    if (folders.length === 0) throw new UsageError(`${path}: nothing in it can be merged; expected ${EXPECTED}.`);
    return folders;
  });
  const runs: RunPart[] = [];
  const explorations: ExploreReport[] = [];
  const matrices: MatrixReport[] = [];
  const unfinished: string[] = [];
  for (const folder of all) {
    const file = [RECORD_FILE, ...EXPLORED, MATRIX].map((name) => join(folder, name)).find((path) => existsSync(path));
    if (file === undefined) {
      unfinished.push(folder);
      continue;
    }
    const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
    if (seen.has(digest))
      throw new UsageError(
        `${folder}: it is there twice, or a copy of it is; expected each folder once: name it once, or leave the copy out.`,
      );
    seen.add(digest);
    if (file.endsWith(RECORD_FILE)) runs.push(readRun(folder, digest));
    else if (file.endsWith(MATRIX)) matrices.push(readMatrix(file));
    else explorations.push(readJson<ExploreReport>(file, 'levels'));
  }
  return { runs, explorations, matrices, unfinished };
}

/** Returns the folder itself, or those below it. */
function foldersIn(path: string): readonly string[] {
  if (!existsSync(path) || !statSync(path).isDirectory()) throw new UsageError(`${path}: there is no such folder; expected ${EXPECTED}.`);
  if ([RECORD_FILE, ...EXPLORED, MATRIX, ...HISTORIES].some((name) => existsSync(join(path, name)))) return [path];
  const below = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return below
    .map(({ name }) => join(path, name))
    .toSorted()
    .flatMap(foldersIn);
}

function readRun(folder: string, digest: string): RunPart {
  const file = join(folder, RECORD_FILE);
  const record = readJson<RunRecord>(file, 'report');
  const { format }: { readonly format?: string } = record;
  if (format !== RECORD_FORMAT) throw new UsageError(`${file}: got format ${JSON.stringify(format ?? null)}; expected ${RECORD_FORMAT}.`);
  const findings = record.findings
    .map((name) => join(folder, name))
    .map((path) => readFinding(path, readJson<Finding & { readonly verdict: unknown }>(path, 'verdict')));
  const report: Report = { ...readReport(record.report), findings };
  const explored = EXPLORED.map((name) => join(folder, name)).find((path) => existsSync(path));
  return {
    digest,
    command: withoutShard(report.command),
    report,
    ...(explored !== undefined && { explored: readJson<ExploreReport>(explored, 'levels') }),
  };
}

function readMatrix(file: string): MatrixReport {
  const json = readJson<MatrixJson>(file, 'phenomena');
  const { notesData: _, ...matrix } = json;
  return { ...matrix, notes: readNotes(json) };
}

/** Removes the file's own fields about the run and its format, which a new file gets again. */
export function readFinding(path: string, value: object): Finding {
  const finding: Finding & Partial<Record<(typeof OF_THE_FILE)[number], unknown>> = { ...findingOf(path, value) };
  for (const name of OF_THE_FILE) delete finding[name];
  if (!isAnomaly(finding)) return finding;
  const { bareReplay, ...rest } = finding;
  // The file has null for an anomaly that was not replayed.
  return { ...rest, ...(bareReplay && { bareReplay }) };
}

const OF_THE_FILE = ['format', 'version', 'n', 'verdict', 'promise', 'run'] as const;

function readJson<T extends object>(path: string, has: keyof T & string): T {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path}: it cannot be read as JSON (${(error as Error).message}); expected the file as it was written.`, {
      cause: error,
    });
  }
  if (typeof value !== 'object' || value === null || !(has in value))
    throw new UsageError(`${path}: there is no ${JSON.stringify(has)} in it; expected the file as it was written.`);
  return value as T;
}
