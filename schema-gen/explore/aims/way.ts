/** A way in which transactions that run together may meet. */

/** A parameter of a session; undefined: the session meets there whatever its parameters are. */
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
  /** All of these at once; none, and no range: they meet nowhere. */
  readonly meetings: readonly Meeting[];
  /** Beside these. */
  readonly range?: RangeMeeting;
}

export interface RangeMeeting {
  readonly asking: number;
  readonly writing: number;
  readonly table: string;
  readonly columns: readonly string[];
  /** Parameters that decide it, by session: those that are drawn, not what is computed of them. */
  readonly parts: readonly Part[];
  /** Only what is asked beside the ranges counts. */
  readonly besides?: true;
}
