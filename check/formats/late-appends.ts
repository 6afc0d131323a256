/**
 * Elements that no list shows were appended after all of the longest list of their key. One of them alone has a place in
 * the order (list-history.ts writes it down); of several only this is known: who read the longest list came before each
 * of them, and so did its last writer. An edge to each says so; it stands for one to the next version and on from there.
 *
 *     r x [9]; append x 1      9 -> 1 -> 2 or 9 -> 2 -> 1: whoever is second has lost the other's update, so for two
 *     r x [9]; append x 2      of this kind one of the two orders is drawn, one that no other dependency forbids
 */
import { NONE, REL } from '../../core/index.ts';
import type { DependencyGraph, EdgeEvidence } from '../../core/index.ts';
import { buildCsr, edgeSources } from '../../graph/index.ts';

/** A statement of a transaction (its id), and the number of the write, if it is one. */
export interface ListStatement {
  readonly txn: number;
  readonly n: number;
  readonly seq: number;
}

export interface LateAppends {
  readonly row: string;
  /** Of the longest list; undefined: it is empty, or its last element is nobody's. */
  readonly last: ListStatement | undefined;
  readonly readers: readonly ListStatement[];
  readonly appends: readonly ListStatement[];
}

interface Edge {
  readonly rel: number;
  readonly row: number;
  readonly from: ListStatement;
  readonly to: ListStatement;
  /** The version that was read or replaced. */
  readonly version: ListStatement | undefined;
}

/** Lost updates that are drawn, one a key: each costs a search through the graph. */
const LOST = 100;

export function withLateAppends(graph: DependencyGraph, late: readonly LateAppends[]): DependencyGraph {
  const { history } = graph;
  const rows = new Map(history.rows.rid.map((rid, row) => [rid, row]));
  const edges = late.flatMap(({ row, last, readers, appends }): Edge[] => {
    const place = { row: rows.get(row) ?? NONE, version: last };
    return appends.flatMap((to) => [
      ...readers.filter(({ txn }) => txn !== to.txn).map((from) => ({ rel: REL.rw, from, to, ...place })),
      ...(last === undefined || last.txn === to.txn ? [] : [{ rel: REL.ww, from: last, to, ...place }]),
    ]);
  });
  const drawn = extended(graph, edges);
  const before = new Dependencies(drawn);
  const lost = late
    .flatMap(({ row, readers, appends }): Edge[] => {
      const updates = appends.filter(
        ({ txn }, i) => readers.some((reader) => reader.txn === txn) && appends.findIndex((each) => each.txn === txn) === i,
      );
      const [one, two] = updates;
      return one === undefined || two === undefined ? [] : [{ rel: REL.ww, row: rows.get(row) ?? NONE, from: one, to: two, version: one }];
    })
    .slice(0, LOST)
    .map((edge): Edge => {
      const possible = before.reaches(edge.to.txn, edge.from.txn) ? { ...edge, from: edge.to, to: edge.from, version: edge.to } : edge;
      before.add(possible.from.txn, possible.to.txn);
      return possible;
    });
  return extended(drawn, lost);
}

/** The same graph with more edges. */
function extended(graph: DependencyGraph, more: readonly Edge[]): DependencyGraph {
  const { history, nodeCount, starts, targets, rels, evidence, edges } = graph;
  const indexOf = transactionIndex(graph);
  const statementOf = new Map<string, number>();
  for (let s = 0; s < history.statements.count; s++) statementOf.set(`${history.statements.txn[s]} ${history.statements.index[s]}`, s);
  const index = ({ txn }: ListStatement): number => indexOf.get(txn) ?? NONE;
  const statement = (at: ListStatement): number => statementOf.get(`${index(at)} ${at.n}`) ?? NONE;
  const csr = buildCsr(
    nodeCount,
    [...edgeSources(starts), ...more.map(({ from }) => index(from))],
    [...targets, ...more.map(({ to }) => index(to))],
  );
  const allRels = [...rels, ...more.map(({ rel }) => rel)];
  const places = [...evidence, ...more.map((_, i) => edges.count + i)];
  const column = (of: Int32Array, value: (edge: Edge) => number): Int32Array => Int32Array.from([...of, ...more.map(value)]);
  const all: EdgeEvidence = {
    count: edges.count + more.length,
    rel: Uint16Array.from([...edges.rel, ...more.map(({ rel }) => rel)]),
    row: column(edges.row, ({ row }) => row),
    fromStatement: column(edges.fromStatement, ({ from }) => statement(from)),
    toStatement: column(edges.toStatement, ({ to }) => statement(to)),
    fromTxn: column(edges.fromTxn, ({ version }) => (version === undefined ? 0 : index(version))),
    fromSeq: column(edges.fromSeq, ({ version }) => version?.seq ?? 0),
    toTxn: column(edges.toTxn, ({ to }) => index(to)),
    toSeq: column(edges.toSeq, ({ to }) => to.seq),
    observation: column(edges.observation, () => NONE),
  };
  return {
    ...graph,
    starts: csr.starts,
    targets: csr.targets,
    rels: Uint16Array.from(csr.order, (i) => allRels[i]),
    evidence: Uint32Array.from(csr.order, (i) => places[i]),
    edges: all,
  };
}

function transactionIndex({ history }: DependencyGraph): ReadonlyMap<number, number> {
  const index = new Map<number, number>();
  for (let t = 0; t < history.transactions.count; t++) index.set(history.transactions.id[t], t);
  return index;
}

/** Who comes before whom by other edges than anti-dependencies, by transaction id. */
class Dependencies {
  private readonly graph: DependencyGraph;
  private readonly index: ReadonlyMap<number, number>;
  private readonly added = new Map<number, number[]>();

  constructor(graph: DependencyGraph) {
    this.graph = graph;
    this.index = transactionIndex(graph);
  }

  add(from: number, to: number): void {
    const v = this.index.get(from) ?? NONE;
    this.added.set(v, [...(this.added.get(v) ?? []), this.index.get(to) ?? NONE]);
  }

  reaches(from: number, to: number): boolean {
    const { starts, targets, rels, nodeCount } = this.graph;
    const seen = new Uint8Array(nodeCount);
    const open = [this.index.get(from) ?? NONE];
    const goal = this.index.get(to);
    for (let v = open.pop(); v !== undefined; v = open.pop()) {
      if (v === goal) return true;
      if (v === NONE || seen[v] === 1) continue;
      seen[v] = 1;
      for (let e = starts[v]; e < starts[v + 1]; e++) if ((rels[e] & (REL.rw | REL.rwp)) === 0) open.push(targets[e]);
      open.push(...(this.added.get(v) ?? []));
    }
    return false;
  }
}
