/** What a test of started servers asks: does the process still run, does the port answer, and waiting until it is so. */
import { existsSync, readFileSync } from 'node:fs';
import { connect as dial } from 'node:net';

/** A zombie that nobody reaps counts as gone. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !readFileSync(stat, 'utf8').includes(') Z ');
}

export function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = dial(Number(new URL(url).port), '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** What has not come by then never will. */
const LONGEST_MS = 600_000;

export async function until(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = performance.now() + LONGEST_MS;
  do {
    if (await condition()) return true;
    await new Promise((resolve) => {
      setTimeout(resolve, 25);
    });
  } while (performance.now() < end);
  return false;
}
