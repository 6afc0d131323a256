/** Looks again and again, until nobody listens any more: a file system tells of changes in ways that differ, or not at all. */
import { setTimeout as sleep } from 'node:timers/promises';

export async function poll(ms: number, gone: AbortSignal, look: () => void | Promise<void>): Promise<void> {
  while (!gone.aborted) {
    await look();
    await sleep(ms, undefined, { signal: gone }).catch(() => {});
  }
}
