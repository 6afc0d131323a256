/** A query on the rows that a round leaves, and the server's answer. */
import type { AnyLevelFeature } from '../../core/level/index.ts';
import type { ResultRow } from '../../core/dialect/index.ts';

export interface InvariantQuery {
  readonly name: string;
  /** The text names its tables with the round's namespace. */
  readonly sql: string;
  /** The reason why a correct server may break the invariant at any level. */
  readonly unjudged?: AnyLevelFeature;
}

export interface InvariantAnswer extends Pick<InvariantQuery, 'name' | 'unjudged'> {
  /** The server's error, if there is no answer; the invariant is then unknown. */
  readonly failed?: string;
  /** Number of rows returned. 0: the invariant holds, unless the query failed. */
  readonly count: number;
  readonly columns: readonly string[];
  /** The first rows of the answer. */
  readonly rows: readonly ResultRow[];
}
