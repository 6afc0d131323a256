/**
 * What a checker of key-value histories answers, shared by check/awdit, check/mini and check/search: one answer per
 * level, and anomalies that explain a `false`. Everything is plain JSON: keys and values are decimal strings.
 */
import type { KvRefutation } from './kv-refutation.ts';
import type { AskedLevel, Level } from './level.ts';
import type { Answer, UnknownCode } from './verdict.ts';

/** AWDIT's and Plume's names for bad reads and cycles, and the fourteen of the mini-transaction paper's Table I. */
export type KvAnomalyName =
  | 'ThinAirRead'
  | 'AbortedRead'
  | 'IntermediateRead'
  | 'FutureRead'
  | 'NotMyOwnWrite'
  | 'NotMyLastWrite'
  | 'NonRepeatableRead'
  /** A cycle of session order and write-read alone. */
  | 'CyclicCO'
  | 'SessionGuaranteeViolation'
  | 'NonMonotonicRead'
  | 'FracturedRead'
  | 'CausalityViolation'
  | 'LongFork'
  | 'LostUpdate'
  | 'WriteSkew'
  /** Any other cycle that serializability forbids. */
  | 'NotSerializable'
  | 'NotSnapshotIsolated'
  | 'RealTimeViolation'
  /** Of transactions each at its own level. */
  | 'NotAtOwnLevels'
  | 'NotLinearizable';

/** The initial transaction, which wrote every key before all others, wherever a transaction index is expected. */
export const KV_INITIAL = -1;

export interface KvOperation {
  /** Index of the transaction in the history (KV_INITIAL for the initial one), and the file's names. */
  readonly txn: number;
  readonly txnName: string;
  readonly session: string;
  readonly kind: 'read' | 'write';
  readonly key: string;
  /** null: a read of "nothing there yet". */
  readonly value: string | null;
}

export interface KvCycleStep {
  /** Transaction indices; KV_INITIAL for the initial transaction. */
  readonly from: number;
  readonly to: number;
  readonly rel: 'so' | 'wr' | 'ww' | 'rw' | 'rt';
  readonly key?: string;
  /** The edge is not in the history: the level demands it, and `explanation` says by which operations. */
  readonly inferred?: true;
  /** What the edge rests on, in the order in which the explanation names them. */
  readonly operations: readonly KvOperation[];
  /** One sentence. */
  readonly explanation: string;
}

/** `L`: what may be asked for; only of a history that names levels also each transaction's own. */
export interface KvAnomaly<L extends AskedLevel = Level> {
  readonly name: KvAnomalyName;
  /** Every level this rules out, weakest first. */
  readonly levels: readonly L[];
  /** In order, from the last step back to the first; empty for a bad read. */
  readonly cycle: readonly KvCycleStep[];
  /** Transaction indices, in order of the cycle, or the reader first. */
  readonly transactions: readonly number[];
  readonly operations: readonly KvOperation[];
  readonly explanation: string;
  /** The case distinction that rules the levels out, where it is short enough. */
  readonly refutation?: KvRefutation;
}

export interface KvVerdict<L extends AskedLevel = Level> {
  readonly level: L;
  readonly answer: Answer;
  /** Present exactly when the answer is 'unknown'. */
  readonly reason?: string;
  readonly code?: UnknownCode;
  readonly anomalies: readonly KvAnomaly<L>[];
  /** How many more anomalies of each name were found than are listed. */
  readonly more?: Readonly<Record<string, number>>;
}

/** `first`: stop at the first anomaly; `class`: one of each name; `all`: every one. */
export type KvReportMode = 'first' | 'class' | 'all';

/** What the solver of the strong levels has done. */
export interface SolveNumbers {
  readonly rounds: number;
  /** Pairs of writers that an order broke, before and after what follows was drawn; variables that were made. */
  readonly brokenFirst: number;
  readonly brokenLast: number;
  readonly variables: number;
  readonly conflicts: number;
  readonly decisions: number;
}
