/** A run of a .spec that cannot be judged ends with this error, which carries the cell's text. */
import { DatabaseError } from '../../../core/index.ts';
import type { Otherwise } from '../../reproduce/otherwise.ts';

export class SpecStop extends DatabaseError {
  readonly otherwise: Otherwise;

  constructor(otherwise: Otherwise, cause?: unknown) {
    super(otherwise.outcome, { cause });
    this.otherwise = otherwise;
  }
}
