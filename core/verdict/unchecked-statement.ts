/**
 * Lists the reasons why a statement of an outcome was not checked against the states that it may have read. The search
 * records the code. Only reports/notes/unjudged.ts puts it into words.
 */
export type UncheckedStatement =
  /** The statement has NOWAIT or SKIP LOCKED. */
  | 'asks-not-to-wait'
  /** Triggers or functions read or write too. */
  | 'routines-act'
  /** The transaction, or one that overlaps it, was tried again. */
  | 'tried-again'
  /** Without the statement, other transactions get other replies. */
  | 'others-depend'
  /** Run alone, the statement meets a deadlock, a timeout, or the like. */
  | 'lock-error'
  /** The program has spent its share of runs. */
  | 'enough-runs';
