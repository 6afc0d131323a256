/**
 * What is wrong in one statement, and what of it is carried over as something else, gathered while it is read: a definition of
 * ten columns tells of all of them at once.
 */
import { Refused } from './refuse.ts';

export class Faults {
  readonly refused: Refused[] = [];
  readonly approximated: { readonly what: string; readonly place: number | undefined }[] = [];

  /** What `read` gives; undefined where it is refused, which is kept, with this place where it has none. */
  collect<T>(read: () => T, place?: number): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      error.place ??= place;
      this.refused.push(error);
      return undefined;
    }
  }

  /** `place`: where in the statement's text, in bytes. */
  approximate(what: string | undefined, place?: number): void {
    if (what !== undefined) this.approximated.push({ what, place });
  }
}
