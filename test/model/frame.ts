/** What an expression is evaluated on, and the closure that does it. */
import type { SqlValue } from './values.ts';

/** One row per alias; null stands for the row that an outer join made up. */
export interface Frame extends ReadonlyArray<readonly SqlValue[] | null> {
  /** The rows of a group; the frame itself is one of them, or all nulls if there is none. */
  readonly group?: readonly Frame[];
  /** ROLLUP: how many of the keys still count. */
  readonly keyed?: number;
  /** All result rows before DISTINCT, ORDER BY and LIMIT, of which this is the one at `place`: what window functions see. */
  readonly beside?: readonly Frame[];
  readonly place?: number;
}
export type Evaluator = (frame: Frame) => SqlValue;
