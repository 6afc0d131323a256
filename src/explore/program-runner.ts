/**
 * A program runner has a fixture, and a session for each transaction of the program. A server and the model of the tests both
 * implement this interface, and the engine knows nothing else of them.
 */
import { DatabaseError } from '../../core/base/index.ts';
import type { Stop } from '../../core/sql/index.ts';
import type { ErrorClass, ResultRow } from '../../core/dialect/index.ts';
import type { Program, FixtureState } from '../../core/program/index.ts';
import type { Replied as RepliedWith } from '../execute/index.ts';

export interface Reply {
  readonly rows: readonly ResultRow[];
  readonly affected: number;
  readonly error?: { readonly class: ErrorClass; readonly code: string; readonly message: string };
  /** The transaction ended, by its own end or by an error that rolled it back. */
  readonly ended?: 'committed' | 'aborted';
  /** Because of this reply the transaction sends only this end, and none of its remaining statements. */
  readonly stops?: Stop['end'];
  /** It says how the protocol's transaction status contradicts the reply. The transaction is over, with an unknown outcome. */
  readonly mismatch?: string;
}

export type Replied = RepliedWith<Reply>;

export interface Broken {
  /** The invariant has this name. */
  readonly name: string;
  /** It says why the server could not evaluate the invariant. */
  readonly failed?: string;
}

/** A constraint forbids this state of the tables. An oracle that combines states may produce one. */
export class ImpossibleState extends DatabaseError {}

export interface ProgramRunner {
  /** Chooses the program of the following steps. */
  load(program: Program): Promise<void>;
  /** Puts every table of the fixture into this state. Every session must be outside a transaction. Throws ImpossibleState. */
  reset(state: FixtureState): Promise<void>;
  /**
   * Sends the session's step. The first step opens the transaction. The step after the last statement is the transaction's
   * end. Resolves when each session has replied or waits for another one, with the replies in the order of their arrival.
   */
  step(session: number, step: number): Promise<readonly Replied[]>;
  /** Sends the session's step while others send theirs, and resolves with its reply. Absent: this runner cannot race. */
  race?(session: number, step: number): Promise<Reply>;
  /** Waits, when no session can step, for the next replies of the waiting sessions. */
  anyReply(): Promise<readonly Replied[]>;
  /** Rolls back every open transaction. */
  abandon(): Promise<void>;
  /** Returns the rows of the tables. */
  state(): Promise<FixtureState>;
  /** Returns the last `state` as it was read, before numbers of the server were hidden. Absent: nothing is ever hidden. */
  stored?(): FixtureState | undefined;
  /** Returns a line for each corruption of the tables' indexes. Absent: the runner has no indexes. */
  indexCorruption?(): Promise<readonly string[]>;
  /** Returns the fixture's invariants that this state breaks. Absent: the fixtures have no invariants. */
  broken?(state: FixtureState): Promise<readonly Broken[]>;
}
