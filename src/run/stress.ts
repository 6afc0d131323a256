/** Every session an independent loop at full speed, until its plan ends. */
import type { Session } from './session.ts';

export interface StressOptions {
  /** True: no further transaction is begun. */
  readonly stopped: () => boolean;
  /** Called once, at the first failure that must end the round: the other sessions begin nothing more. */
  readonly failed: () => void;
}

export async function runStress(sessions: readonly Session[], { stopped, failed }: StressOptions): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  await Promise.all(
    sessions.map(async (session) => {
      try {
        while (!session.done && !(session.betweenTransactions && stopped())) await session.step();
      } catch (error) {
        failure ??= { error };
        failed();
      }
    }),
  );
  if (failure) throw failure.error;
}
