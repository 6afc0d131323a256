/**
 * What a vendor's documents say of an anomaly at a level: the rows that turn a formal finding into `bug` (ruled out),
 * `documented` (allowed) or `undocumented` (silent).
 */
import type { AnomalyClass, Shape } from './anomaly.ts';
import type { Level } from './level.ts';

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
   * edge is of a compare-and-set; or (`explore` alone tells) an upsert put a row in whose key its snapshot had as taken.
   */
  readonly when?:
    | 'snapshot reads only'
    | 'a current read or write'
    | 'one plain SELECT'
    | 'locking reads only'
    | 'an autocommit locking SELECT with a subquery'
    | 'compare-and-sets only'
    | 'an upsert that found its key freed';
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
  readonly verdict: 'documented';
  /** In our words: what the document says. */
  readonly says: string;
}

export interface Judgement {
  readonly verdict: PromiseVerdict;
  /** The row that decided; absent where no row speaks of it. */
  readonly row?: PromiseRow;
}
