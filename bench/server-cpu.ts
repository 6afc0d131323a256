/**
 * The processor time of the servers that this process started, in milliseconds. Unlike a pace it does not depend on what
 * else the machine does. Linux alone has /proc; elsewhere it is NaN.
 */
import { readFileSync, readdirSync } from 'node:fs';

/** The clock ticks of /proc are hundredths of a second. */
const TICK_MS = 10;

interface Process {
  readonly parent: number;
  readonly ticks: number;
}

/** All descendants of this process but `others`. The time of processes that have ended is in that of their parent. */
export function serverCpuMs(others: readonly number[]): number {
  const all = processes();
  if (all.size === 0) return NaN;
  let ticks = 0;
  const ours = new Set([process.pid]);
  for (const pid of ours) {
    for (const [child, { parent, ticks: own }] of all) {
      if (parent !== pid || others.includes(child)) continue;
      ours.add(child);
      ticks += own;
    }
  }
  return TICK_MS * ticks;
}

function processes(): ReadonlyMap<number, Process> {
  const all = new Map<number, Process>();
  try {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const stat = statOf(name);
      if (stat !== undefined) all.set(Number(name), stat);
    }
  } catch {
    return new Map();
  }
  return all;
}

/** Undefined: the process has ended. */
function statOf(pid: string): Process | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' '); // From the third on: the second may contain spaces.
    const [utime, stime, ended, endedInSystem] = fields.slice(11, 15).map(Number);
    return { parent: Number(fields[1]), ticks: utime! + stime! + ended! + endedInSystem! };
  } catch {
    return undefined;
  }
}
