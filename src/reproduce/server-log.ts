/** Finds the reason why a server or a session was lost, in the log of a server that Anomalist started. */

/** Lines about an end; all others are omitted. */
const TELLING = /terminat|\bsignal\b|crash|panic|fatal|abort|assert|shut(ting)? ?down|killed|recovery/i;
const MOST_LINES = 6;
const LINE = 240;
/** The server process that writes the log may do so after the session was lost. */
const WAIT_MS = 2_000;
const LOOK_MS = 50;

export class ServerLog {
  private readonly read: (() => string) | undefined;
  private from = 0;

  /** `read`: returns the log so far; absent: Anomalist did not start the server. */
  constructor(read: (() => string) | undefined) {
    this.read = read;
  }

  /** Ignores the log up to here. */
  mark(): void {
    this.from = this.read?.().length ?? 0;
  }

  /** Returns the lines since the mark; undefined: no line is about an end. */
  async words(): Promise<string | undefined> {
    if (this.read === undefined) return undefined;
    for (let waited = 0; ; waited += LOOK_MS) {
      const lines = this.read().slice(this.from).split('\n');
      const telling = lines.filter((line) => TELLING.test(line)).map((line) => line.trim().slice(0, LINE));
      if (telling.length > 0) return telling.slice(0, MOST_LINES).join(' | ');
      if (waited >= WAIT_MS) return undefined;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Returns the reason, followed by the lines of the log. */
  async behind(reason: string): Promise<string> {
    const words = await this.words();
    return words === undefined ? reason : `${reason}; the server's log says: ${words}`;
  }
}
