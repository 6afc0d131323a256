/** A condition on what a round leaves, as the server is asked for it and as it answers. */
import type { ResultRow } from '../../core/index.ts';

export interface InvariantQuery {
  readonly name: string;
  /** Its tables named with the round's namespace. */
  readonly sql: string;
  /** Why a correct server may break it at any level. */
  readonly unjudged?: string;
}

export interface InvariantAnswer extends Pick<InvariantQuery, 'name' | 'unjudged'> {
  /** Why there is no answer, in the server's words; nothing is known of it then. */
  readonly failed?: string;
  /** Rows returned; 0: it holds, unless it failed. */
  readonly count: number;
  readonly columns: readonly string[];
  /** The first of them. */
  readonly rows: readonly ResultRow[];
}
