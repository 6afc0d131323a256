/** Adds edges of rows to a dependency graph, each with its evidence. */
import { NONE } from '../../core/index.ts';
import type { DependencyGraph, EdgeEvidence } from '../../core/index.ts';
import { buildCsr, edgeSources } from '../../graph/index.ts';

/** A statement of a transaction (its index), with the number of the write if it is one. */
export interface Place {
  readonly txn: number;
  readonly n: number;
  readonly seq: number;
}

export interface MoreEdge {
  readonly rel: number;
  readonly row: number;
  readonly from: Place;
  readonly to: Place;
  /** The version that was read or replaced. Undefined is the initial one. */
  readonly version: Place | undefined;
}

export function extended(graph: DependencyGraph, more: readonly MoreEdge[]): DependencyGraph {
  if (more.length === 0) return graph;
  const { history, nodeCount, starts, targets, rels, evidence, edges } = graph;
  const statement = statementsOf(graph);
  const csr = buildCsr(
    nodeCount,
    joined(edgeSources(starts), more, ({ from }) => from.txn),
    joined(targets, more, ({ to }) => to.txn),
  );
  const allRels = joined(rels, more, ({ rel }) => rel);
  const places = joined(evidence, more, (_, i) => edges.count + i);
  const all: EdgeEvidence = {
    count: edges.count + more.length,
    rel: Uint16Array.from(joined(edges.rel, more, ({ rel }) => rel)),
    row: joined(edges.row, more, ({ row }) => row),
    fromStatement: joined(edges.fromStatement, more, ({ from }) => statement(from)),
    toStatement: joined(edges.toStatement, more, ({ to }) => statement(to)),
    fromTxn: joined(edges.fromTxn, more, ({ version }) => version?.txn ?? 0),
    fromSeq: joined(edges.fromSeq, more, ({ version }) => version?.seq ?? 0),
    toTxn: joined(edges.toTxn, more, ({ to }) => to.txn),
    toSeq: joined(edges.toSeq, more, ({ to }) => to.seq),
    observation: joined(edges.observation, more, () => NONE),
  };
  return {
    ...graph,
    history,
    starts: csr.starts,
    targets: csr.targets,
    rels: Uint16Array.from(csr.order, (i) => allRels[i]),
    evidence: Uint32Array.from(csr.order, (i) => places[i]),
    edges: all,
  };
}

function joined(column: ArrayLike<number>, more: readonly MoreEdge[], value: (edge: MoreEdge, i: number) => number): Int32Array {
  const all = new Int32Array(column.length + more.length);
  all.set(column);
  for (const [i, edge] of more.entries()) all[column.length + i] = value(edge, i);
  return all;
}

/** Returns the statement of a transaction by its number, or NONE. */
function statementsOf({ history: { statements, transactions } }: DependencyGraph): (place: Place) => number {
  const { starts, order } = buildCsr(transactions.count, statements.txn.subarray(0, statements.count), statements.txn);
  return ({ txn, n }) => {
    if (txn === NONE) return NONE;
    // A transaction's statements are numbered in the order in which they were sent.
    const straight = order[starts[txn] + n];
    if (starts[txn] + n < starts[txn + 1] && statements.index[straight] === n) return straight;
    for (let i = starts[txn]; i < starts[txn + 1]; i++) if (statements.index[order[i]] === n) return order[i];
    return NONE;
  };
}
