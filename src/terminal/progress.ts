/**
 * Progress on stderr: one status line that is rewritten on a terminal, one plain line every ten seconds elsewhere.
 * Counters, not percentages; stdout stays the report's.
 */
const TERMINAL_MS = 100;
const PLAIN_MS = 10_000;

export class Progress {
  private readonly stream: NodeJS.WriteStream;
  private readonly quiet: boolean;
  private last = 0;
  private width = 0;

  constructor(stream: NodeJS.WriteStream = process.stderr, quiet = false) {
    this.stream = stream;
    this.quiet = quiet;
  }

  /** Shows the line if it is time for one; the text is made only then. */
  tick(line: () => string): void {
    if (this.quiet) return;
    const now = performance.now();
    if (now - this.last < (this.stream.isTTY ? TERMINAL_MS : PLAIN_MS)) return;
    this.last = now;
    this.write(line());
  }

  /** A line that stays. */
  note(line: string): void {
    this.clear();
    this.stream.write(`${line}\n`);
  }

  clear(): void {
    if (this.width === 0) return;
    this.stream.write(`\r${' '.repeat(this.width)}\r`);
    this.width = 0;
  }

  private write(line: string): void {
    if (!this.stream.isTTY) {
      this.stream.write(`${line}\n`);
      return;
    }
    const shown = line.slice(0, (this.stream.columns || 80) - 1);
    this.stream.write(`\r${shown.padEnd(this.width)}`);
    this.width = shown.length;
  }
}
