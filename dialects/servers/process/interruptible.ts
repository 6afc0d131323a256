/**
 * Makes downloads and starts of servers interruptible. They may take a minute, and Ctrl-C must not wait for them.
 * Programs, starting servers and waits for locks get the signal here. When it fires, the work fails, and its own
 * clean-up leaves nothing behind.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();
let underWay = 0;

/**
 * Runs the work with the signal. When the last such work ends, the storage is disabled, because an enabled one costs
 * time at every promise of the process.
 */
export async function interruptible<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  underWay++;
  try {
    return await signals.run(signal, work);
  } finally {
    underWay--;
    if (underWay === 0) signals.disable();
  }
}

/** The signal of the current work. Undefined: nothing interrupts it. */
export function interruption(): AbortSignal | undefined {
  return signals.getStore();
}
