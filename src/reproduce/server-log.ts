/** What the log of a server that we started says of how it, or a session, was lost. */

/** Lines that tell of an end; all others are left out. */
const TELLING = /terminat|\bsignal\b|crash|panic|fatal|abort|assert|shut(ting)? ?down|killed|recovery/i;
const MOST_LINES = 6;
const LINE = 240;
/** The process that logs it may do so after the session was lost. */
const WAIT_MS = 2_000;
const LOOK_MS = 50;

export class ServerLog {
  private readonly read: (() => string) | undefined;
  private from = 0;

  /** `read`: all that was logged so far; absent: the server is somebody else's. */
  constructor(read: (() => string) | undefined) {
    this.read = read;
  }

  /** The log up to here is of no interest. */
  mark(): void {
    this.from = this.read?.().length ?? 0;
  }

  /** Since the mark; undefined: nothing tells of an end. */
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

  /** The reason, with the log's words behind it. */
  async behind(reason: string): Promise<string> {
    const words = await this.words();
    return words === undefined ? reason : `${reason}; the server's log says: ${words}`;
  }
}
