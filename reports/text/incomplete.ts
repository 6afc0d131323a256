/** The last line of an unfinished report: how far the work came, and that the whole report is about that part. */
import { clip, oneLine } from './visible.ts';

/** Most characters of the reason, because a server's error may be long. */
const MOST_WHY = 300;

/** `far`: the finished part, such as `12 of 244 cells`. */
export function incompleteWords(far: string, why: string): string {
  return `INCOMPLETE: ended early after ${far}: ${clip(oneLine(why), MOST_WHY)}; this report covers only that part`;
}
