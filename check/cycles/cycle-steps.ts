/**
 * Turns a cycle's edges into the steps of a verdict. Ids replace indices, and each passage through the real-time chain
 * is one step. Each read gets its read point, and each step an explanation.
 */
import { LOOKING_AGAIN, NONE, REL, isQueryKind, readPoint, relName, takesLocks, wordingOf } from '../../core/index.ts';
import type { CycleStep, DependencyGraph, ReadPoint, SentKind } from '../../core/index.ts';
import { explainEdge } from './explain-edge.ts';
import type { ShapeStep } from './shapes.ts';

const LOCKING_SELECT: ReadonlySet<SentKind> = new Set([...LOOKING_AGAIN].filter(isQueryKind));

export class CycleReader {
  private readonly graph: DependencyGraph;
  private readonly say: ReturnType<typeof wordingOf>;
  /** The first statement of each transaction that takes locks. */
  private readonly firstLock: Int32Array;

  constructor(graph: DependencyGraph) {
    const { history } = graph;
    const { statements, transactions } = history;
    this.graph = graph;
    this.say = wordingOf(history);
    this.firstLock = new Int32Array(transactions.count).fill(0x7fffffff);
    for (let s = statements.count - 1; s >= 0; s--) if (takesLocks(history, s)) this.firstLock[statements.txn[s]] = s;
  }

  /** Returns the steps of these edges (places in the CSR), in order, beginning at a transaction. */
  steps(cycle: readonly number[]): readonly CycleStep[] {
    const { rels, targets, txnCount } = this.graph;
    const steps: CycleStep[] = [];
    let from = targets[cycle[cycle.length - 1]];
    for (const edge of cycle) {
      const to = targets[edge];
      if (to >= txnCount) continue; // on the real-time chain
      steps.push(rels[edge] === REL.so || rels[edge] === REL.rt ? this.orderStep(from, to, rels[edge]) : this.dataStep(from, to, edge));
      from = to;
    }
    return steps;
  }

  /** Returns every data edge between two transactions. so and rt are not among them. */
  dataSteps(): readonly CycleStep[] {
    const { rels, starts, targets, txnCount } = this.graph;
    const steps: CycleStep[] = [];
    for (let from = 0; from < txnCount; from++)
      for (let edge = starts[from]; edge < starts[from + 1]; edge++)
        if (rels[edge] !== REL.so && rels[edge] !== REL.rt) steps.push(this.dataStep(from, targets[edge], edge));
    return steps;
  }

  shapeSteps(cycle: readonly number[]): readonly ShapeStep[] {
    const { edges, evidence, rels, targets, txnCount } = this.graph;
    return cycle
      .filter((edge) => targets[edge] < txnCount)
      .map((edge) => {
        const i = evidence[edge];
        return { rel: rels[edge], row: edges.row[i], fromStatement: edges.fromStatement[i], toStatement: edges.toStatement[i] };
      });
  }

  /**
   * Returns 0 for no read, 1 for a plain SELECT before any write or lock of its transaction, and 2 for any other read.
   */
  readKind(edge: number): 0 | 1 | 2 {
    const s = this.readingStatement(edge);
    if (s === NONE) return 0;
    return this.pointOf(s, edge) === 'current' || this.afterLock(s) ? 2 : 1;
  }

  /** Returns NONE if the edge is no read. */
  private readingStatement(edge: number): number {
    const { edges, evidence, rels } = this.graph;
    const i = evidence[edge];
    if ((rels[edge] & (REL.wr | REL.wrp)) !== 0) return edges.toStatement[i];
    return (rels[edge] & (REL.rw | REL.rwp)) !== 0 ? edges.fromStatement[i] : NONE;
  }

  private afterLock(s: number): boolean {
    return this.firstLock[this.graph.history.statements.txn[s]] < s;
  }

  private pointOf(s: number, edge: number): ReadPoint | undefined {
    const { history, edges, evidence } = this.graph;
    return readPoint(history, s, edges.row[evidence[edge]]);
  }

  /** An older file does not say this. The verdict on a locking SELECT is then weaker than it could be. */
  private hasInner(s: number): boolean {
    const { statements } = this.graph.history;
    const locks = statements.locks[s];
    return locks === undefined ? LOCKING_SELECT.has(statements.kind[s]) : locks.length > 0 && statements.nested[s] === 1;
  }

  private orderStep(from: number, to: number, rel: number): CycleStep {
    const { say } = this;
    const { transactions } = this.graph.history;
    const explanation =
      rel === REL.so
        ? `${say.txn(from)} committed before ${say.txn(to)} in the same session.`
        : `The commit of ${say.txn(from)} was acknowledged before ${say.txn(to)} began.`;
    return { from: transactions.id[from], to: transactions.id[to], rel: relName(rel), explanation };
  }

  private dataStep(from: number, to: number, edge: number): CycleStep {
    const { edges, evidence, rels } = this.graph;
    const { statements, rows, transactions } = this.graph.history;
    const i = evidence[edge];
    const s = this.readingStatement(edge);
    const point = s === NONE ? undefined : this.pointOf(s, edge);
    const lateRead = s !== NONE && this.afterLock(s);
    return {
      from: transactions.id[from],
      to: transactions.id[to],
      rel: relName(rels[edge]),
      ...(edges.row[i] === NONE ? {} : { row: rows.rid[edges.row[i]], table: rows.table[edges.row[i]] }),
      ...(edges.fromStatement[i] === NONE ? {} : { fromStatement: edges.fromStatement[i] }),
      ...(edges.toStatement[i] === NONE ? {} : { toStatement: edges.toStatement[i] }),
      ...(point === undefined ? {} : { readPoint: point }),
      ...(s !== NONE && this.hasInner(s) ? { inner: transactions.autocommit[statements.txn[s]] === 1 ? 'autocommit' : 'transaction' } : {}),
      ...(lateRead ? { afterWrite: true } : {}),
      explanation: explainEdge(this.graph, edge),
    };
  }
}
