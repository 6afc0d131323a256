/**
 * A session that has ended keeps its place on the server until the server has cleared it away. Who opens one behind others of
 * ours that have just ended may therefore find the server full, and waits some seconds before that is taken for an answer.
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
