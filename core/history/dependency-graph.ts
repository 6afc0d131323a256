/**
 * The dependency graph in CSR form, with the evidence of every edge. Nodes are transaction indices of the history.
 * Nodes from `txnCount` on are steps of the real-time chain, which are no transactions. An edge into or out of them has
 * relation rt and no evidence. Parallel edges stay apart: each has one relation bit and one row.
 */
import type { NonCycleClass, Shape } from '../level/index.ts';
import type { History } from './history.ts';

export interface EdgeEvidence {
  readonly count: number;
  /** One REL bit. */
  readonly rel: Uint16Array;
  /** The row of the history. NONE for so and rt. */
  readonly row: Int32Array;
  /** The statements of the source and of the target transaction that show the edge. NONE where the history holds none. */
  readonly fromStatement: Int32Array;
  readonly toStatement: Int32Array;
  /**
   * The two versions of an edge, as (transaction index, seq). A dead version has the delete's entry.
   * - wr: the version read, in both.
   * - ww: the two neighbours in the version order.
   * - rw: the version read and its successor.
   * - wrp: the version that last changed what the predicate matched, in both.
   * - rwp: the last version that can have been read (NONE for the unborn one), and the later version that changed the match.
   */
  readonly fromTxn: Int32Array;
  readonly fromSeq: Int32Array;
  readonly toTxn: Int32Array;
  readonly toSeq: Int32Array;
  /**
   * The observation that shows the two versions in this order, as an index into History.observations. NONE if two reads
   * show it.
   */
  readonly observation: Int32Array;
}

export interface NonCycleAnomaly {
  readonly class: NonCycleClass;
  readonly shapes: readonly Shape[];
  /** Transaction indices, the victim (reader) first. */
  readonly transactions: readonly number[];
  /** Indices of the statements that show it. */
  readonly statements: readonly number[];
  /** NONE where it is about no row. */
  readonly row: number;
  /** One sentence that says what the history shows and why it is impossible. */
  readonly explanation: string;
}

/** A row that a statement should have returned and did not, whichever version of it the statement saw. */
export interface UnexplainedRow {
  readonly statement: number;
  readonly row: number;
}

/** How infer/ used the predicate reads that the database evaluated (History.predicates). */
export interface PredicateCounts {
  readonly used: number;
  /** Not used: the database says that a row does not satisfy the WHERE of the statement that returned it. */
  readonly disagreed: number;
  /** Not used: a row was not returned, although every version that the statement can have seen satisfies the WHERE. */
  readonly unexplained: number;
  /** The statements and rows that `unexplained` counts. */
  readonly unexplainedAt: readonly UnexplainedRow[];
  /** Not used: the transaction did not commit or ran at READ UNCOMMITTED, or the statement need not show all that it read. */
  readonly unusable: number;
  /** Not used: the server may not have evaluated the subquery, since no row of the outer query certainly needed it. */
  readonly unproven: number;
  readonly wrp: number;
  readonly rwp: number;
}

/** Which reads and writes of each transaction the record does not show (core/history/unobserved.ts). */
export interface Unobserved {
  /** The bits of UNOBSERVED for each transaction. */
  readonly bits: Uint32Array;
  /** 1: the transaction committed or may have. 0: it aborted, or it is the final read. */
  readonly counts: Uint8Array;
}

/**
 * A row that a foreign key's ON DELETE CASCADE removed. No list names the writer, but only one transaction can have
 * removed it.
 */
export interface Cascade {
  readonly row: number;
  /** The statement that deleted the parent row. */
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
  /** An index into `edges` for each edge. It has no meaning for edges of the real-time chain. */
  readonly evidence: Uint32Array;
  readonly edges: EdgeEvidence;
  /** Anomalies that are no cycles (G1a, G1b, internal, fork and so on), found while infer/ orders the versions. */
  readonly anomalies: readonly NonCycleAnomaly[];
  /** Unknown-outcome transactions that count as committed because a committed one read them. */
  readonly upgraded: readonly number[];
  readonly predicates?: PredicateCounts;
  /** Absent: the record shows every read and write that the dependencies need. */
  readonly unobserved?: Unobserved;
  readonly cascades?: readonly Cascade[];
}
