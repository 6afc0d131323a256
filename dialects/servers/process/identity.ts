/**
 * A process by its pid and its start: pids are used again, this pair is not. No signal goes to a pid that was read from a
 * file before the pair has been compared. A zombie counts as gone.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** Linux: the boot and the clock ticks since; elsewhere what `ps` says. Empty where nobody tells (Windows). */
  readonly start: string;
}

/** undefined: there is no such process. */
export function identify(pid: number): ProcessIdentity | undefined {
  const start = startOf(pid);
  return start === undefined ? undefined : { pid, start };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return startOf(identity.pid) === identity.start;
}

function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxStart(pid);
  if (process.platform === 'win32') return exists(pid) ? '' : undefined;
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { LC_ALL: 'C', PATH: process.env['PATH'] ?? '' },
  });
  const [state = '', ...start] = (stdout ?? '').trim().split(/\s+/);
  return state === '' || state.startsWith('Z') ? undefined : start.join(' ');
}

function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; the state is field 3 and the start field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
