/**
 * A terminal or a reader of ours that goes away while we work (a closed window, a lost ssh, `| head`): what is said after
 * that has no one to hear it, and the work ends with its report and its own exit code all the same.
 */
import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';

const GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO']);
const STANDARD = [0, 1, 2];

export function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!GONE.has(error.code)) throw error;
    });
  }
  const terminals = STANDARD.filter((fd) => isatty(fd));
  // Node puts each terminal back as it found it, and aborts on an assertion where that fails; a closed one it leaves alone.
  process.on('exit', () => {
    for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
  });
}
