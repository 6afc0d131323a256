/**
 * Finds the operating system's processes of sessions, on a server that Anomalist started. A process counts only if its
 * parent is one of the server's own processes. So a session elsewhere whose backend has the same number never counts,
 * and neither does the connection number of a server that has no process for each session.
 */
import { readFileSync } from 'node:fs';

export function ownBackends(backends: readonly string[], servers: readonly number[]): readonly number[] {
  return backends.map(Number).filter((pid) => {
    const parent = Number.isSafeInteger(pid) && pid > 1 ? parentOf(pid) : undefined;
    return parent !== undefined && parent > 1 && servers.includes(parent);
  });
}

/** Undefined: there is no such process, or the system has no /proc. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold any characters. The state follows it, then the parent.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
