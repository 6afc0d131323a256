/**
 * An ended session occupies its place on the server until the server has cleared it. So a connection that opens right
 * behind ended ones may find the server full. Opening retries for some seconds before it reports that.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const TRIES = 50;
const BETWEEN_MS = 100;

export async function onceThereIsRoom<T>(open: () => Promise<T>, isFull: (error: unknown) => boolean): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await open();
    } catch (error) {
      if (!isFull(error) || tried === TRIES) throw error;
      await sleep(BETWEEN_MS);
    }
  }
}
