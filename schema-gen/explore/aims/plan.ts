/**
 * The plan of aimed draws: draws that make transactions meet in the rows they read, and the ways to meet that no draw
 * reaches.
 */
import type { Value } from '../../../core/sql/index.ts';
import type { ResultRow } from '../../../core/dialect/index.ts';
import type { ApartCode, NotAimed } from '../../../core/verdict/index.ts';

/**
 * The values and first rows of one program. The same draw fits templates that were changed, whose additional parameters
 * are drawn. `FilePrograms.aimed` makes the program.
 */
export interface AimedDraw {
  /** A description of how its transactions meet: `two rows of members with the same organization_id`. */
  readonly way: string;
  /** The place from 0 among the aimed draws of these transactions. It determines the number of the program. */
  readonly place: number;
  /** A record for each session, which maps the key of a parameter (value-keys.ts) to its value. */
  readonly values: readonly Readonly<Record<string, Value>>[];
  /** Tables whose first rows differ from the file's, with all of their rows. */
  readonly rows?: Readonly<Record<string, readonly ResultRow[]>>;
}

export interface AimedPlan {
  readonly draws: readonly AimedDraw[];
  /** Ways to meet for which no rows or values were found and no rows could be made. They stay untested. */
  readonly missing: readonly string[];
  /** Ways to meet that no application's rows allow, or that no statement asks for, each with the reason. */
  readonly without: readonly NotAimed[];
  /** The number of ways to meet beyond the limit. */
  readonly leftOut: number;
  /** The reason why no draw is aimed: the transactions have no data in common. */
  readonly apart?: ApartCode;
}
