/** Ctrl-C and its kin: the first signal asks what runs to end in order, the second ends the process. */
import { EXIT } from '../core/index.ts';
import type { Progress } from './progress.ts';

export function interruption(progress: Progress): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const ask = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    progress.note('anomalist: interrupted; ending in order (once more to end at once)');
    controller.abort();
  };
  for (const name of signals) process.on(name, ask);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of signals) process.off(name, ask);
    },
  };
}
