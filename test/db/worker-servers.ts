/**
 * Servers that a worker keeps from one suite to the next: to start one and to stop it takes seconds of processor time. They
 * end with the worker's process, as every server does that is not stopped.
 */
import type { StartedServer } from '../../dialects/index.ts';
import type { ServerAtHand } from './each-server.ts';
import { answers, until } from './process-watch.ts';
import { sessionsOn, stateOf } from './server-state.ts';

type Of = Pick<ServerAtHand, 'target' | 'dialect' | 'start'>;

interface Kept {
  readonly server: StartedServer;
  /** As it was when it had just been started. */
  readonly state: string;
  taken: boolean;
}

const kept = new Map<string, Kept>();

// A worker is told to end by a signal: with an exit of its own its servers and their folders go first.
process.once('SIGTERM', () => process.exit());

/** The one that is kept, or one that is started now; a second one beside it is the suite's own. */
export async function takeServer({ target, dialect, start }: Of): Promise<StartedServer> {
  const there = kept.get(target);
  if (there !== undefined && !there.taken && (await answers(there.server.url))) {
    there.taken = true;
    return there.server;
  }
  const server = await start();
  // One that runs already is nobody's to keep, and one whose state cannot be asked is not known to be as it was.
  const state = server.pid === 0 ? undefined : await stateOf(dialect, server.url).catch(() => undefined);
  if (state !== undefined && !there?.taken) kept.set(target, { server, state, taken: true });
  return server;
}

/** Kept if it is as it was, else stopped. */
export async function giveBack({ target, dialect }: Of, server: StartedServer): Promise<void> {
  const there = kept.get(target);
  if (there?.server === server && (await isAsBefore(dialect, there))) {
    there.taken = false;
    return;
  }
  if (there?.server === server) {
    kept.delete(target);
    console.log(`The server ${target} is stopped: the suite left something on it that was not there before`);
  }
  await server.stop();
}

async function isAsBefore(dialect: Of['dialect'], { server, state }: Kept): Promise<boolean> {
  if (!(await answers(server.url))) return false;
  // A session that was closed may be listed for a moment.
  let looks = 0;
  const alone = await until(async () => (await sessionsOn(dialect, server.url)) === 0 || ++looks > 40);
  return alone && looks <= 40 && (await stateOf(dialect, server.url)) === state;
}
