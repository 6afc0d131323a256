/** Draws that are aimed at what transactions look at, and what could not be aimed at. */
import type { ResultRow, Value } from '../../../core/index.ts';

/**
 * Values and first rows of one program, each as it is. So the same draw fits templates that were changed, and a parameter that
 * these have in addition is drawn. `FilePrograms.aimed` makes the program.
 */
export interface AimedDraw {
  /** How its transactions meet: `two rows of members with the same organization_id`. */
  readonly way: string;
  /** From 0, among the aimed draws of these transactions: it makes the number of the program. */
  readonly place: number;
  /** A record for each session: the key of a parameter (value-keys.ts) -> its value. */
  readonly values: readonly Readonly<Record<string, Value>>[];
  /** Tables whose first rows are others than the file's, with all of their rows. */
  readonly rows?: Readonly<Record<string, readonly ResultRow[]>>;
}

export interface AimedPlan {
  readonly draws: readonly AimedDraw[];
  /** Ways to meet for which no rows or values were found and no rows could be made: nothing can be said of them. */
  readonly missing: readonly string[];
  /** Ways to meet that no application's rows allow, or that no statement asks for, each with the reason. */
  readonly without: readonly string[];
  /** Ways to meet that a bound left out. */
  readonly leftOut: number;
  /** Why no draw is aimed, half a sentence: nothing of one is of any concern to the other. */
  readonly apart?: string;
}
