/** A run that cannot go on says what it was about to do: each stage carries its own words, and an error takes them along. */
import { ForeignSession, InternalError, UsageError } from '../../core/index.ts';
import type { Dialect } from '../../core/index.ts';
import { serverFailure } from '../process/server-failure.ts';

class Stopped extends Error {
  /** As in "round 3 could not be made". */
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
 * What is reported of a run that was stopped. A run that has nothing to report, as it could not begin, throws the error,
 * and so does one whose sessions were not its own; one that cannot go on has a report, whatever the reason.
 */
export function whyStopped(error: unknown, dialect: Dialect, nothingToReport: boolean): string {
  const cause = error instanceof Stopped ? error.cause : error;
  if (nothingToReport || cause instanceof ForeignSession || !(error instanceof Stopped)) throw cause;
  // The server may be gone, the disk full, the judge at its wits' end: that is ours, and says so.
  const known = cause instanceof UsageError || cause instanceof InternalError ? cause : serverFailure(dialect, cause);
  return `${error.stage}: ${(known ?? new InternalError(cause instanceof Error ? cause.message : String(cause))).message}`;
}
