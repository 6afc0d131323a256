/**
 * Finds strongly connected components over the edges whose relation bits meet a mask. It is Tarjan's algorithm (SIAM J.
 * Comput. 1, 1972) with an explicit stack, so that a chain of a million nodes does not overflow the call stack. O(nodes
 * + edges).
 */
export interface Components {
  readonly count: number;
  /** The component of each node. Components are numbered in reverse topological order of the condensation. */
  readonly component: Int32Array;
  /** The nodes of component c are members[memberStarts[c]] .. members[memberStarts[c + 1]], ascending. */
  readonly memberStarts: Uint32Array;
  readonly members: Uint32Array;
}

/** All edges take part if `rels` is left out. */
export function stronglyConnected(
  nodeCount: number,
  starts: Uint32Array,
  targets: Uint32Array,
  rels?: Uint16Array,
  mask = 0xffff,
): Components {
  const component = new Int32Array(nodeCount).fill(-1);
  const low = new Int32Array(nodeCount);
  const number = new Int32Array(nodeCount); // 0: not visited
  const cursor = starts.slice(0, nodeCount);
  const stack = new Int32Array(nodeCount); // Tarjan's stack of open nodes
  const path = new Int32Array(nodeCount); // the path of the recursion
  let stackSize = 0;
  let visited = 0;
  let count = 0;

  for (let root = 0; root < nodeCount; root++) {
    if (number[root] !== 0) continue;
    let depth = 0;
    path[0] = root;
    number[root] = low[root] = ++visited;
    stack[stackSize++] = root;
    while (depth >= 0) {
      const v = path[depth];
      const e = cursor[v];
      if (e < starts[v + 1]) {
        cursor[v] = e + 1;
        if (rels !== undefined && (rels[e] & mask) === 0) continue;
        const w = targets[e];
        if (number[w] === 0) {
          number[w] = low[w] = ++visited;
          stack[stackSize++] = w;
          path[++depth] = w;
        } else if (component[w] < 0 && number[w] < low[v]) low[v] = number[w];
        continue;
      }
      // v is done.
      if (low[v] === number[v]) {
        let w: number;
        do {
          w = stack[--stackSize];
          component[w] = count;
        } while (w !== v);
        count++;
      }
      depth--;
      if (depth >= 0 && low[v] < low[path[depth]]) low[path[depth]] = low[v];
    }
  }
  return { count, component, ...membersOf(component, count) };
}

function membersOf(component: Int32Array, count: number): { memberStarts: Uint32Array; members: Uint32Array } {
  const memberStarts = new Uint32Array(count + 1);
  for (let v = 0; v < component.length; v++) memberStarts[component[v] + 1]++;
  for (let c = 0; c < count; c++) memberStarts[c + 1] += memberStarts[c];
  const next = memberStarts.slice(0, count);
  const members = new Uint32Array(component.length);
  for (let v = 0; v < component.length; v++) members[next[component[v]]++] = v;
  return { memberStarts, members };
}
