import { DatabaseError } from '../../core/index.ts';

/**
 * The work could not be finished, mostly because the server went away. `result` has what was found until then. It is no
 * result of the function, since a test that looks for findings alone would take it for a clean one.
 */
export class IncompleteError<Result> extends DatabaseError {
  readonly result: Result;

  constructor(why: string, result: Result) {
    super(why);
    this.result = result;
  }
}
