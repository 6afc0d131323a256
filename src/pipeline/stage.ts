/** Names the stage of a run that cannot go on: each stage has its own words, and an error carries them. */
import { ForeignSession, InternalError, UsageError } from '../../core/index.ts';
import type { Dialect } from '../../core/index.ts';
import { serverFailure } from '../process/server-failure.ts';

class Stopped extends Error {
  /** The words of the stage, such as "round 3 could not be made". */
  readonly stage: string;

  constructor(stage: string, cause: unknown) {
    super(stage, { cause });
    this.stage = stage;
  }
}

export async function during<T>(stage: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Stopped(stage, error);
  }
}

/**
 * Returns the reason for the report of a stopped run. A run with nothing to report, because it could not begin, throws
 * the error. So does a run with foreign sessions. Any other run that cannot go on has a report.
 */
export function whyStopped(error: unknown, dialect: Dialect, nothingToReport: boolean): string {
  const cause = error instanceof Stopped ? error.cause : error;
  if (nothingToReport || cause instanceof ForeignSession || !(error instanceof Stopped)) throw cause;
  // The server may be gone or the disk full. A failing checker is a defect of Anomalist, and its message says so.
  const known = cause instanceof UsageError || cause instanceof InternalError ? cause : serverFailure(dialect, cause);
  return `${error.stage}: ${(known ?? new InternalError(cause instanceof Error ? cause.message : String(cause))).message}`;
}
