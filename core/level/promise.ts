/**
 * The vendor's promises: how the documents treat an anomaly at a level. These rows turn a formal finding into `bug` (ruled out),
 * `documented` (allowed) or `undocumented` (the documents are silent).
 */
import type { AnomalyClass, Shape } from './anomaly.ts';
import type { Level } from './level.ts';
import type { TableChangeKind } from '../sql/index.ts';

export type PromiseVerdict = 'bug' | 'documented' | 'undocumented';

/** A document that we read. */
export interface PromiseSource {
  /** Its address. */
  readonly source: string;
  /** The date on which we read it, or the date of its version. */
  readonly date: string;
  /** The DBMS version of the document. `every`: the vendor keeps one text for all versions. */
  readonly version: string;
  /** If that is not the version under test, or not all of it could be read: why the row holds, or what replaced reading. */
  readonly holds?: string;
}

export interface PromiseRow extends PromiseSource {
  readonly level: Level;
  /** The classes that the document covers. A shape narrows them. */
  readonly classes: readonly AnomalyClass[];
  readonly shapes?: readonly Shape[];
  /**
   * Restricts the row to cycles with this property:
   * - `snapshot reads only`: every read edge is a plain snapshot read.
   * - `a current read or write`: some edge is a current read or a write.
   * - `one plain SELECT`: each reader on the cycle saw both sides in one plain SELECT.
   * - `locking reads only`: every read edge belongs to a statement that locks whatever it reads.
   * - `an autocommit locking SELECT with a subquery`: some read edge belongs to such a statement.
   * - `compare-and-sets only`: every read edge belongs to a compare-and-set.
   * - `a write that found its key freed`: a write met no row although its snapshot had the key as taken. Only `explore` tells.
   */
  readonly when?:
    | 'snapshot reads only'
    | 'a current read or write'
    | 'one plain SELECT'
    | 'locking reads only'
    | 'an autocommit locking SELECT with a subquery'
    | 'compare-and-sets only'
    | 'a write that found its key freed';
  /** Restricts the row to servers whose settings have these values. */
  readonly configuration?: Readonly<Record<string, string>>;
  readonly verdict: PromiseVerdict;
  /** The document's statement, in our words. */
  readonly says: string;
}

/** Violations that `explore` sees in a single run, whatever serial order explains its transactions. */
export type SingleRunViolationKind = 'transaction state' | 'damaged tables' | 'part of a transaction';

/** A document's statement about such a violation. The first row that applies decides. */
export interface SingleRunViolationRow extends PromiseSource {
  readonly kind: SingleRunViolationKind;
  /** Absent: every level. */
  readonly levels?: readonly Level[];
  /**
   * For a statement that sees a part of a transaction. `plain`: it takes no lock and writes nothing. `locking`: it
   * does. Absent: either.
   */
  readonly reading?: 'plain' | 'locking';
  readonly verdict: PromiseVerdict;
  /** The document's statement, in our words. */
  readonly says: string;
}

export interface SingleRunJudgement {
  readonly verdict: PromiseVerdict;
  readonly row?: SingleRunViolationRow;
}

/** Constraint errors that the documents allow although no serial order raises them. */
export interface ErrorRow extends PromiseSource {
  /** The server's error codes. */
  readonly codes: readonly string[];
  readonly levels: readonly Level[];
  /** Absent: whatever row the statement met. */
  readonly when?: 'the row came from an overlapping transaction';
  readonly verdict: 'documented';
  /** The document's statement, in our words. */
  readonly says: string;
}

/** A document's statement about a transaction that committed beside a committed statement that changes a table (DDL). */
export interface ChangeRow extends PromiseSource {
  readonly changes: readonly TableChangeKind[];
  /**
   * `behind it`: the transaction began before the change and came to the table after it. `beside it`: both were open at
   * the same time, and the transaction came to the table. `beside its check`: the same, and the change is one that the
   * rows must satisfy.
   */
  readonly when: 'behind it' | 'beside it' | 'beside its check';
  readonly levels: readonly Level[];
  /**
   * Applies only if the committed transaction got errors and all of them are among these. Absent: applies only if it
   * got none.
   */
  readonly codes?: readonly string[];
  /** Never a bug: the level's own row says that. */
  readonly verdict: 'documented' | 'undocumented';
  /** The document's statement, in our words. */
  readonly says: string;
}

export interface Judgement {
  readonly verdict: PromiseVerdict;
  /** The row that decided. Absent: no row covers the anomaly. */
  readonly row?: PromiseRow;
}
