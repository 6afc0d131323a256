/**
 * A test case: one schema and, per session, the transactions it runs in order. It is what a seed stands for; the same
 * seed gives the same bytes. Transaction ids are unique in the case and start at 1; 0 is the initial state.
 */
import type { BeginForm, SendForm } from './dialect.ts';
import type { Level } from './level.ts';
import type { Schema } from './schema.ts';
import type { Statement } from './statement.ts';

export interface TxnPlan {
  readonly id: number;
  /** What a user's file calls it. */
  readonly name?: string;
  readonly statements: readonly Statement[];
  readonly end: 'commit' | 'rollback';
  /** True: exactly one statement, sent without BEGIN. */
  readonly autocommit: boolean;
  /** Absent: plainly. A DBMS that has no such form begins plainly too. */
  readonly begin?: BeginForm;
  /** Another attempt at that transaction, one before it in its session: it is sent if the server refused that one (a deadlock, a serialization failure). */
  readonly retryOf?: number;
  /** Where levels are mixed: the one that it runs at; absent: that of the round. */
  readonly level?: Level;
}

export interface SessionPlan {
  /** Which of the target's endpoints it is on; absent: they are dealt in turn. */
  readonly endpoint?: number;
  /** Absent: as text. So goes what is no query and no write, and where the DBMS has no such way. */
  readonly send?: SendForm;
  readonly transactions: readonly TxnPlan[];
}

export interface TestCase {
  /** The printed seed that gives this case again. */
  readonly seed: string;
  readonly schema: Schema;
  readonly sessions: readonly SessionPlan[];
  /**
   * Session numbers; each entry sends that session's next step (BEGIN, a statement, COMMIT or ROLLBACK). A session that
   * is blocked when its turn comes is passed over; what the order leaves over is run to the end, session by session.
   * Absent: every session runs at full speed (stress).
   */
  readonly schedule?: readonly number[];
  /** Of statements that have an author, what he wrote (written.ts). */
  readonly written?: Readonly<Record<string, string>>;
  /** Statements hold LAST_READ (bind-statement.ts), which a session binds as it sends them. */
  readonly binds?: true;
}
