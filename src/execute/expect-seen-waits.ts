/**
 * Checks that the user may see who waits. Every order of a program rests on the server's report of waiting sessions. So a
 * user without the right gets a message before anything is made.
 */
import { UsageError } from '../../core/index.ts';
import type { BlockedWatcher, Connection, Dialect } from '../../core/index.ts';

/** Throws UsageError that names the missing grant. */
export async function expectSeenWaits(dialect: Dialect, watcher: BlockedWatcher, { backend }: Pick<Connection, 'backend'>): Promise<void> {
  try {
    await watcher.blocked([backend]);
  } catch (error) {
    const { scope, message } = dialect.classifyError(error);
    if (scope === 'connection') throw error;
    const grant = dialect.waitsGrant === undefined ? '' : `; what it needs: ${dialect.waitsGrant}`;
    throw new UsageError(
      `the server does not tell this user which session waits for a lock, and every order of a program rests on that (${message})${grant}`,
    );
  }
}
