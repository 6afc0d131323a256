/** Every session an independent loop at full speed, until its plan ends. */
import type { Session } from './session.ts';

export interface StressOptions {
  /** So many sessions at most are inside a transaction at once; the others wait between two of theirs. */
  readonly together: number;
  /** True: no further transaction is begun. */
  readonly stopped: () => boolean | Promise<boolean>;
  /** A session is lost, or something else must end the round: the other sessions begin nothing more. */
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
            // The round will not be whole; what the lost one left behind may hold its locks for long, and each statement would wait for them.
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

/** Who came first goes first. */
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
