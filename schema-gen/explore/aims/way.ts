/** A way in which transactions that run together may meet. */

/** A parameter of a session. Undefined means that the session meets there whatever its parameters are. */
export interface Part {
  readonly session: number;
  readonly parameter: string | undefined;
}

export interface Meeting {
  /** A class or the id of a row set. */
  readonly at: string;
  readonly parts: readonly Part[];
  /** Its parameters are of one class and take different values of it. */
  readonly apart: boolean;
}

export interface Way {
  readonly words: string;
  /** The meetings hold at once. Without any, and without a range, the transactions meet nowhere. */
  readonly meetings: readonly Meeting[];
  /** A meeting in a range beside these. */
  readonly range?: RangeMeeting;
}

export interface RangeMeeting {
  readonly asking: number;
  readonly writing: number;
  readonly table: string;
  readonly columns: readonly string[];
  /** The parameters that decide it, by session: drawn ones, not values computed from them. */
  readonly parts: readonly Part[];
  /** Only the conditions beside the ranges count. */
  readonly besides?: true;
}
