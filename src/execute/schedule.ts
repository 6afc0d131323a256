/**
 * Runs the steps of a few sessions in a chosen global order, one at a time. The next step is sent when the current one
 * has a reply or is known to wait for a lock. Sessions that wait are skipped. Steps beyond the order run to the end,
 * session by session.
 */
import type { BlockedWatcher } from '../../core/index.ts';
import type { Session } from './session.ts';
import { SessionsInFlight } from './sessions-in-flight.ts';
import type { Stepped } from './sessions-in-flight.ts';

export interface ScheduleOptions {
  /** The watcher of each endpoint. */
  readonly watchers: readonly BlockedWatcher[];
  /** A session without a reply for this long counts as waiting, even if the server does not report it. */
  readonly silentMs: number;
  readonly stopped: () => boolean;
}

type InFlight = SessionsInFlight<Session, void>;

export async function runSchedule(sessions: readonly Session[], order: readonly number[], options: ScheduleOptions): Promise<void> {
  const { watchers, silentMs } = options;
  const inFlight: InFlight = new SessionsInFlight({ watchers, silentMs, waits: (session) => sessions[session]!.waits() });
  for (const session of sessions) inFlight.add(session);
  try {
    await play(inFlight, sessions, order, options);
    await leave(inFlight, sessions, options.stopped());
  } catch (error) {
    await abandon(inFlight, sessions);
    throw error;
  }
}

async function play(inFlight: InFlight, sessions: readonly Session[], order: readonly number[], options: ScheduleOptions): Promise<void> {
  const entries = new Int32Array(sessions.length);
  for (const s of order) if (s < entries.length) entries[s]!++;
  // The order may have more entries than steps. The last ones are then unused, unless a transaction ends early.
  const surplus = sessions.map((session, s) => Math.max(0, entries[s]! - session.stepsLeft()));
  for (const s of order) {
    if (options.stopped()) break;
    const session = sessions[s];
    if (session === undefined) continue;
    // A transaction that ended early leaves entries unused. They are skipped, so that later transactions keep their
    // places.
    const ahead = entries[s]!-- - surplus[s]!;
    if (inFlight.isInFlight(s) || session.done || ahead > session.stepsLeft()) continue;
    await inFlight.send(s, step);
  }
  while (!options.stopped()) {
    const next = sessions.findIndex((session, s) => !inFlight.isInFlight(s) && !session.done);
    if (next >= 0) await inFlight.send(next, step);
    else if (sessions.some((_, s) => inFlight.isInFlight(s))) await inFlight.anyReply();
    else break;
  }
}

async function step(session: Session): Promise<Stepped<void>> {
  await session.step();
  return { reply: undefined, releases: session.released, open: !session.betweenTransactions };
}

/** Waits for the steps in flight. `early`: rolls open transactions back, so that sessions waiting for them get their replies. */
async function leave(inFlight: InFlight, sessions: readonly Session[], early: boolean): Promise<void> {
  await Promise.all(
    sessions.map(async (session, s) => {
      await inFlight.atRest(s);
      if (early) await session.end('rollback');
    }),
  );
  inFlight.rethrow();
}

/** Drops every session and waits until none can reply any more. */
async function abandon(inFlight: InFlight, sessions: readonly Session[]): Promise<void> {
  for (const session of sessions) {
    session.stop();
    session.drop();
  }
  await Promise.all(sessions.map((_, s) => inFlight.atRest(s)));
}
