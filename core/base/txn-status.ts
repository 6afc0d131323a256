/** Whether a transaction committed, as a column holds it. */
export const TXN_STATUS = { unknown: 0, committed: 1, aborted: 2 } as const;
