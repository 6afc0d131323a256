/** Elements that no list shows: they were appended after all of the longest list of their key, in an order that nobody saw (check/lists). */

/** A statement of a transaction (its id), and the number of the write, if it is one. */
export interface ListStatement {
  readonly txn: number;
  readonly n: number;
  readonly seq: number;
}

export interface LateAppends {
  readonly row: string;
  /** Of the longest list; undefined: it is empty, or its last element is nobody's. */
  readonly last: ListStatement | undefined;
  readonly readers: readonly ListStatement[];
  /** In the order of each transaction's statements. */
  readonly appends: readonly ListStatement[];
}
