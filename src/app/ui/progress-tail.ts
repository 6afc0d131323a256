/** Reads the events of a progress.ndjson while it is written. Each read returns what was added since the last one. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ProgressBegin, ProgressEvent } from '../../../core/index.ts';
import { isRunning } from '../../../dialects/index.ts';

export class ProgressTail {
  private readonly path: string;
  private offset = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** Returns whole lines. A line that is being written comes with the next read. */
  read(): readonly ProgressEvent[] {
    const added = this.added();
    const end = added.lastIndexOf(0x0a) + 1;
    this.offset += end;
    return added
      .subarray(0, end)
      .toString('utf8')
      .split('\n')
      .flatMap((line) => eventOf(line) ?? []);
  }

  private added(): Buffer {
    let fd: number;
    try {
      fd = openSync(this.path, 'r');
    } catch {
      return Buffer.alloc(0);
    }
    try {
      const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - this.offset));
      return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, this.offset));
    } finally {
      closeSync(fd);
    }
  }
}

function eventOf(line: string): ProgressEvent | undefined {
  if (line === '') return undefined;
  try {
    return JSON.parse(line) as ProgressEvent;
  } catch {
    return undefined;
  }
}

/**
 * True if the process that wrote this still exists and is no later one with the same number. A process of another user
 * counts as existing.
 */
export function isAlive({ pid, processStart }: Pick<ProgressBegin, 'pid' | 'processStart'>): boolean {
  if (processStart !== undefined) return isRunning({ pid, start: processStart });
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
