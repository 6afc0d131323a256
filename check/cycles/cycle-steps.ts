/**
 * A cycle's edges -> the steps of a verdict: ids instead of indices, one step for each passage through the real-time
 * chain, each read tagged with its read point, each step explained.
 */
import { NONE, REL, readPoint, relName, takesLocks, wordingOf } from '../../core/index.ts';
import type { CycleStep, DependencyGraph, ReadPoint, SentKind } from '../../core/index.ts';
import { explainEdge } from './explain-edge.ts';
import type { ShapeStep } from './shapes.ts';

export interface CycleReader {
  /** Edges (places in the CSR) in order, beginning at a transaction. */
  steps(cycle: readonly number[]): readonly CycleStep[];
  shapeSteps(cycle: readonly number[]): readonly ShapeStep[];
  /** 0: no read; 1: a plain SELECT before any write or lock of its transaction; 2: any other read. */
  readKind(edge: number): 0 | 1 | 2;
}

const LOCKING_SELECT: ReadonlySet<SentKind> = new Set(['select for update', 'select for share']);

export function cycleReader(graph: DependencyGraph): CycleReader {
  const { history, edges, rels, evidence, targets, txnCount } = graph;
  const { statements, rows, transactions } = history;
  const say = wordingOf(history);
  const firstLock = new Int32Array(transactions.count).fill(0x7fffffff);
  for (let s = statements.count - 1; s >= 0; s--) if (takesLocks(history, s)) firstLock[statements.txn[s]] = s;

  /** The reading statement of an edge, NONE if the edge is no read. */
  const reader = (edge: number): number => {
    const i = evidence[edge];
    if ((rels[edge] & (REL.wr | REL.wrp)) !== 0) return edges.toStatement[i];
    return (rels[edge] & (REL.rw | REL.rwp)) !== 0 ? edges.fromStatement[i] : NONE;
  };
  const readKind = (edge: number): 0 | 1 | 2 => {
    const s = reader(edge);
    if (s === NONE) return 0;
    return pointOf(s, edge) === 'current' || firstLock[statements.txn[s]] < s ? 2 : 1;
  };

  return {
    readKind,
    steps: (cycle) => {
      const steps: CycleStep[] = [];
      let from = targets[cycle[cycle.length - 1]];
      for (const edge of cycle) {
        const to = targets[edge];
        if (to >= txnCount) continue; // on the real-time chain
        steps.push(rels[edge] === REL.so || rels[edge] === REL.rt ? orderStep(from, to, rels[edge]) : dataStep(from, to, edge));
        from = to;
      }
      return steps;
    },
    shapeSteps: (cycle) =>
      cycle
        .filter((edge) => targets[edge] < txnCount)
        .map((edge) => {
          const i = evidence[edge];
          return { rel: rels[edge], row: edges.row[i], fromStatement: edges.fromStatement[i], toStatement: edges.toStatement[i] };
        }),
  };

  function pointOf(s: number, edge: number): ReadPoint | undefined {
    return readPoint(history, s, edges.row[evidence[edge]]);
  }

  /** An older file does not say it: then less is said of a locking SELECT than could be. */
  function hasInner(s: number): boolean {
    const locks = statements.locks[s];
    return locks === undefined ? LOCKING_SELECT.has(statements.kind[s]) : locks.length > 0 && statements.nested[s] === 1;
  }

  function orderStep(from: number, to: number, rel: number): CycleStep {
    const explanation =
      rel === REL.so
        ? `${say.txn(from)} committed before ${say.txn(to)} in the same session.`
        : `The commit of ${say.txn(from)} was acknowledged before ${say.txn(to)} began.`;
    return { from: transactions.id[from], to: transactions.id[to], rel: relName(rel), explanation };
  }

  function dataStep(from: number, to: number, edge: number): CycleStep {
    const i = evidence[edge];
    const s = reader(edge);
    const point = s === NONE ? undefined : pointOf(s, edge);
    const lateRead = s !== NONE && firstLock[statements.txn[s]] < s;
    return {
      from: transactions.id[from],
      to: transactions.id[to],
      rel: relName(rels[edge]),
      ...(edges.row[i] === NONE ? {} : { row: rows.rid[edges.row[i]], table: rows.table[edges.row[i]] }),
      ...(edges.fromStatement[i] === NONE ? {} : { fromStatement: edges.fromStatement[i] }),
      ...(edges.toStatement[i] === NONE ? {} : { toStatement: edges.toStatement[i] }),
      ...(point === undefined ? {} : { readPoint: point }),
      ...(s !== NONE && hasInner(s) ? { inner: transactions.autocommit[statements.txn[s]] === 1 ? 'autocommit' : 'transaction' } : {}),
      ...(lateRead ? { afterWrite: true } : {}),
      explanation: explainEdge(graph, edge),
    };
  }
}
