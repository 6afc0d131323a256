/**
 * The record of a run: history.ndjson.gz or history.ndjson, append-only, one event a line. A listener in memory gets the
 * same events.
 *
 * An invocation is written, with everything before it, before its statement is sent. The invocations of one turn of the
 * event loop share a write, and replies wait for the next one. So a run that is killed at any moment leaves a file that
 * names every statement the server can have seen. There is no fsync: the record survives the death of our process, not of
 * the machine.
 */
import { HISTORY_FORMAT, HISTORY_VERSION, StatementNames, UsageError } from '../../core/index.ts';
import type { HeaderEvent, HistoryEvent } from '../../core/index.ts';
import { openHistoryFile } from './history-file.ts';
import type { HistoryFile } from './history-file.ts';

/** More buffered bytes than this are written without waiting for an invocation. */
const MOST_BUFFERED = 1 << 16;

export type Listener = (event: HistoryEvent) => void;

export class Recorder {
  /** Set once the file could not be written. After that nothing is recorded, so nothing may be sent. */
  private broken: UsageError | undefined;
  private buffer = '';
  /** A promise while invocations wait for their shared write. */
  private nextFlush: Promise<void> | undefined;
  private listener: Listener | undefined;
  private readonly path: string;
  private file: HistoryFile | undefined;
  private readonly names = new StatementNames();
  private readonly start: bigint;

  /** `path` undefined: only the listener gets the events. */
  constructor(path: string | undefined, header: Pick<HeaderEvent, 'tool' | 'seed'>) {
    this.path = path ?? '';
    this.start = process.hrtime.bigint();
    if (path !== undefined) this.file = this.opened(path);
    this.announce({ e: 'header', format: HISTORY_FORMAT, version: HISTORY_VERSION, ...header });
  }

  /** Returns nanoseconds since the run's start. */
  now(): number {
    return Number(process.hrtime.bigint() - this.start);
  }

  /** Gives every further event to the listener too, such as a round's HistoryBuilder. */
  listen(listener: Listener | undefined): void {
    this.listener = listener;
  }

  /** Writes an event before it happens: it is on disk when this returns. */
  announce(event: HistoryEvent): void {
    this.add(event);
    this.flush();
  }

  /**
   * Writes an event before it happens, as `announce` does. The invocations of one turn of the event loop share one write,
   * so that many sessions need few system calls.
   */
  announced(event: HistoryEvent): Promise<void> {
    this.add(event);
    if (this.file === undefined) return Promise.resolve();
    this.nextFlush ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.nextFlush = undefined;
        try {
          this.flush();
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
    return this.nextFlush;
  }

  /** Records an event that has happened. It reaches the disk with the next announcement. */
  add(event: HistoryEvent): void {
    if (this.broken) throw this.broken;
    this.listener?.(event);
    if (this.file === undefined) return;
    this.buffer += `${JSON.stringify(this.names.written(event))}\n`;
    if (this.buffer.length > MOST_BUFFERED) this.flush();
  }

  /** Writes the buffer and closes the file. */
  end(): void {
    const { file } = this;
    if (file === undefined) return;
    try {
      if (!this.broken) {
        this.flush();
        this.stored(() => file.finish());
      }
    } finally {
      file.close();
      this.file = undefined;
    }
  }

  private flush(): void {
    if (this.broken) throw this.broken;
    const { file } = this;
    if (file === undefined || this.buffer === '') return;
    const bytes = Buffer.from(this.buffer);
    this.buffer = '';
    this.stored(() => file.write(bytes));
  }

  private stored(store: () => void): void {
    try {
      store();
    } catch (error) {
      this.broken = new UsageError(
        `cannot write the history ${this.path}: ${reason(error)}; the run was stopped, as nothing is sent that is not on record: free space or choose another --out`,
        { cause: error },
      );
      throw this.broken;
    }
  }

  private opened(path: string): HistoryFile {
    try {
      return openHistoryFile(path);
    } catch (error) {
      throw new UsageError(
        `cannot create the history ${path}: ${reason(error)}; expected a new file in an existing folder: choose another --out`,
        { cause: error },
      );
    }
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the device failed',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EEXIST: 'the file exists',
  ENOENT: 'the folder does not exist',
};

function reason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return REASONS[code] ?? (code || String(error));
}
