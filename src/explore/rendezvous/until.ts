/** Waits for a moment more exactly than a timer does, while replies are still taken. */
import { setImmediate, setTimeout } from 'node:timers/promises';

/** A timer may be late by this many milliseconds. */
const TIMER_MS = 2;

/** Resolves at that time of `performance.now()`, late by some microseconds. `over`: asked in between; true ends it early. */
export async function until(time: number, over: () => boolean = () => false): Promise<void> {
  for (let left = time - performance.now(); left > 0 && !over(); left = time - performance.now())
    await (left > TIMER_MS ? setTimeout(left - TIMER_MS) : setImmediate());
}
