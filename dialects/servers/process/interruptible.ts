/**
 * Fetching a server, making its data folder and starting it may take a minute, and Ctrl-C must not wait for them. Whatever
 * runs or waits on the way (programs, servers that come up, another process's lock) asks here for the signal that ends it;
 * then the work fails, and its own clean-up leaves nothing behind.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();
let underWay = 0;

/** Where all such work is over the storage is put out of use: until then Node looks after it at every promise of the process. */
export async function interruptible<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  underWay++;
  try {
    return await signals.run(signal, work);
  } finally {
    underWay--;
    if (underWay === 0) signals.disable();
  }
}

/** Of the work that asks; undefined: nothing interrupts it. */
export function interruption(): AbortSignal | undefined {
  return signals.getStore();
}
