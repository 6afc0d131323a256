/** The kinds of dependency between transactions, one bit each, so that a set of them is a mask (Adya 1999, 2.4). */
export const REL = {
  /** Ti's version is followed directly by Tj's. */
  ww: 1,
  /** Tj read the version that Ti installed. */
  wr: 2,
  /** Ti read a version whose direct successor Tj installed. */
  rw: 4,
  /**
   * Predicate dependencies. wrp: Ti's version was the last to change what Tj's predicate matched. rwp: Tj's version
   * changed what Ti's predicate matched.
   */
  wrp: 8,
  rwp: 16,
  /** Both ran in one session, Ti before Tj. */
  so: 32,
  /** Ti's commit was acknowledged before Tj began. */
  rt: 64,
} as const;

export type RelName = keyof typeof REL;
export type RelBit = (typeof REL)[RelName];

const REL_NAMES: readonly RelName[] = ['ww', 'wr', 'rw', 'wrp', 'rwp', 'so', 'rt'];

/** The name of a single bit. Throws RangeError for any other number. */
export function relName(bit: number): RelName {
  const name = REL_NAMES[31 - Math.clz32(bit)];
  if (name === undefined || REL[name] !== bit) throw new RangeError(`not one relation bit: ${bit}`);
  return name;
}
