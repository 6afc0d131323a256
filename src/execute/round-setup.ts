/** What a round is made of: its case, where and how it runs, and what is asked of it. */
import type { Dialect, DialectLevel, ObjectContents, ObjectOperation, ProbedCase, Statement } from '../../core/index.ts';
import type { InvariantQuery } from './invariant-query.ts';
import type { Recorder } from './recorder.ts';

/** Of a key-value round: what its objects hold, and what a statement, as it is sent, does to which of them. */
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
  /** Endpoints, with credentials: sessions are dealt to them in turn where their plans do not say, writers only to those that take writes. */
  readonly urls: readonly string[];
  readonly mode: 'stress' | 'schedule';
  readonly namespace: string;
  readonly recorder: Recorder;
  readonly objects?: RoundObjects;
  /** Leave the namespace there. */
  readonly keep?: boolean;
  /** The server's limit for a statement. A session that is silent for as long again, at least 3 s, is dropped. Default 10 s. */
  readonly statementTimeoutMs?: number;
  /** How long an endpoint may take to show the schema, and before the final read what was committed elsewhere. Default 30 s. */
  readonly catchUpMs?: number;
  /** Ends the round early, as interrupted: nothing new is sent, what runs has a second to end. */
  readonly signal?: AbortSignal;
  /** Percent of the sessions of a stress round that may be inside a transaction at once, at least one of them. Default all. */
  readonly concurrency?: number;
  /** Asked before each transaction of a stress round: true ends the round in order. The session waits for the answer. */
  readonly enough?: () => boolean | Promise<boolean>;
  /** Queries that return no row while all is well: asked of the initial rows, and of those that a complete round leaves. */
  readonly invariants?: readonly InvariantQuery[];
}
