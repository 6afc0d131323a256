import { DatabaseError } from '../../core/base/index.ts';

/**
 * The work could not be finished, mostly because the server went away. `result` holds the findings so far. The function
 * rejects instead of returning it, because a test that only looks for findings would take it for a clean result.
 */
export class IncompleteError<Result> extends DatabaseError {
  readonly result: Result;

  constructor(why: string, result: Result) {
    super(why);
    this.result = result;
  }
}
