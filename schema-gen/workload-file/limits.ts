/** How large a workload file's transaction may become. */

/** Of one transaction: beyond that a @repeat is taken for a slip. */
export const MOST_STATEMENTS = 10_000;
