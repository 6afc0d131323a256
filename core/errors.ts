/**
 * The three ways in which the tool itself can fail. A message says what, where, what it got, what it expected and
 * what to do. Anomalies are data and never travel as exceptions.
 */

/** Process exit codes; scripts depend on them (docs/PIPELINE.md). */
export const EXIT = { clean: 0, anomaly: 1, failure: 2, inconclusive: 3, interrupted: 130 } as const;

/** A wrong flag, value, file or configuration: the user can mend it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A transaction ran in a session of the server that is not the one we opened: nothing that it showed can be relied on. */
export class ForeignSession extends UsageError {}

/** The server or the connection to it failed. `message` never holds a credential; `cause` keeps the driver's error. */
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

/** For exhaustive matches over a union: unreachable unless a row is missing. */
export function unreachable(value: never): never {
  throw new InternalError(`unexpected value ${JSON.stringify(value)}`);
}
