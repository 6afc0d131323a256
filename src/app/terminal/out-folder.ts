/** `out/<run-id>/`: makes a new folder for each run, and writes the reports into it. */
import { closeSync, existsSync, mkdirSync, openSync, readSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { UsageError } from '../../../core/base/index.ts';
import type { Report, Sink } from '../../../core/verdict/index.ts';
import { REPORTERS, explorationReport } from '../../../reports/index.ts';
import type { ExploreReport } from '../../../reports/index.ts';
import { withReplayCommands } from '../../reproduce/index.ts';
import { typedReport } from '../../process/typed-report.ts';
import { withPackedCases } from '../../judge/findings/cases.ts';
import { PROGRESS_FILE } from '../../pipeline/progress-file.ts';
import { writeWhole } from '../../process/write-whole.ts';

export interface RunFolder {
  readonly id: string;
  readonly path: string;
  /** Removes what was made for the run, if the run did not come to its first statement. */
  readonly discardUnused: () => void;
}

/** The id contains the time and the seed: `20261121-131500-s42`, with a number after it if that folder exists. */
export function newRunId(out: string, seed: string): RunFolder {
  if (out.trim() === '') throw new UsageError("--out '': an empty name; expected a folder, such as out.");
  const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  try {
    const made = makeFolder(resolve(out));
    for (let n = 0; ; n++) {
      const id = `${stamp}-s${seed}${n === 0 ? '' : `-${n}`}`;
      try {
        mkdirSync(join(out, id));
        return { id, path: join(out, id), discardUnused: () => discardUnused(join(out, id), made) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  } catch (error) {
    throw new UsageError(`--out ${out}: the folder cannot be made (${(error as Error).message}); expected a place that can be written to.`);
  }
}

/** Makes folder by folder, because below /proc Node's recursive mkdir never returns. Returns those that were made, the innermost first. */
function makeFolder(path: string): readonly string[] {
  if (existsSync(path)) return [];
  const above = dirname(path) === path ? [] : makeFolder(dirname(path));
  try {
    mkdirSync(path);
    return [path, ...above];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // Another run may make it at the same time.
    return above;
  }
}

/** Makes an `--out` that is the folder itself. */
export function makeAskedFolder(out: string): readonly string[] {
  try {
    return makeFolder(resolve(out));
  } catch (error) {
    throw new UsageError(
      `--out ${out}: the folder cannot be made (${(error as Error).message}); expected a place that can be written to.`,
      { cause: error },
    );
  }
}

/**
 * Removes a history with nothing behind its header, then the folder, then the folders above that were made for it.
 * Folders that hold anything stay.
 */
export function discardUnused(folder: string, made: readonly string[]): void {
  const histories = ['history.ndjson', 'history.ndjson.gz'].map((name) => join(folder, name));
  try {
    if (histories.some((history) => existsSync(history) && !isHeaderAlone(history))) return;
    for (const file of [...histories, join(folder, PROGRESS_FILE)]) rmSync(file, { force: true });
    for (const each of new Set([resolve(folder), ...made])) rmdirSync(each);
  } catch {
    // The folder holds something else by now.
  }
}

const HEADER_AT_MOST = 4096;

function isHeaderAlone(history: string): boolean {
  const fd = openSync(history, 'r');
  try {
    const bytes = Buffer.alloc(HEADER_AT_MOST);
    const length = readSync(fd, bytes);
    if (length === HEADER_AT_MOST) return false;
    const lines = history.endsWith('.gz') && length > 0 ? gunzipSync(bytes.subarray(0, length)) : bytes.subarray(0, length);
    return !lines.subarray(0, Math.max(0, lines.length - 1)).includes(0x0a);
  } finally {
    closeSync(fd);
  }
}

/** Reports from which people copy commands. */
const PAGES: ReadonlySet<string> = new Set(['html', 'markdown']);

/** Returns the files of an exploration's findings as texts by name: those that a run's folder has beside its reports. */
export function findingFilesOf(explored: ExploreReport, folder: string): Readonly<Record<string, string>> {
  const report = withReplayCommands(explorationReport(explored, ''), folder, explored.targetWords ?? '');
  const files: Record<string, string> = {};
  for (const name of ['findings', 'repro'] as const) REPORTERS[name]!(report, { write: (file, text) => void (files[file] = text) });
  return files;
}

/** Writes each report whole or not at all; the missing ones are named. `more`: other files, by name. */
export function writeReports(folder: string, report: Report, more: Readonly<Record<string, string>> = {}): void {
  const missing: string[] = [];
  let first: Error | undefined;
  const sink: Sink = {
    write: (name, text) => {
      try {
        writeWhole(join(folder, name), text);
      } catch (error) {
        first ??= error as Error;
        missing.push(name);
      }
    },
  };
  const filed = { ...report, findings: report.findings.map((finding) => withPackedCases(finding)) };
  const page = typedReport(filed);
  for (const [name, reporter] of Object.entries(REPORTERS)) reporter(PAGES.has(name) ? page : filed, sink);
  for (const [name, text] of Object.entries(more)) sink.write(name, text);
  if (first !== undefined)
    throw new UsageError(
      `${folder}: ${missing.join(', ')} could not be written (${first.message}) and ${missing.length === 1 ? 'is' : 'are'} missing; free space there or choose another --out.`,
      { cause: first },
    );
}
