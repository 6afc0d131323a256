/**
 * Drops a session whose statement is silent beyond the limit. A frozen server, or a network that swallows replies, would
 * keep it waiting for ever. Its statement fails like that of any lost connection.
 */
import type { Recorder } from './recorder.ts';
import type { Session } from './session.ts';

const LOOK_MS = 1_000;

export async function withWatchdog<T>(
  recorder: Recorder,
  sessions: readonly Session[],
  limitMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => {
    const now = recorder.now();
    for (const session of sessions)
      if (session.inFlightSince !== undefined && now - session.inFlightSince > limitMs * 1e6) session.dropSilent(limitMs);
  }, LOOK_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
