/** What a session is opened with: its server, level and plan, and how it sends. */
import type { Dialect, DialectLevel, ProbedTxn, SendForm } from '../../core/index.ts';
import type { Recorder } from './recorder.ts';
import type { RoundObjects } from './round-setup.ts';

export interface SessionSetup {
  readonly number: number;
  readonly endpoint: number;
  readonly url: string;
  readonly namespace: string;
  readonly dialect: Dialect;
  /** The session's own, and that of transactions that name none. */
  readonly level: DialectLevel;
  /** Where transactions name levels of their own. */
  readonly levelOf?: (txn: ProbedTxn) => DialectLevel;
  readonly statementTimeoutMs: number;
  /** A schedule must repeat: no race between its pace and the server's deadlock timer. */
  readonly eagerDeadlocks?: boolean;
  /** Reads wait for what was committed elsewhere before. */
  readonly synchronised?: boolean;
  readonly recorder: Recorder;
  readonly plan: readonly ProbedTxn[];
  /** How it sends the plan's queries and writes; absent: as text. */
  readonly send?: SendForm;
  /** The plan's statements hold LAST_READ. */
  readonly binds?: true;
  readonly objects?: RoundObjects;
  /** The closing read-back: its queries are recorded as `final`. */
  readonly final?: true;
}
