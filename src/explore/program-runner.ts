/**
 * Where programs run: a fixture with a session for each transaction of the program. What a server and the model of the
 * tests have in common; the engine knows nothing else of them.
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
  /** The transaction is over: by its end, or by an error after which it was rolled back. */
  readonly ended?: 'committed' | 'aborted';
  /** By what it was told the transaction sends nothing more but this end. */
  readonly stops?: Stop['end'];
  /** In words: the protocol's transaction status contradicts the reply. Whatever its transaction came to, it is over. */
  readonly mismatch?: string;
}

export type Replied = RepliedWith<Reply>;

export interface Broken {
  /** Of the invariant. */
  readonly name: string;
  /** Why the server could not say whether it holds. */
  readonly failed?: string;
}

/** Its tables cannot be in this state: a constraint of theirs forbids it. An oracle that puts states together may meet one. */
export class ImpossibleState extends DatabaseError {}

export interface ProgramRunner {
  /** The program whose steps are meant from here on. */
  load(program: Program): Promise<void>;
  /** Every table of the fixture in this state, every session outside a transaction. Throws ImpossibleState. */
  reset(state: FixtureState): Promise<void>;
  /**
   * Sends the session's step, its transaction's end being the one after its last statement; the first one opens the
   * transaction. Resolves when each session has replied or waits for another one: the replies, as they came.
   */
  step(session: number, step: number): Promise<readonly Replied[]>;
  /** Sends the session's step beside those of others, each in its own time: its reply. Absent: nobody can. */
  race?(session: number, step: number): Promise<Reply>;
  /** Nobody can step: the next replies of those that wait. */
  anyReply(): Promise<readonly Replied[]>;
  /** Rolls every open transaction back. */
  abandon(): Promise<void>;
  /** What the tables hold. */
  state(): Promise<FixtureState>;
  /** What the last `state` read before anything in it was hidden, such as numbers of the server. Absent: nothing ever is. */
  stored?(): FixtureState | undefined;
  /** What is wrong with the tables' indexes as they are, a line each. Absent: there are none. */
  indexCorruption?(): Promise<readonly string[]>;
  /** The fixture's invariants that do not hold of this state. Absent: its fixtures have none. */
  broken?(state: FixtureState): Promise<readonly Broken[]>;
}
