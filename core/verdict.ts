/**
 * What check/ says of one history, formal and about no vendor: each anomaly with the levels it violates, and per level
 * true (nothing forbidden happened, and all that this rests on was seen), false, or 'unknown' with a reason. Unknown
 * because of what was not seen still says of how many transactions it was shown.
 */
import type { AnomalyClass, Shape } from './anomaly.ts';
import type { GapCounts } from './gap.ts';
import type { AskedLevel, Level } from './level.ts';
import type { ListRefutation } from './list-refutation.ts';
import type { ReadPoint } from './read-point.ts';
import type { RelName } from './relation.ts';

export type Answer = true | false | 'unknown';

export interface CycleStep {
  /** Transaction ids (not indices). */
  readonly from: number;
  readonly to: number;
  readonly rel: RelName;
  readonly row?: string;
  readonly table?: string;
  /** Statement indices of the history; absent for so and rt. */
  readonly fromStatement?: number;
  readonly toStatement?: number;
  /** The edge is what other edges and reads leave; `readPoint` is then that of every read it rests on, absent where that is not known. */
  readonly inferred?: true;
  /** `current` reads see the newest committed row (writes, locking reads), `snapshot` reads the reader's snapshot; absent where that is not known. */
  readonly readPoint?: ReadPoint;
  /** The reader is a SELECT of which some read takes a lock and another takes that of a plain SELECT, or may: of an autocommit statement, or within a transaction. */
  readonly inner?: 'autocommit' | 'transaction';
  /** The read is that of a single-row UPDATE that replaced what it had compared: a compare-and-set, whose WHERE is decided on the row that it locks. */
  readonly compareAndSet?: true;
  /** The reader had written or locked rows before this read: some vendors promise less of its later plain reads. */
  readonly afterWrite?: true;
  /** The row died by ON DELETE CASCADE, which no list shows: the last version it had, and the write that removed it, as `<txn>.<seq>`. */
  readonly cascade?: { readonly last: string; readonly by: string };
  /** One sentence that names the row, the versions and the two statements. */
  readonly explanation: string;
}

export interface Anomaly {
  readonly class: AnomalyClass;
  readonly shapes: readonly Shape[];
  /** Every level this rules out, weakest first. */
  readonly levels: readonly Level[];
  /** The steps of the cycle, in order; empty for anomalies that are not cycles. */
  readonly cycle: readonly CycleStep[];
  /** Transaction ids, in order of the cycle, or reader first. */
  readonly transactions: readonly number[];
  /** Statement indices it rests on. */
  readonly statements: readonly number[];
  readonly explanation: string;
  /** The row that an anomaly without a cycle is about. */
  readonly row?: { readonly table: string; readonly row: string };
  /** It rests on what nobody saw (a row that is gone, a write in no list), so there is nothing to derive it from again. */
  readonly unseen?: true;
  /** A write met no row whose key was taken in the state that its transaction had read before; `explore` alone tells it. */
  readonly freedKey?: true;
  /** Canonical under renaming of tables, rows, transactions and sessions. */
  readonly fingerprint: string;
  /** An anomaly of a list history has the cases that `anomalist verify` derives again, unless these are too long to be told. */
  readonly refutation?: ListRefutation;
}

/**
 * Why an answer is unknown: `nothing` to judge in this history, which another round can make good; something was `unseen`
 * that the level rests on, and nothing forbidden was found; else the checker could not decide.
 */
export type UnknownCode = 'nothing' | 'unseen' | 'undecided';

/** Every forbidden cycle, if there is one, goes through one of the other transactions. */
export interface Shown {
  readonly transactions: number;
  /** Committed ones, and those that may have. */
  readonly of: number;
}

export interface LevelAnswer<L extends AskedLevel = Level> {
  readonly level: L;
  readonly answer: Answer;
  /** Present exactly when the answer is 'unknown'. */
  readonly reason?: string;
  /** Absent: `undecided`. */
  readonly code?: UnknownCode;
  /** Where the history tells what was not seen of which transaction. */
  readonly shown?: Shown;
  /** With code `unseen`: of how many transactions what was not seen. */
  readonly gaps?: GapCounts;
}

/** The answers of many rounds for one level, added up: what several runs say together is told from these. */
export interface AnswerSums<L extends AskedLevel = Level> {
  readonly level: L;
  /** Rounds. */
  readonly no: number;
  readonly yes: number;
  readonly unseen: number;
  /** Reason -> rounds. */
  readonly nothing: Readonly<Record<string, number>>;
  readonly undecided: Readonly<Record<string, number>>;
  readonly transactions: number;
  readonly of: number;
  /** Every round that could be judged says of how many transactions. */
  readonly counted: boolean;
  readonly gaps: GapCounts;
}

export interface Verdict {
  readonly levels: readonly LevelAnswer[];
  readonly anomalies: readonly Anomaly[];
}
