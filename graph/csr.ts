/**
 * Builds compressed sparse rows from edge columns by a stable counting sort. The edges of node v are starts[v] ..
 * starts[v + 1]. order[e] is the column index of the edge at place e. O(nodes + edges).
 */
export interface Csr {
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  /** Maps a place in the CSR to the index in the columns that it was built from. */
  readonly order: Uint32Array;
}

export function buildCsr(nodeCount: number, sources: ArrayLike<number>, targets: ArrayLike<number>): Csr {
  const edgeCount = sources.length;
  const starts = new Uint32Array(nodeCount + 1);
  for (let i = 0; i < edgeCount; i++) starts[sources[i] + 1]++;
  for (let v = 0; v < nodeCount; v++) starts[v + 1] += starts[v];
  const next = starts.slice(0, nodeCount);
  const sorted = new Uint32Array(edgeCount);
  const order = new Uint32Array(edgeCount);
  for (let i = 0; i < edgeCount; i++) {
    const e = next[sources[i]]++;
    sorted[e] = targets[i];
    order[e] = i;
  }
  return { starts, targets: sorted, order };
}

/** Returns the source of every edge of a CSR in O(nodes + edges). */
export function edgeSources(starts: Uint32Array): Uint32Array {
  const nodeCount = starts.length - 1;
  const sources = new Uint32Array(starts[nodeCount]);
  for (let v = 0; v < nodeCount; v++) sources.fill(v, starts[v], starts[v + 1]);
  return sources;
}
