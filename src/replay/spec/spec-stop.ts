/** A run of a .spec that cannot be judged ends with this error, which carries the cell's text. */
import { DatabaseError } from '../../../core/base/index.ts';
import type { NotCompared } from '../../../core/verdict/index.ts';
import { notComparedWords } from '../../../reports/index.ts';
import { notJudged } from '../../reproduce/otherwise.ts';
import type { Otherwise } from '../../reproduce/otherwise.ts';

export class SpecStop extends DatabaseError {
  readonly otherwise: Otherwise;
  /** Why this one run is not compared. Absent: the file cannot be used, or the server failed. */
  readonly reason: NotCompared | undefined;

  constructor(otherwise: Otherwise, cause?: unknown, reason?: NotCompared) {
    super(otherwise.outcome, { cause });
    this.otherwise = otherwise;
    this.reason = reason;
  }
}

export function notComparable(reason: NotCompared): SpecStop {
  return new SpecStop(notJudged(notComparedWords(reason)), undefined, reason);
}
