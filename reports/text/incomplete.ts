/** The last line of a report whose work did not come to its end: how far it came, and that all of the report is of that part. */
import { clip, oneLine } from './visible.ts';

/** A server may have much to say of its end. */
const MOST_WHY = 300;

/** `far`: what was done, `12 of 244 cells`. */
export function incompleteWords(far: string, why: string): string {
  return `INCOMPLETE: ended early after ${far}: ${clip(oneLine(why), MOST_WHY)}; what is said here is of that part alone`;
}
