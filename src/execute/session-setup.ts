/** The input of a session: its server, level and plan, and how it sends. */
import type { Dialect, DialectLevel, ProbedTxn, SendForm } from '../../core/index.ts';
import type { Recorder } from './recorder.ts';
import type { RoundObjects } from './round-setup.ts';

export interface SessionSetup {
  readonly number: number;
  readonly endpoint: number;
  readonly url: string;
  readonly namespace: string;
  readonly dialect: Dialect;
  /** Level of the session, and of transactions that name none. */
  readonly level: DialectLevel;
  /** Level of a transaction, if transactions name levels of their own. */
  readonly levelOf?: (txn: ProbedTxn) => DialectLevel;
  readonly statementTimeoutMs: number;
  /** The server looks for deadlocks at once. A schedule must repeat, without a race between its pace and the server's deadlock timer. */
  readonly eagerDeadlocks?: boolean;
  /** Reads wait until they can see what was committed on other endpoints before. */
  readonly synchronised?: boolean;
  readonly recorder: Recorder;
  readonly plan: readonly ProbedTxn[];
  /** The protocol for the plan's queries and writes; absent: as text. */
  readonly send?: SendForm;
  /** The plan's statements hold LAST_READ. */
  readonly binds?: true;
  readonly objects?: RoundObjects;
  /** The session is the final read, whose queries are recorded as `final`. */
  readonly final?: true;
}
