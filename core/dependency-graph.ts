/**
 * The dependency graph in CSR form, every edge with the evidence it rests on. Nodes are transaction indices of the
 * history; nodes from `txnCount` on are steps of the real-time chain (no transaction of their own; an edge into or
 * out of them has relation rt and no evidence). Parallel edges stay apart: each has one relation bit and one row.
 */
import type { NonCycleClass, Shape } from './anomaly.ts';
import type { History } from './history.ts';

export interface EdgeEvidence {
  readonly count: number;
  /** REL bit. */
  readonly rel: Uint16Array;
  /** Row of the history; NONE for so and rt. */
  readonly row: Int32Array;
  /** Statement of the source and of the target transaction that the edge rests on; NONE where none was seen. */
  readonly fromStatement: Int32Array;
  readonly toStatement: Int32Array;
  /**
   * The two versions, as (transaction index, seq): for wr the version read (in both), for ww the two neighbours, for rw
   * the version read and its successor. A dead version has the delete's entry. For wrp the version that last changed
   * what the predicate matched (in both); for rwp the last version that can have been read, NONE for the unborn one,
   * and the later version that changed it.
   */
  readonly fromTxn: Int32Array;
  readonly fromSeq: Int32Array;
  readonly toTxn: Int32Array;
  readonly toSeq: Int32Array;
  /** The observation that shows the two in this order (an index into History.observations), NONE if two reads do. */
  readonly observation: Int32Array;
}

export interface NonCycleAnomaly {
  readonly class: NonCycleClass;
  readonly shapes: readonly Shape[];
  /** Transaction indices, the victim (reader) first. */
  readonly transactions: readonly number[];
  /** Statement indices it rests on. */
  readonly statements: readonly number[];
  /** NONE where it is about no row. */
  readonly row: number;
  /** One sentence: what was seen and why it cannot be. */
  readonly explanation: string;
}

/** A statement that did not return a row which it should have, whatever version of it was seen. */
export interface UnexplainedRow {
  readonly statement: number;
  readonly row: number;
}

/** What became of the predicate reads that the database evaluated (History.predicates). */
export interface PredicateCounts {
  readonly used: number;
  /** Thrown away: the evaluation says that a row does not satisfy the WHERE of a statement that returned it. */
  readonly disagreed: number;
  /** Thrown away: a row was not returned, although every version that can have been seen satisfies the WHERE. */
  readonly unexplained: number;
  /** The statements and rows of these. */
  readonly unexplainedAt: readonly UnexplainedRow[];
  /** Of a transaction that did not commit, of a statement that need not show all it read, at READ UNCOMMITTED. */
  readonly unusable: number;
  /** Of a subquery that may not have been read at all: no row was seen for certain that it is read for. */
  readonly unproven: number;
  readonly wrp: number;
  readonly rwp: number;
}

/** What of each transaction was not seen (core/gap.ts). */
export interface Gaps {
  /** Per transaction the bits of GAPS. */
  readonly bits: Uint32Array;
  /** 1: the transaction counts, since it committed or may have; the final reads do not. */
  readonly counts: Uint8Array;
}

/** A row that a foreign key's ON DELETE CASCADE removed: no list names the writer, but only one can have been. */
export interface Cascade {
  readonly row: number;
  /** The statement that deleted the row that it referred to. */
  readonly statement: number;
  readonly parent: number;
  /** The version that was removed: transaction index and write number. */
  readonly lastTxn: number;
  readonly lastSeq: number;
}

export interface DependencyGraph {
  readonly history: History;
  /** Transactions first, then chain nodes. */
  readonly nodeCount: number;
  readonly txnCount: number;
  /** CSR: edges of node v are starts[v] .. starts[v + 1]. */
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  /** One REL bit per edge. */
  readonly rels: Uint16Array;
  /** Per edge an index into `edges`; for chain edges it is meaningless. */
  readonly evidence: Uint32Array;
  readonly edges: EdgeEvidence;
  /** G1a, G1b, internal inconsistencies, forks ...: found while the versions are ordered. */
  readonly anomalies: readonly NonCycleAnomaly[];
  /** Unknown-outcome transactions that count as committed because a committed one read them. */
  readonly upgraded: readonly number[];
  readonly predicates?: PredicateCounts;
  /** Absent: of what these dependencies are inferred from nothing can be missing. */
  readonly gaps?: Gaps;
  readonly cascades?: readonly Cascade[];
}
