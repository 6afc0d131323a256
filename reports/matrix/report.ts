/**
 * What a matrix holds, ready to be written: for each canonical schedule and level what was observed, what the vendor
 * promises, and the transcript that shows it.
 */
import type { AnomalyClass, ErrorClass, Level, Note, PromiseVerdict, Shape, Shard, TxnOutcome } from '../../core/index.ts';
import type { MeasuredTarget } from '../measured-target.ts';

/** `absent`: nobody waited or failed, the values simply were right. */
export type Observed = 'occurs' | 'error' | 'blocking' | 'absent' | 'unknown';
export type Promised = 'must not occur' | 'documented' | 'silent';

export interface TranscriptLine {
  readonly session: number;
  readonly txn: number;
  readonly sql: string;
  /** `waits`: sent, and no reply before what follows; `replies`: to the statement that waited; `done`: both at once. */
  readonly state: 'done' | 'waits' | 'replies';
  /** Sessions that it waited for, where the server tells. */
  readonly waitsFor: readonly number[];
  /** Rows returned or affected, null where the server does not say. */
  readonly rows: number | null;
  readonly result: readonly (readonly (string | null)[])[] | null;
  readonly error: { readonly code: string; readonly class: ErrorClass; readonly message: string } | null;
  /** BEGIN only: the level in force, as the server named it inside the transaction. */
  readonly level: string | null;
  /** COMMIT was answered by a rollback. */
  readonly rolledBack: boolean;
}

export interface CellFinding {
  readonly class: AnomalyClass;
  readonly shapes: readonly Shape[];
  readonly explanation: string;
  /** One sentence an edge. */
  readonly edges: readonly string[];
  readonly verdict: PromiseVerdict;
}

export interface MatrixCell {
  readonly level: Level;
  readonly observed: Observed;
  /** The error, who waited, or why it is not known. */
  readonly why: string;
  /** The error code of `error`. */
  readonly code?: string;
  readonly promised: Promised;
  readonly says: string;
  readonly source: string;
  readonly date: string;
  /** Of the vendor's document that the promise is taken from (PromiseSource). */
  readonly version: string;
  readonly holds?: string;
  /** `open`: promised absent, and not known. */
  readonly verdict: 'agrees' | 'contradicts' | 'open';
  /** The phenomenon, as the checker found it. */
  readonly found: readonly CellFinding[];
  /** Whatever else it found. */
  readonly others: readonly CellFinding[];
  readonly outcomes: readonly { readonly txn: number; readonly session: number; readonly outcome: TxnOutcome }[];
  readonly transcript: readonly TranscriptLine[];
  /** Of a contradiction: did the same statements without instrumentation wait, fail and answer alike? */
  readonly bare?: 'alike' | 'different';
  /** Its server or a session of it was lost: a failure, whatever is promised. */
  readonly lost?: true;
  /** The matrix ended before it; `why` says how. */
  readonly notRun?: true;
}

export interface MatrixSchedule {
  readonly name: string;
  readonly variant: string;
  readonly title: string;
  readonly source: string;
  /** Tables and their rows, in words. */
  readonly start: readonly string[];
  /** In the order of the report's levels. */
  readonly cells: readonly MatrixCell[];
}

export interface MatrixPhenomenon {
  readonly phenomenon: string;
  readonly title: string;
  readonly schedules: readonly MatrixSchedule[];
}

export interface MatrixLevel {
  readonly level: Level;
  /** The server treats it as this level. */
  readonly aliasOf?: Level;
  /** As the server named it inside the transactions. */
  readonly inForce: readonly string[];
}

export interface MatrixReport extends MeasuredTarget {
  readonly levels: readonly MatrixLevel[];
  /** Of the schedules every so-many-th one. */
  readonly shard?: Shard;
  readonly phenomena: readonly MatrixPhenomenon[];
  /** What went wrong or was left out. */
  readonly notes: readonly Note[];
  /** Ended before every cell had been run. */
  readonly endedEarly?: string;
}
