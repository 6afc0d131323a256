/**
 * Handles a terminal or a reader that goes away during the work (a closed window, a lost ssh, `| head`). Further output
 * is dropped, and the work ends with its report and its own exit code.
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
  // Node restores each terminal, and aborts on an assertion if that fails. It leaves a closed one alone.
  process.on('exit', () => {
    for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
  });
}
