/**
 * Progress on stderr: one status line that is rewritten on a terminal, one plain line every ten seconds elsewhere. It has
 * counters, not percentages, because stdout has the report. A narrow terminal shows the first parts of a line, each
 * whole, because a number that is cut would be another number.
 */
import { clipColumns, displayWidth, padColumns } from '../../core/index.ts';
import type { ProgressCounts } from '../../core/index.ts';
import { columnsOf } from './columns.ts';

const TERMINAL_MS = 100;
const PLAIN_MS = 10_000;

/** Gets everything that is shown, and decides itself how much to keep. */
export interface ProgressListener {
  words?(parts: () => readonly string[]): void;
  counts?(counts: ProgressCounts): void;
  note(line: string): void;
}

export class Progress {
  private readonly stream: NodeJS.WriteStream | null;
  private readonly quiet: boolean;
  private last = 0;
  private width = 0;
  private listener: ProgressListener | undefined;

  /** `null`: only the listener hears. `quiet`: notes alone are shown. */
  constructor(stream: NodeJS.WriteStream | null = process.stderr, quiet = false) {
    this.stream = stream;
    this.quiet = quiet;
  }

  /** Sends everything from here on to the listener; undefined: to none. */
  tell(listener: ProgressListener | undefined): void {
    this.listener = listener;
  }

  /** Shows a line of these parts, the most important first, if one is due. The parts are made only then. */
  tick(parts: () => readonly string[], counts?: ProgressCounts): void {
    this.listener?.words?.(parts);
    if (counts !== undefined) this.listener?.counts?.(counts);
    if (this.quiet || this.stream === null) return;
    const now = performance.now();
    if (now - this.last < (this.stream.isTTY ? TERMINAL_MS : PLAIN_MS)) return;
    this.last = now;
    this.write(this.stream, parts());
  }

  /** Shows a line that stays. */
  note(line: string): void {
    this.listener?.note(line);
    this.clear();
    this.stream?.write(`${line}\n`);
  }

  clear(): void {
    if (this.width === 0) return;
    this.stream?.write(`\r${' '.repeat(this.width)}\r`);
    this.width = 0;
  }

  private write(stream: NodeJS.WriteStream, parts: readonly string[]): void {
    if (!stream.isTTY) {
      stream.write(`${parts.join(', ')}\n`);
      return;
    }
    const columns = columnsOf(stream) - 1; // A character in the last column may make a terminal begin the next line.
    let shown = clipColumns(parts[0] ?? '', columns);
    for (const part of parts.slice(1)) {
      const longer = `${shown}, ${part}`;
      if (displayWidth(longer) > columns) break;
      shown = longer;
    }
    stream.write(`\r${padColumns(shown, this.width, 'end')}`);
    this.width = displayWidth(shown);
  }
}
