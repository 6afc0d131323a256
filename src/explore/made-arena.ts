/**
 * An arena for rows that the tool has made. The server may refuse them, and what an application takes for granted of its rows may
 * not hold of them, so that a transaction fails as no transaction of the file's own rows does. Then the arena is made anew.
 */
import { UsageError } from '../../core/index.ts';
import { serverFailure } from '../process/server-failure.ts';
import { ServerArena } from './server-arena.ts';
import type { ServerArenaOptions } from './server-arena.ts';

export class MadeArena {
  private readonly options: ServerArenaOptions;
  private arena: ServerArena | undefined;

  constructor(options: ServerArenaOptions) {
    this.options = options;
  }

  /** Undefined: the server or a transaction refused the rows. */
  async try<T>(work: (arena: ServerArena) => Promise<T>): Promise<T | undefined> {
    const { dialect } = this.options;
    this.arena ??= await ServerArena.open(this.options);
    try {
      return await work(this.arena);
    } catch (error) {
      await this.close();
      const refused =
        error instanceof UsageError || (serverFailure(dialect, error) !== undefined && dialect.classifyError(error).scope !== 'connection');
      if (refused) return undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    const { arena } = this;
    this.arena = undefined;
    await arena?.close();
  }
}
