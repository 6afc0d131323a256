/**
 * Input and output of a join over pairs of 64-bit numbers, as columns. There is one entry for each probe and each
 * build.
 */

export interface PairColumns {
  readonly count: number;
  /** The role of each entry: 0 = probe, 1 = build, 2 = probe for the pair's default only. */
  readonly role: Uint8Array;
  readonly firstLow: Int32Array;
  readonly firstHigh: Int32Array | undefined;
  readonly secondLow: Int32Array;
  readonly secondHigh: Int32Array | undefined;
}

export interface PairJoin {
  /**
   * The build entry that each probe matches. Without one it is the first default probe of the same pair, or -1. It has
   * no meaning for build entries.
   */
  readonly match: Int32Array;
  /** Build entries whose pair an earlier build entry has, each with that entry. */
  readonly duplicates: readonly (readonly [entry: number, first: number])[];
}
