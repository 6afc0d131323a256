/** The limits on the size of a workload file's transaction. */

/** The most statements of one transaction. Beyond that a @repeat is taken for a mistake. */
export const MOST_STATEMENTS = 10_000;
