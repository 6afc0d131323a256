/** `out/<run-id>/`: a new folder for each run, and the reports written into it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../core/index.ts';
import type { Report, Sink } from '../core/index.ts';
import { REPORTERS } from '../reports/index.ts';

export interface RunFolder {
  readonly id: string;
  readonly path: string;
}

/** The id tells when and with which seed: `20261121-131500-s42`, with a number behind it if that folder exists. */
export function newRunId(out: string, seed: string): RunFolder {
  if (out.trim() === '') throw new UsageError("--out '': an empty name; expected a folder, such as out.");
  const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  try {
    makeFolder(resolve(out));
    for (let n = 0; ; n++) {
      const id = `${stamp}-s${seed}${n === 0 ? '' : `-${n}`}`;
      try {
        mkdirSync(join(out, id));
        return { id, path: join(out, id) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  } catch (error) {
    throw new UsageError(`--out ${out}: the folder cannot be made (${(error as Error).message}); expected a place that can be written to.`);
  }
}

/** Folder by folder: below /proc, Node's recursive mkdir never returns. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another run may make it at the same time
  }
}

export function writeReports(folder: string, report: Report): void {
  const sink: Sink = { write: (name, text) => writeFileSync(join(folder, name), text) };
  try {
    for (const reporter of Object.values(REPORTERS)) reporter(report, sink);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new UsageError(`${folder}: the report cannot be written (${(error as Error).message}); free space there or choose another --out.`, { cause: error });
  }
}
