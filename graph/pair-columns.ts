/** What a join over pairs of 64-bit numbers takes and gives, as columns: one entry for each probe and each build. */

export interface PairColumns {
  readonly count: number;
  /** Per entry: 0 = probe, 1 = build, 2 = probe for the pair's default only. */
  readonly role: Uint8Array;
  readonly firstLow: Int32Array;
  readonly firstHigh: Int32Array | undefined;
  readonly secondLow: Int32Array;
  readonly secondHigh: Int32Array | undefined;
}

export interface PairJoin {
  /** Per probe the build entry it matches; without one, the first default probe of the same pair; -1: none. Means nothing for build entries. */
  readonly match: Int32Array;
  /** Build entries whose pair another build entry had first, and that other entry. */
  readonly duplicates: readonly (readonly [entry: number, first: number])[];
}
