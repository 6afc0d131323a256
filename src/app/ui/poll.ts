/** Polls until nobody listens any more, because file systems report changes in different ways or not at all. */
import { setTimeout as sleep } from 'node:timers/promises';

export async function poll(ms: number, gone: AbortSignal, look: () => void | Promise<void>): Promise<void> {
  while (!gone.aborted) {
    await look();
    await sleep(ms, undefined, { signal: gone }).catch(() => {});
  }
}
