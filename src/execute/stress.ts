/** Runs every session as an independent loop at full speed, until its plan ends. */
import type { Session } from './session.ts';

export interface StressOptions {
  /** Largest number of sessions inside a transaction at once. The others wait between two of their transactions. */
  readonly together: number;
  /** True: no further transaction begins. */
  readonly stopped: () => boolean | Promise<boolean>;
  /** Called when the round must end, for instance because a session is lost. The other sessions begin nothing more. */
  readonly failed: () => void;
}

export async function runStress(sessions: readonly Session[], { together, stopped, failed }: StressOptions): Promise<void> {
  const turns = together < sessions.length ? new Turns(together) : undefined;
  let failure: { readonly error: unknown } | undefined;
  await Promise.all(
    sessions.map(async (session) => {
      try {
        while (!session.done) {
          await turns?.take();
          try {
            if (await stopped()) return;
            await transaction(session);
            // The round will not be complete. The lost session may hold its locks for long, and each statement would wait
            // for them.
            if (session.lost !== undefined) failed();
          } finally {
            turns?.give();
          }
        }
      } catch (error) {
        failure ??= { error };
        failed();
      }
    }),
  );
  if (failure) throw failure.error;
}

async function transaction(session: Session): Promise<void> {
  do await session.step();
  while (!session.done && !session.betweenTransactions);
}

/** A first-in, first-out queue for the permitted transactions. */
class Turns {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(free: number) {
    this.free = free;
  }

  async take(): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  give(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free++;
    else next();
  }
}
