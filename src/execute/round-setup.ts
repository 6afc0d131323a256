/** The input of a round: its case, where and how it runs, and what is asked of it. */
import type { Dialect, DialectLevel, ObjectContents, ObjectOperation, ProbedCase, Statement } from '../../core/index.ts';
import type { InvariantQuery } from './invariant-query.ts';
import type { Recorder } from './recorder.ts';

/** Input of a key-value round: the contents of its objects, and which operation a sent statement does on which object. */
export interface RoundObjects {
  readonly contents: ObjectContents;
  readonly operationOf: (statement: Statement) => ObjectOperation | undefined;
}

export interface RoundSetup {
  /** Number of the round, for the record. */
  readonly round: number;
  readonly probedCase: ProbedCase;
  readonly dialect: Dialect;
  readonly level: DialectLevel;
  /**
   * Endpoints with credentials. Sessions are spread over them in turn, unless their plans name one. Writers go only to
   * endpoints that take writes.
   */
  readonly urls: readonly string[];
  readonly mode: 'stress' | 'schedule';
  readonly namespace: string;
  readonly recorder: Recorder;
  readonly objects?: RoundObjects;
  /** Keeps the namespace after the round. */
  readonly keep?: boolean;
  /** The server's limit for a statement, 10 s by default. A session that is silent for as long again (at least 3 s) is dropped. */
  readonly statementTimeoutMs?: number;
  /** Limit for an endpoint to show the schema, and before the final read the commits of other endpoints. Default 30 s. */
  readonly catchUpMs?: number;
  /** Ends the round early, as interrupted. Nothing new is sent, and running statements have a second to end. */
  readonly signal?: AbortSignal;
  /** Largest percentage of a stress round's sessions that may be inside a transaction at once, at least one session. Default: all. */
  readonly concurrency?: number;
  /** Asked before each transaction of a stress round; the session waits for the answer. True ends the round in order. */
  readonly enough?: () => boolean | Promise<boolean>;
  /** Queries that return no row while they hold. They are asked of the initial rows and of the rows that a complete round leaves. */
  readonly invariants?: readonly InvariantQuery[];
}
