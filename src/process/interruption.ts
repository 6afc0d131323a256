/**
 * Handles Ctrl-C and similar signals. The first signal asks the work to end in order. The second one gives it a few
 * seconds more, in which schemas are dropped and started servers are stopped. The third one ends the process.
 */
import { EXIT } from '../../core/index.ts';
import type { Progress } from './progress.ts';

/** A round drops its connections one second after the first signal, and its schema right after. */
const HURRY_MS = 4_000;

const SCHEMA = ', which may leave a schema anomalist_... on the server';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The work did not begin, so there is nothing to report. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** `lost`: the possible loss if the process ends at once. */
export function interruption(progress: Progress, lost: string = SCHEMA): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
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
  return { signal: controller.signal, release: onSignals(SIGNALS, ask) };
}

type Signal = (typeof SIGNALS)[number];

/** The handlers of the command line that are in force. A program that uses us as a library has its own, which stay. */
const OURS: Set<readonly [Signal, () => void]> = new Set();

/** Calls the handler at each of these signals, until the function that it returns is called. */
export function onSignals(names: readonly Signal[], handler: () => void): () => void {
  const own = names.map((name) => [name, handler] as const);
  for (const each of own) {
    OURS.add(each);
    process.on(...each);
  }
  return () => {
    for (const each of own) {
      OURS.delete(each);
      process.off(...each);
    }
  };
}

/**
 * Runs work that does not return to the event loop, so that no handler can run. The first signal then ends the process at
 * once, by itself and not with our exit code (docs/PIPELINE.md, Interrupted). The work must not follow changes on a
 * server that Anomalist did not start. Started servers end with the process.
 */
export function endedBySignals<T>(work: () => T): T {
  const kept = [...OURS];
  for (const each of kept) process.off(...each);
  try {
    return work();
  } finally {
    for (const each of kept) process.on(...each);
  }
}
