/**
 * Runs programs on rows that the tool has made. The server may refuse such rows. They may also break assumptions of the application,
 * so that a transaction fails which never fails on the file's own rows. The runner is then made anew.
 */
import { UsageError } from '../../core/base/index.ts';
import { serverFailure } from '../process/server-failure.ts';
import { ServerRunner } from './server-runner.ts';
import type { ServerRunnerOptions } from './server-runner.ts';

export class MadeRowsRunner {
  private readonly options: ServerRunnerOptions;
  private runner: ServerRunner | undefined;

  constructor(options: ServerRunnerOptions) {
    this.options = options;
  }

  /** Returns undefined if the server or a transaction refused the rows. */
  async try<T>(work: (runner: ServerRunner) => Promise<T>): Promise<T | undefined> {
    const { dialect } = this.options;
    this.runner ??= await ServerRunner.open(this.options);
    try {
      return await work(this.runner);
    } catch (error) {
      await this.close();
      const refused =
        error instanceof UsageError || (serverFailure(dialect, error) !== undefined && dialect.classifyError(error).scope !== 'connection');
      if (refused) return undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    const { runner } = this;
    this.runner = undefined;
    await runner?.close();
  }
}
