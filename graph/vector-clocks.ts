/**
 * Vector clocks of a graph that consists of chains and edges between them. The first rows[node * stride + c] nodes of
 * chain c are in the past of a node. The clocks are brought up to date in rounds, each along a topological order. Edges
 * are added between the rounds.
 *
 * A round joins only changed rows and new edges, the latest row first. A node that knows another node knows its past
 * for ever, so an edge that adds nothing is not joined again (`implied`). `grown` tells by chain which entries of a row
 * have grown, so that the caller need ask about those only.
 *
 * The rows take nodes x chains x 1, 2 or 4 bytes, in whole words, since entries are joined a word at a time.
 */
/** Array types by the bytes of an entry. */
const ROWS = { 1: Uint8Array, 2: Uint16Array, 4: Int32Array } as const;
const WORD = 4;
const BITS = 32;
/** Stands in place of an edge and means the node before in the same chain. */
const CHAIN = -1;
/** The value of `grown` that means all chains. */
const ALL = -1;

/**
 * Chain c consists of the nodes nodeStart[c] .. nodeStart[c + 1], below chainNodes. The nodes from chainNodes on are in
 * no chain (nodeSession -1).
 */
export interface ClockNodes {
  readonly nodeCount: number;
  readonly chainNodes: number;
  readonly nodeStart: Int32Array;
  readonly nodeSession: Int32Array;
}

/** Lists the edges into a node: inHead[node], then inNext of each, -1 at the end. More may be added at any time. */
export interface ClockEdges {
  readonly count: number;
  readonly from: Int32Array;
  readonly inHead: Int32Array;
  readonly inNext: Int32Array;
  /** The clocks maintain this column. It is 0 for a new edge. */
  readonly implied: Uint8Array;
}

/** Returns the bytes of the rows of all nodes. */
export function clockBytes({ nodeCount, nodeStart }: ClockNodes): number {
  const bytes = bytesEach(nodeStart);
  return nodeCount * strideOf(nodeStart, bytes) * bytes;
}

function strideOf({ length }: Int32Array, bytes: keyof typeof ROWS): number {
  return (Math.ceil(((length - 1) * bytes) / WORD) * WORD) / bytes;
}

/** An entry takes one byte if every chain is short, which is common when there are many chains. */
function bytesEach(nodeStart: Int32Array): keyof typeof ROWS {
  let longest = 0;
  for (let c = 0; c + 1 < nodeStart.length; c++) longest = Math.max(longest, nodeStart[c + 1] - nodeStart[c]);
  return longest < 255 ? 1 : longest < 65_535 ? 2 : 4;
}

export class VectorClocks {
  readonly rows: Uint8Array | Uint16Array | Int32Array;
  readonly stride: number;
  /** Chain c has bit c >> grownShift of `grown`. Several chains share a bit where there are many. */
  readonly grownShift: number;
  /** Tells what the joins have increased since this was last set to 0. */
  grown = 0;
  /** The place of each node in the order of this round. Nodes placed later still have old clocks. */
  readonly placeOf: Int32Array;
  /** The number of edges when this round began, and when the last one began. */
  before = 0;
  private seen = 0;
  private rounds = 0;
  private readonly words: Int32Array;
  private readonly rowWords: number;
  /**
   * The entry of chain c is in word c >> laneShift of a row. `wordsABit` is the number of words that share a bit of
   * `grown`.
   */
  private readonly laneShift: number;
  private readonly wordsABit: number;
  private readonly nodes: ClockNodes;
  private readonly edges: ClockEdges;
  /** The bits of `grown` that changed in each node's row when the node was updated in this round. */
  private readonly changed: Int32Array;
  /** The nodes that a node joins, the latest first, and the edge to each. */
  private readonly sources: number[] = [];
  private readonly through: number[] = [];

  constructor(nodes: ClockNodes, edges: ClockEdges) {
    this.nodes = nodes;
    this.edges = edges;
    const { nodeCount, nodeStart } = nodes;
    const bytes = bytesEach(nodeStart);
    this.stride = strideOf(nodeStart, bytes);
    this.rows = new ROWS[bytes](nodeCount * this.stride);
    this.words = new Int32Array(this.rows.buffer);
    this.laneShift = bytes === 1 ? 2 : bytes === 2 ? 1 : 0;
    this.rowWords = this.stride >> this.laneShift;
    const bitShift = Math.ceil(Math.log2(Math.max(1, this.rowWords / BITS)));
    this.wordsABit = 1 << bitShift;
    this.grownShift = this.laneShift + bitShift;
    this.changed = new Int32Array(nodeCount);
    this.placeOf = new Int32Array(nodeCount);
  }

  /** Starts a round. The caller then updates the nodes in this order. */
  begin(order: Int32Array): void {
    this.seen = this.before;
    this.before = this.edges.count;
    this.rounds++;
    for (let i = 0; i < order.length; i++) this.placeOf[order[i]] = i;
  }

  /** Updates a node. `grown` starts from 0 and says what changed. */
  update(node: number): void {
    this.grown = 0;
    if (this.rounds === 1) this.joinAll(node);
    else this.joinChanged(node);
    this.changed[node] = this.grown;
  }

  /**
   * Joins one edge outside the node's update. An edge that the order of this round need not respect is joined again in
   * the next round.
   */
  join(node: number, from: number): void {
    this.greater(node, from, ALL);
    this.changed[node] |= this.grown;
  }

  /** Tells whether `u`, a node of a chain, is in the past of `v`. */
  knows(v: number, u: number): boolean {
    const { nodeSession, nodeStart } = this.nodes;
    const s = nodeSession[u];
    return this.rows[v * this.stride + s] > u - nodeStart[s];
  }

  private joinAll(node: number): void {
    const { nodes, edges, rows, stride } = this;
    const { nodeSession, nodeStart, chainNodes } = nodes;
    const own = nodeSession[node];
    if (node < chainNodes && node > nodeStart[own]) rows.copyWithin(node * stride, (node - 1) * stride, node * stride);
    if (own >= 0) rows[node * stride + own] = node - nodeStart[own];
    for (let e = edges.inHead[node]; e >= 0; e = edges.inNext[e]) {
      const from = edges.from[e];
      const s = nodeSession[from];
      if (s < 0 || rows[node * stride + s] <= from - nodeStart[s]) this.greater(node, from, ALL);
      else edges.implied[e] = 1;
    }
    this.grown = ALL;
  }

  private joinChanged(node: number): void {
    const { nodes, edges, changed, seen, before, sources, through } = this;
    const { nodeSession, nodeStart, chainNodes } = nodes;
    let count = 0;
    if (node < chainNodes && node > nodeStart[nodeSession[node]] && changed[node - 1] !== 0) this.insertSource(count++, node - 1, CHAIN);
    for (let e = edges.inHead[node]; e >= 0; e = edges.inNext[e]) {
      if (edges.implied[e] === 1 || (e < seen && changed[edges.from[e]] === 0)) continue;
      if (e < before) this.insertSource(count++, edges.from[e], e);
      else this.greater(node, edges.from[e], ALL); // which may be updated later
    }
    let joined = 0;
    for (let i = 0; i < count; i++) {
      if (this.someKnows(joined, sources[i])) {
        if (through[i] >= 0) edges.implied[through[i]] = 1;
        continue;
      }
      sources[joined++] = sources[i];
      this.greater(node, sources[i], through[i] < seen ? changed[sources[i]] : ALL);
    }
  }

  /** Inserts into the first `count` sources, ordered by place. */
  private insertSource(count: number, from: number, edge: number): void {
    const { placeOf, sources, through } = this;
    let at = count;
    for (; at > 0 && placeOf[sources[at - 1]] < placeOf[from]; at--) {
      sources[at] = sources[at - 1];
      through[at] = through[at - 1];
    }
    sources[at] = from;
    through[at] = edge;
  }

  /** Tells whether the node is in the past of one of the first sources. */
  private someKnows(count: number, from: number): boolean {
    const s = this.nodes.nodeSession[from];
    if (s < 0) return false;
    const at = from - this.nodes.nodeStart[s];
    for (let i = 0; i < count; i++) if (this.rows[this.sources[i] * this.stride + s] > at) return true;
    return false;
  }

  /**
   * A kernel: takes the greater of each entry of some words. It handles all entries of a word at once, and has no
   * branch on their values.
   */
  private greater(node: number, from: number, of: number): void {
    const { rows, words, rowWords, wordsABit, laneShift, grownShift, stride } = this;
    const { nodeSession, nodeStart } = this.nodes;
    const ahead = (from - node) * rowWords;
    const end = (node + 1) * rowWords;
    let grown = 0;
    for (let first = node * rowWords, bit = 1; first < end; first += wordsABit, bit <<= 1) {
      if ((of & bit) === 0) continue;
      const last = Math.min(first + wordsABit, end);
      let more = 0;
      for (let w = first; w < last; w++) {
        const mine = words[w];
        const other = words[w + ahead];
        const both = laneShift === 2 ? greaterBytes(mine, other) : laneShift === 1 ? greaterHalves(mine, other) : Math.max(mine, other);
        words[w] = both;
        more |= both ^ mine;
      }
      if (more !== 0) grown |= bit;
    }
    const s = nodeSession[from];
    if (s >= 0 && rows[node * stride + s] <= from - nodeStart[s]) {
      rows[node * stride + s] = from - nodeStart[s] + 1;
      grown |= 1 << (s >> grownShift);
    }
    this.grown |= grown;
  }
}

/**
 * Takes the greater of each of four byte pairs. A guard bit above each byte is lost where the byte is not greater than
 * the other one. The remaining bits become masks of eight bits that select the bytes. Two bytes are handled at a time,
 * so that there is room for the guard bits.
 */
function greaterBytes(mine: number, other: number): number {
  return greaterOfTwo(mine & 0x00ff00ff, other & 0x00ff00ff) | (greaterOfTwo((mine >>> 8) & 0x00ff00ff, (other >>> 8) & 0x00ff00ff) << 8);
}

function greaterOfTwo(mine: number, other: number): number {
  const kept = ((mine | 0x01000100) - other) & 0x01000100;
  const whose = kept - (kept >>> 8);
  return (mine & whose) | (other & ~whose);
}

/** Does the same for two halves. */
function greaterHalves(mine: number, other: number): number {
  return greaterOfOne(mine & 0xffff, other & 0xffff) | (greaterOfOne(mine >>> 16, other >>> 16) << 16);
}

function greaterOfOne(mine: number, other: number): number {
  const kept = ((mine | 0x10000) - other) & 0x10000;
  const whose = kept - (kept >>> 16);
  return (mine & whose) | (other & ~whose);
}
