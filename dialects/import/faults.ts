/**
 * The errors and approximations of one statement, collected while it is read. A definition of ten columns reports all
 * of its errors at once.
 */
import { Refused } from './refuse.ts';

export class Faults {
  readonly refused: Refused[] = [];
  readonly approximated: { readonly what: string; readonly place: number | undefined }[] = [];

  /** The position of the part that is being read. */
  #place: number | undefined;

  /**
   * Returns the result of `read`. If it is refused, keeps the refusal and returns undefined. Messages without a
   * position of their own get this one.
   */
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

  /** `place`: the position in the statement's text, in bytes. */
  approximate(what: string | undefined, place: number | undefined = this.#place): void {
    if (what !== undefined) this.approximated.push({ what, place });
  }
}
