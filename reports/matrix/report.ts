/** The data of a matrix: for each canonical schedule and level the observation, the vendor's promise, and the transcript. */
import type { AnomalyClass, ErrorClass, Level, Note, PromiseVerdict, Shape, Shard, TxnOutcome } from '../../core/index.ts';
import type { MeasuredTarget } from '../measured-target.ts';

/** `absent`: no session waited or failed, and the values were right. */
export type Observed = 'occurs' | 'error' | 'blocking' | 'absent' | 'unknown';
export type Promised = 'must not occur' | 'documented' | 'silent';

export interface TranscriptLine {
  readonly session: number;
  readonly txn: number;
  readonly sql: string;
  /** `waits`: sent, with no reply before the next line. `replies`: the reply to the statement that waited. `done`: both at once. */
  readonly state: 'done' | 'waits' | 'replies';
  /** Sessions that it waited for, if the server tells. */
  readonly waitsFor: readonly number[];
  /** Rows returned or affected; null if the server does not say. */
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
  /** One sentence for each edge. */
  readonly edges: readonly string[];
  readonly verdict: PromiseVerdict;
}

export interface MatrixCell {
  readonly level: Level;
  readonly observed: Observed;
  /** The error, the session that waited, or the reason why it is not known. */
  readonly why: string;
  /** The error code of `error`. */
  readonly code?: string;
  readonly promised: Promised;
  readonly says: string;
  readonly source: string;
  readonly date: string;
  /** Version of the vendor's document that has the promise (PromiseSource). */
  readonly version: string;
  readonly holds?: string;
  /** `open`: the phenomenon must not occur, and it is not known whether it did. */
  readonly verdict: 'agrees' | 'contradicts' | 'open';
  /** The phenomenon, as the checker found it. */
  readonly found: readonly CellFinding[];
  /** All other findings. */
  readonly others: readonly CellFinding[];
  readonly outcomes: readonly { readonly txn: number; readonly session: number; readonly outcome: TxnOutcome }[];
  readonly transcript: readonly TranscriptLine[];
  /** For a contradiction: whether the same statements without instrumentation waited, failed and answered alike. */
  readonly bare?: 'alike' | 'different';
  /** The server or a session was lost. The cell is a failure, whatever is promised. */
  readonly lost?: true;
  /** The matrix ended before this cell; `why` has the reason. */
  readonly notRun?: true;
}

export interface MatrixSchedule {
  readonly name: string;
  readonly variant: string;
  readonly title: string;
  readonly source: string;
  /** The tables and their rows, in words. */
  readonly start: readonly string[];
  /** The cells in the order of the report's levels. */
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
  /** The levels as the server named them inside the transactions. */
  readonly inForce: readonly string[];
}

export interface MatrixReport extends MeasuredTarget {
  readonly levels: readonly MatrixLevel[];
  /** Every n-th schedule was run. */
  readonly shard?: Shard;
  readonly phenomena: readonly MatrixPhenomenon[];
  /** Failures and omitted parts. */
  readonly notes: readonly Note[];
  /** The reason if the matrix ended before every cell had been run. */
  readonly endedEarly?: string;
}
