/**
 * Finds a topological order of the edges that is close to an earlier one: a node that has to wait goes right after the
 * last of those that it waits for. It breaks more reads than schedule.ts, which takes several times as long. The rounds
 * of saturate.ts need no better one. O(nodes + edges).
 */
import type { Edges } from './edges.ts';
import type { Problem } from './problem.ts';

/**
 * Returns the nodes in order. The result is shorter than `earlier` if the edges have a cycle. A kernel: each node is
 * placed once, from a stack.
 */
export function reorder(
  { nodeCount, chainNodes, nodeSession }: Problem,
  { count, to, outHead, outNext }: Edges,
  earlier: Int32Array,
): Int32Array {
  const missing = new Int32Array(nodeCount);
  for (let e = 0; e < count; e++) missing[to[e]]++;
  for (let node = 1; node < chainNodes; node++) if (nodeSession[node] === nodeSession[node - 1]) missing[node]++;
  const order = new Int32Array(nodeCount);
  const passed = new Uint8Array(nodeCount);
  const open: number[] = [];
  let placed = 0;
  for (const next of earlier) {
    passed[next] = 1;
    if (missing[next] === 0) open.push(next);
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      order[placed++] = node;
      for (let e = outHead[node]; e >= 0; e = outNext[e]) if (--missing[to[e]] === 0 && passed[to[e]] === 1) open.push(to[e]);
      const after = node + 1;
      if (after < chainNodes && nodeSession[after] === nodeSession[node] && --missing[after] === 0 && passed[after] === 1) open.push(after);
    }
  }
  return order.subarray(0, placed);
}
