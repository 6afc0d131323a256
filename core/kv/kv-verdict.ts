/**
 * The answer of a key-value checker: one answer for each level, and the anomalies that explain a `false`. All checkers
 * of check/ that read key-value histories share it. Everything is plain JSON: keys and values are decimal strings.
 */
import type { KvRefutation } from './kv-refutation.ts';
import type { AskedLevel, Level } from '../level/index.ts';
import type { Answer, UnknownCode } from '../verdict/index.ts';

/** AWDIT's and Plume's names for bad reads and cycles, and the fourteen of Table I in the mini-transaction paper. */
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
  /** A violation where each transaction runs at its own level. */
  | 'NotAtOwnLevels'
  | 'NotLinearizable';

/** The index of the initial transaction, which wrote every key before all others. */
export const KV_INITIAL = -1;

export interface KvOperation {
  /** The transaction's index in the history (KV_INITIAL for the initial one), and the file's names. */
  readonly txn: number;
  readonly txnName: string;
  readonly session: string;
  readonly kind: 'read' | 'write';
  readonly key: string;
  /** Null: the read found nothing ("nothing there yet"). */
  readonly value: string | null;
}

export interface KvCycleStep {
  /** Transaction indices, or KV_INITIAL for the initial transaction. */
  readonly from: number;
  readonly to: number;
  readonly rel: 'so' | 'wr' | 'ww' | 'rw' | 'rt';
  readonly key?: string;
  /** The history does not hold the edge. The level requires it, and `explanation` names the operations. */
  readonly inferred?: true;
  /** The operations behind the edge, in the order in which the explanation names them. */
  readonly operations: readonly KvOperation[];
  /** One sentence. */
  readonly explanation: string;
}

/** `L`: the levels that may be asked for. Only a history that names levels allows each transaction's own. */
export interface KvAnomaly<L extends AskedLevel = Level> {
  readonly name: KvAnomalyName;
  /** Every level that it violates, weakest first. */
  readonly levels: readonly L[];
  /** The steps in order. The last one leads back to the first. Empty for a bad read. */
  readonly cycle: readonly KvCycleStep[];
  /** Transaction indices, in order of the cycle, or the reader first. */
  readonly transactions: readonly number[];
  readonly operations: readonly KvOperation[];
  readonly explanation: string;
  /** The case distinction that refutes the levels, if it is short enough. */
  readonly refutation?: KvRefutation;
}

export interface KvVerdict<L extends AskedLevel = Level> {
  readonly level: L;
  readonly answer: Answer;
  /** Present exactly when the answer is 'unknown'. */
  readonly reason?: string;
  readonly code?: UnknownCode;
  readonly anomalies: readonly KvAnomaly<L>[];
  /** How many more anomalies of each name were found than listed. */
  readonly more?: Readonly<Record<string, number>>;
}

/** `first`: stop at the first anomaly. `class`: one of each name. `all`: every one. */
export type KvReportMode = 'first' | 'class' | 'all';

/** Counts of the solver of the strong levels. */
export interface SolveNumbers {
  readonly rounds: number;
  /** Pairs of writers that an order violated, before and after propagation, and the number of variables. */
  readonly brokenFirst: number;
  readonly brokenLast: number;
  readonly variables: number;
  readonly conflicts: number;
  readonly decisions: number;
}
