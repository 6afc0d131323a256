/**
 * The formal verdict on one history, without regard to a vendor: each anomaly with the levels that it violates, and an
 * answer for each level. True: nothing forbidden happened, and the record shows all that this depends on. False:
 * something forbidden happened. 'unknown' has a reason. If reads or writes are not in the record, it also says for how
 * many transactions the level was shown.
 */
import type { AnomalyClass, Shape, AskedLevel, Level, RelName } from '../level/index.ts';
import type { UnobservedCounts, ReadPoint } from '../history/index.ts';
import type { ListRefutation } from './list-refutation.ts';

export type Answer = true | false | 'unknown';

export interface CycleStep {
  /** Transaction ids (not indices). */
  readonly from: number;
  readonly to: number;
  readonly rel: RelName;
  readonly row?: string;
  readonly table?: string;
  /** Statement indices of the history. Absent for so and rt. */
  readonly fromStatement?: number;
  readonly toStatement?: number;
  /**
   * The edge follows from other edges and reads. `readPoint` is then that of every read behind it, and absent if they
   * differ or are not known.
   */
  readonly inferred?: true;
  /**
   * `current`: a read of the newest committed row (writes, locking reads). `snapshot`: a read of the reader's snapshot.
   * Absent: not known.
   */
  readonly readPoint?: ReadPoint;
  /**
   * The reader is a SELECT in which some read takes a lock and another one takes none, or perhaps none. The value says
   * whether it is an autocommit statement.
   */
  readonly inner?: 'autocommit' | 'transaction';
  /**
   * The read belongs to a compare-and-set: a single-row UPDATE that replaced the value it had compared. Its WHERE is
   * decided on the row that it locks.
   */
  readonly compareAndSet?: true;
  /** The reader had written or locked rows before this read. Some vendors promise less for its later plain reads. */
  readonly afterWrite?: true;
  /** ON DELETE CASCADE removed the row, which no list shows: its last version and the write that removed it, as `<txn>.<seq>`. */
  readonly cascade?: { readonly last: string; readonly by: string };
  /** One sentence that names the row, the versions and the two statements. */
  readonly explanation: string;
}

export interface Anomaly {
  readonly class: AnomalyClass;
  readonly shapes: readonly Shape[];
  /** Every level that it violates, weakest first. */
  readonly levels: readonly Level[];
  /** The steps of the cycle, in order. Empty for anomalies that are no cycles. */
  readonly cycle: readonly CycleStep[];
  /** Transaction ids in order of the cycle, or the reader first. */
  readonly transactions: readonly number[];
  /** Indices of the statements that show it. */
  readonly statements: readonly number[];
  readonly explanation: string;
  /** The row of an anomaly that is no cycle. */
  readonly row?: { readonly table: string; readonly row: string };
  /**
   * The record shows the anomaly only by what is missing (a row that is gone, a write in no list). So there is nothing
   * to derive it from again.
   */
  readonly unseen?: true;
  /** A write met no row, although its transaction had read a state in which a row held the key. Only `explore` reports it. */
  readonly freedKey?: true;
  /** The fingerprint, which does not change if tables, rows, transactions and sessions are renamed. */
  readonly fingerprint: string;
  /** For an anomaly of a list history: the case distinction that `anomalist verify` derives again. Absent if it is too long. */
  readonly refutation?: ListRefutation;
}

/**
 * Why an answer is unknown. `nothing`: the history has nothing to judge, but another round may have. `unseen`: nothing
 * forbidden was found, but the record lacks reads or writes that the level depends on. `undecided`: the checker could
 * not decide.
 */
export type UnknownCode = 'nothing' | 'unseen' | 'undecided';

/** Each forbidden cycle, if there is one, contains a transaction outside of these. */
export interface Shown {
  readonly transactions: number;
  /** The committed transactions, and those that may have committed. */
  readonly of: number;
}

export interface LevelAnswer<L extends AskedLevel = Level> {
  readonly level: L;
  readonly answer: Answer;
  /** Present exactly when the answer is 'unknown'. */
  readonly reason?: string;
  /** Absent: `undecided`. */
  readonly code?: UnknownCode;
  /** Present if the history says which reads and writes of which transaction it lacks. */
  readonly shown?: Shown;
  /** With the code `unseen`: the number of transactions with each gap. */
  readonly gaps?: UnobservedCounts;
}

/** The answers of many rounds for one level, added up. Merged reports derive their answers from these sums. */
export interface AnswerSums<L extends AskedLevel = Level> {
  readonly level: L;
  /** Numbers of rounds. */
  readonly no: number;
  readonly yes: number;
  readonly unseen: number;
  /** Reason -> number of rounds. */
  readonly nothing: Readonly<Record<string, number>>;
  readonly undecided: Readonly<Record<string, number>>;
  readonly transactions: number;
  readonly of: number;
  /** Every round that could be judged has the numbers of transactions. */
  readonly counted: boolean;
  readonly gaps: UnobservedCounts;
}

export interface Verdict {
  readonly levels: readonly LevelAnswer[];
  readonly anomalies: readonly Anomaly[];
}
