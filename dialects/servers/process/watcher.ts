/**
 * Kills a server when our process dies and the kernel was not asked to (no setpriv). A second Node process holds the
 * reading end of a pipe that only we can write to. When we die in any way, the pipe closes. The watcher then kills the
 * server and removes its folder, if the pid is still the same process. Its program is inline and repeats a part of
 * identity.ts, because it must run without our files.
 */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { ProcessIdentity } from './identity.ts';

const PROGRAM = `
const fs = require('node:fs');
const [pid, start, folder] = process.argv.slice(1);
const same = () => {
  if (process.platform !== 'linux') return true;
  try {
    const stat = fs.readFileSync('/proc/' + pid + '/stat', 'utf8');
    return start.endsWith('/' + stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  } catch { return false; }
};
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('SIGHUP', () => {});
process.stdin.on('end', () => {
  try { if (same()) process.kill(Number(pid), 'SIGKILL'); } catch {}
  if (folder) try { fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }); } catch {}
  process.exit(0);
}).resume();
`;

/** Returns a function that stops the watcher. */
export function watch(server: ProcessIdentity, folder: string): () => void {
  const watcher: ChildProcess = spawn(process.execPath, ['-e', PROGRAM, String(server.pid), server.start, folder], {
    // Ctrl-C in the terminal does not reach a detached process.
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => {});
  watcher.stdin?.on('error', () => {});
  watcher.unref();
  (watcher.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return () => watcher.kill('SIGKILL');
}
