/** An example as a person repeats it, in clients of their own. */

/** The namespace of its tables. */
export const BY_HAND = 'anomalist_by_hand';

/** The statements that begin a transaction of the level (Connection.beginSql), with these words behind BEGIN. */
export type BeginSql = (words?: string) => string;
