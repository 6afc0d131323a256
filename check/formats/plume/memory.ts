/**
 * Estimates the memory of a check of plume text before any level: the program itself and the columns, from a sample of
 * the file.
 */
const PROGRAM = 80;
/**
 * Kind, key and value; then the parser's runs and the transactions' columns, per line as if all transactions were
 * short.
 */
const PER_OPERATION = 9;
const PER_TRANSACTION = 40;
const WIDE = 8;

/** Returns megabytes for a file of `size` bytes that begins with `sample`. */
export function plumeMegabytes(sample: Uint8Array, size: number): number {
  let lines = 0;
  let transactions = 0;
  let longest = 0;
  let digits = 0;
  let lastField = -1;
  let field = 0;
  for (const byte of sample) {
    if (byte === 10) {
      lines++;
      if (field !== lastField) transactions++;
      lastField = field;
      field = 0;
      digits = 0;
    } else if (byte >= 48 && byte <= 57) {
      field = (Math.imul(field, 10) + byte - 48) | 0;
      if (++digits > longest) longest = digits;
    } else if (byte === 44) {
      field = 0;
      digits = 0;
    }
  }
  if (lines === 0) return PROGRAM;
  const scale = Math.max(1, size / sample.length);
  const operations = lines * scale;
  return PROGRAM + (operations * (PER_OPERATION + (longest > 9 ? WIDE : 0)) + transactions * scale * PER_TRANSACTION) / 1e6;
}
