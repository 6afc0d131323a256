/**
 * Finds closed walks without two adjacent edges of one kind in linear time. Every node is doubled into "reached by such
 * an edge" and "not reached by one", and the first copy has no outgoing edge of that kind. An edge lies on a closed
 * walk of that form exactly when its two ends share a component of the doubled graph. Cerone and Gotsman (2016) show
 * why this matters: snapshot isolation is the absence of cycles in which no two anti-dependencies follow each other.
 * O(nodes + edges).
 */
import { stronglyConnected } from './scc.ts';

/**
 * Returns one entry per edge. It is 1 for an allowed edge of an `anti` kind that lies on a closed walk of allowed edges
 * with no two anti edges adjacent.
 */
export function nonadjacentAntiEdges(
  nodeCount: number,
  starts: Uint32Array,
  targets: Uint32Array,
  rels: Uint16Array,
  allowed: number,
  anti: number,
): Uint8Array {
  // Node 2v is v not reached by an anti edge, and node 2v + 1 is v reached by one.
  const doubled = new Uint32Array(2 * nodeCount + 1);
  for (let v = 0; v < nodeCount; v++) {
    let plain = 0;
    let antis = 0;
    for (let e = starts[v]; e < starts[v + 1]; e++) {
      if ((rels[e] & allowed) === 0) continue;
      if ((rels[e] & anti) !== 0) antis++;
      else plain++;
    }
    doubled[2 * v + 1] = doubled[2 * v] + plain + antis;
    doubled[2 * v + 2] = doubled[2 * v + 1] + plain;
  }
  const ends = new Uint32Array(doubled[2 * nodeCount]);
  for (let v = 0; v < nodeCount; v++) {
    let even = doubled[2 * v];
    let odd = doubled[2 * v + 1];
    for (let e = starts[v]; e < starts[v + 1]; e++) {
      if ((rels[e] & allowed) === 0) continue;
      if ((rels[e] & anti) !== 0) ends[even++] = 2 * targets[e] + 1;
      else ends[even++] = ends[odd++] = 2 * targets[e];
    }
  }
  const { component } = stronglyConnected(2 * nodeCount, doubled, ends);
  const found = new Uint8Array(targets.length);
  for (let v = 0; v < nodeCount; v++) {
    for (let e = starts[v]; e < starts[v + 1]; e++) {
      if ((rels[e] & allowed & anti) !== 0 && component[2 * v] === component[2 * targets[e] + 1]) found[e] = 1;
    }
  }
  return found;
}
