/**
 * What is wrong in one statement, and what of it is carried over as something else, gathered while it is read: a definition of
 * ten columns tells of all of them at once.
 */
import { Refused } from './refuse.ts';

export class Faults {
  readonly refused: Refused[] = [];
  readonly approximated: { readonly what: string; readonly place: number | undefined }[] = [];

  /** Of what is read now. */
  #place: number | undefined;

  /** What `read` gives; undefined where it is refused, which is kept. What it says without a place of its own has this one. */
  collect<T>(read: () => T, place: number | undefined = this.#place): T | undefined {
    const around = this.#place;
    this.#place = place;
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      error.place ??= place;
      this.refused.push(error);
      return undefined;
    } finally {
      this.#place = around;
    }
  }

  /** `place`: where in the statement's text, in bytes. */
  approximate(what: string | undefined, place: number | undefined = this.#place): void {
    if (what !== undefined) this.approximated.push({ what, place });
  }
}
