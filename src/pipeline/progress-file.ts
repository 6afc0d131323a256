/**
 * Writes progress.ndjson beside a run's history: the events of the run while it goes on (core/progress-event.ts). Sums
 * are written twice a second at first and ever more rarely, so that a day's run has some ten thousand lines. A full disk
 * ends this file, never the run.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { identify } from '../../dialects/index.ts';
import type { FindingSeen, LevelProgress, ProgressBegin, ProgressEvent } from '../../core/index.ts';
import type { ProgressListener } from '../process/progress.ts';

export const PROGRESS_FILE = 'progress.ndjson';

const LEAST_MS = 500;
/** Largest share of the time since the beginning between two sums. */
const SHARE = 1 / 2_000;

type Sums = 'rounds' | 'words';

export class ProgressFile implements ProgressListener {
  private fd: number | undefined;
  private readonly began: number;
  private readonly last: Record<Sums, number> = { rounds: Number.NEGATIVE_INFINITY, words: Number.NEGATIVE_INFINITY };

  constructor(path: string, begin: Omit<ProgressBegin, 'event' | 'pid' | 'processStart' | 'startedAt'>) {
    this.began = performance.now();
    try {
      this.fd = openSync(path, 'wx');
    } catch {
      return; // The history, which is opened next, reports the reason.
    }
    const start = identify(process.pid)?.start ?? '';
    this.write({
      event: 'begin',
      pid: process.pid,
      ...(start !== '' && { processStart: start }),
      startedAt: new Date().toISOString(),
      ...begin,
    });
  }

  rounds(levels: () => readonly LevelProgress[]): void {
    if (this.isTime('rounds')) this.write({ event: 'rounds', seconds: this.seconds(), levels: levels() });
  }

  finding(seen: FindingSeen): void {
    this.write({ event: 'finding', seconds: this.seconds(), ...seen });
  }

  words(words: () => readonly string[]): void {
    if (this.isTime('words')) this.write({ event: 'words', seconds: this.seconds(), words: words() });
  }

  note(note: string): void {
    this.write({ event: 'note', seconds: this.seconds(), note });
  }

  end(exit: number, why?: string): void {
    this.write({ event: 'end', seconds: this.seconds(), exit, ...(why !== undefined && { why }) });
    this.close();
  }

  private isTime(sums: Sums): boolean {
    const now = performance.now();
    if (now - this.last[sums] < Math.max(LEAST_MS, SHARE * (now - this.began))) return false;
    this.last[sums] = now;
    return true;
  }

  private seconds(): number {
    return Math.round(performance.now() - this.began) / 1000;
  }

  private write(event: ProgressEvent): void {
    if (this.fd === undefined) return;
    try {
      writeSync(this.fd, `${JSON.stringify(event)}\n`);
    } catch {
      this.close();
    }
  }

  private close(): void {
    if (this.fd === undefined) return;
    const { fd } = this;
    this.fd = undefined;
    try {
      closeSync(fd);
    } catch {
      // An error of closing is ignored, like that of a line that could not be written.
    }
  }
}
