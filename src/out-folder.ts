/** `out/<run-id>/`: a new folder for each run, and the reports written into it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../core/index.ts';
import type { Report, Sink } from '../core/index.ts';
import { REPORTERS } from '../reports/index.ts';

export interface RunFolder {
  readonly id: string;
  readonly path: string;
}

/** The id tells when and with which seed: `20261121-131500-s42`, with a number behind it if that folder exists. */
export function newRunId(out: string, seed: string): RunFolder {
  const stamp = new Date().toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  try {
    mkdirSync(out, { recursive: true });
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

export function writeReports(folder: string, report: Report): void {
  const sink: Sink = { write: (name, text) => writeFileSync(join(folder, name), text) };
  for (const reporter of Object.values(REPORTERS)) reporter(report, sink);
}
