/**
 * What a vendor's documents say of an anomaly at a level: the rows that turn a formal finding into `bug` (ruled out),
 * `documented` (allowed) or `undocumented` (silent).
 */
import type { AnomalyClass, Shape } from './anomaly.ts';
import type { Level } from './level.ts';
import type { TableChangeKind } from './statement.ts';

export type PromiseVerdict = 'bug' | 'documented' | 'undocumented';

/** A document that was read. */
export interface PromiseSource {
  /** Its address. */
  readonly source: string;
  /** When it was read, or its version's date. */
  readonly date: string;
  /** Of the DBMS: the version that the text is about; `every`: the vendor keeps one text for all versions. */
  readonly version: string;
  /** Where that is not the version under test, or not all could be read: why it holds, or what was done instead of reading. */
  readonly holds?: string;
}

export interface PromiseRow extends PromiseSource {
  readonly level: Level;
  /** Classes it speaks of; a shape narrows it. */
  readonly classes: readonly AnomalyClass[];
  readonly shapes?: readonly Shape[];
  /**
   * Applies only to cycles with this property: every read edge is a plain snapshot read, or some edge is a current one;
   * or each reader that the cycle passes through saw both sides in one plain SELECT; or every read edge is of a statement
   * that locks whatever it reads; or some read edge is of an autocommit SELECT ... FOR with a query in it; or every read
   * edge is of a compare-and-set; or (`explore` alone tells) a write met no row where its snapshot had the key as taken.
   */
  readonly when?:
    | 'snapshot reads only'
    | 'a current read or write'
    | 'one plain SELECT'
    | 'locking reads only'
    | 'an autocommit locking SELECT with a subquery'
    | 'compare-and-sets only'
    | 'a write that found its key freed';
  /** Applies only where these settings have these values. */
  readonly configuration?: Readonly<Record<string, string>>;
  readonly verdict: PromiseVerdict;
  /** In our words: what the document says. */
  readonly says: string;
}

/** What `explore` sees of a run itself, whatever order of its transactions explains it. */
export type BreachKind = 'transaction state' | 'damaged tables' | 'part of a transaction';

/** What a document says of it. The first row that applies decides. */
export interface BreachRow extends PromiseSource {
  readonly kind: BreachKind;
  /** Absent: every level. */
  readonly levels?: readonly Level[];
  /** Of a statement that sees a part: it asks for no lock and writes nothing, or it does. Absent: either. */
  readonly reading?: 'plain' | 'locking';
  readonly verdict: PromiseVerdict;
  /** In our words: what the document says. */
  readonly says: string;
}

export interface BreachJudgement {
  readonly verdict: PromiseVerdict;
  readonly row?: BreachRow;
}

/** Errors of constraints that the documents allow though no serial order raises them. */
export interface ErrorRow extends PromiseSource {
  /** The server's own. */
  readonly codes: readonly string[];
  readonly levels: readonly Level[];
  /** Absent: whatever row was met. */
  readonly when?: 'the row came from an overlapping transaction';
  readonly verdict: 'documented';
  /** In our words: what the document says. */
  readonly says: string;
}

/** What a document says of a transaction that committed beside a statement that changes a table itself, and was committed too. */
export interface ChangeRow extends PromiseSource {
  readonly changes: readonly TableChangeKind[];
  /** `behind it`: the transaction had begun before and came to the table after it. `beside it`: both were open at the same time, and the transaction came to the table. `beside its check`: so it was, and the change is one that the rows must allow. */
  readonly when: 'behind it' | 'beside it' | 'beside its check';
  readonly levels: readonly Level[];
  /** Only if every error that a committed transaction was told of is one of these, and there is one. Absent: only if there is none. */
  readonly codes?: readonly string[];
  /** Never a bug: that the level says. */
  readonly verdict: 'documented' | 'undocumented';
  /** In our words: what the document says. */
  readonly says: string;
}

export interface Judgement {
  readonly verdict: PromiseVerdict;
  /** The row that decided; absent where no row speaks of it. */
  readonly row?: PromiseRow;
}
