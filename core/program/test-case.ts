/**
 * A test case: one schema and, for each session, the transactions that it runs in order. A seed determines it to the
 * byte. Transaction ids are unique in the case and start at 1, and 0 is the initial state.
 */
import type { BeginMode, Protocol } from '../dialect/index.ts';
import type { Level } from '../level/index.ts';
import type { Schema, Statement } from '../sql/index.ts';

export interface TxnPlan {
  readonly id: number;
  /** The user's file's name for it. */
  readonly name?: string;
  readonly statements: readonly Statement[];
  readonly end: 'commit' | 'rollback';
  /** True: exactly one statement, sent without BEGIN. */
  readonly autocommit: boolean;
  /** Absent: a plain BEGIN. A DBMS without the form also uses a plain BEGIN. */
  readonly begin?: BeginMode;
  /**
   * The earlier transaction of the session that this one retries. It is sent if the server refused that one (a
   * deadlock, a serialization failure).
   */
  readonly retryOf?: number;
  /** The transaction's level if levels are mixed. Absent: the round's. */
  readonly level?: Level;
}

export interface SessionPlan {
  /** The target's endpoint that the session uses. Absent: endpoints are dealt in turn. */
  readonly endpoint?: number;
  /** How queries and writes are sent. Absent: as text. Other statements, and all on a DBMS without the form, are sent as text. */
  readonly send?: Protocol;
  readonly transactions: readonly TxnPlan[];
}

export interface TestCase {
  /** The printed seed that makes this case again. */
  readonly seed: string;
  readonly schema: Schema;
  readonly sessions: readonly SessionPlan[];
  /**
   * Session numbers. Each entry sends that session's next step (BEGIN, a statement, COMMIT or ROLLBACK). If the session
   * is blocked, the entry is skipped. Steps that the schedule leaves over run to the end, session by session. Absent:
   * every session runs at full speed (stress).
   */
  readonly schedule?: readonly number[];
  /** The authors' texts of the statements that have one (written.ts). */
  readonly written?: Readonly<Record<string, string>>;
  /** Some statement holds LAST_READ (bind-statement.ts), which a session binds before sending. */
  readonly binds?: true;
}
