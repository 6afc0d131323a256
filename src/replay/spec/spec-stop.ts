/** A run of a .spec that cannot be judged ends with one of these: it carries what the cell then says. */
import { DatabaseError } from '../../../core/index.ts';
import type { Otherwise } from '../../reproduce/otherwise.ts';

export class SpecStop extends DatabaseError {
  readonly otherwise: Otherwise;

  constructor(otherwise: Otherwise, cause?: unknown) {
    super(otherwise.outcome, { cause });
    this.otherwise = otherwise;
  }
}
