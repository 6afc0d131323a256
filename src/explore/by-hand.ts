/** Describes an example so that a person can repeat it in their own clients. */

/** The namespace of the example's tables. */
export const BY_HAND = 'anomalist_by_hand';

/** Returns the statements that begin a transaction of the level (Connection.beginSql), with these words after BEGIN. */
export type BeginSql = (words?: string) => string;
