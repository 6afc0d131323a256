/**
 * Ctrl-C and its kin: the first signal asks what runs to end in order, the second gives it a few seconds more, in which
 * schemas are dropped and servers of ours stopped; the third ends the process.
 */
import { EXIT } from '../../core/index.ts';
import type { Progress } from './progress.ts';

/** A round drops its connections one second after the first signal, and its schema right after. */
const HURRY_MS = 4_000;

const SCHEMA = ', which may leave a schema anomalist_... on the server';

/** What was asked for did not begin: there is nothing to report. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** `lost`: what an end at once may cost. */
export function interruption(progress: Progress, lost: string = SCHEMA): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  let asked = 0;
  const ask = (): void => {
    asked++;
    if (asked > 2) process.exit(EXIT.interrupted);
    if (asked === 1) {
      progress.note('anomalist: interrupted; ending in order (once more to hurry)');
      controller.abort();
      return;
    }
    progress.note(`anomalist: ending within ${HURRY_MS / 1000} s (once more to end at once${lost})`);
    setTimeout(() => process.exit(EXIT.interrupted), HURRY_MS).unref();
  };
  for (const name of signals) process.on(name, ask);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of signals) process.off(name, ask);
    },
  };
}
