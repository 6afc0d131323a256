/**
 * Elements that no list shows. They were appended after all of the longest list of their key, in an unknown order
 * (check/lists).
 */

/** A statement of a transaction (its id), with the number of the write if it is one. */
export interface ListStatement {
  readonly txn: number;
  readonly n: number;
  readonly seq: number;
}

export interface LateAppends {
  readonly row: string;
  /**
   * The last element of the longest list. It is undefined if the list is empty, or if no transaction appended that
   * element.
   */
  readonly last: ListStatement | undefined;
  readonly readers: readonly ListStatement[];
  /** The appends in the order of each transaction's statements. */
  readonly appends: readonly ListStatement[];
}
