/** Reads a signed 64-bit decimal in bytes as two 32-bit halves. Any other text is refused. */

/** The number that the last readInt64 read, and the first byte after it. */
export interface Int64Halves {
  low: number;
  high: number;
  end: number;
}

/** Returns false if there are no digits at `at`, or if the number does not fit. */
export function readInt64(bytes: Uint8Array, at: number, to: number, out: Int64Halves): boolean {
  const negative = bytes[at] === 45;
  let i = negative ? at + 1 : at;
  const start = i;
  let low = 0;
  let approximate = 0;
  for (; i < to; i++) {
    const digit = bytes[i] - 48;
    if (digit >>> 0 > 9) break;
    low = (low * 10 + digit) | 0; // right modulo 2^32 however long the number is
    approximate = approximate * 10 + digit;
  }
  if (i === start || approximate > 9.3e18) return false;
  // The error of the sum of doubles is far below 2^31, so rounding gives the exact high half.
  const unsigned = low >>> 0;
  const high = Math.round((approximate - unsigned) / 4294967296);
  if (high > 2147483647 && !(negative && high === 2147483648 && unsigned === 0)) return false;
  out.low = negative ? -low | 0 : low;
  out.high = negative ? (unsigned === 0 ? -high | 0 : ~high) : high;
  out.end = i;
  return true;
}
