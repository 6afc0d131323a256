/**
 * The three ways in which the tool itself can fail. A message says what happened, where, what the tool got, what it
 * expected and what to do. Anomalies are data and never exceptions.
 */

/** Process exit codes. Scripts depend on them (docs/PIPELINE.md). */
export const EXIT = { clean: 0, anomaly: 1, failure: 2, inconclusive: 3, interrupted: 130 } as const;

/** A wrong flag, value, file or configuration, which the user can correct. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A transaction ran in another session of the server than the one we opened. None of its results can be trusted. */
export class ForeignSession extends UsageError {}

/** The server or the connection to it failed. `message` never holds a credential, and `cause` keeps the driver's error. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly sql: string | undefined;
  readonly session: number | undefined;

  constructor(message: string, details: { cause?: unknown; sql?: string; session?: number } = {}) {
    super(message, { cause: details.cause });
    this.sql = details.sql;
    this.session = details.session;
  }
}

/** The server runs a transaction at another level than was asked for: nothing can be judged by the level that was asked for. */
export class LevelNotInForce extends DatabaseError {}

/** A defect of ours: the message says so and asks for a report. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
  /** Without the request for a report. */
  readonly what: string;

  constructor(what: string) {
    super(`${what} (this is a defect of anomalist: please report it with the command you ran)`);
    this.what = what;
  }
}

/** Ends an exhaustive match over a union. It is reached only if a case is missing. */
export function unreachable(value: never): never {
  throw new InternalError(`unexpected value ${JSON.stringify(value)}`);
}
