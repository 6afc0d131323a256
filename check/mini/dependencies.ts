/**
 * Draws the dependency graph of the transactions that could not be scheduled, only to find witnesses: so, wr, rw (and
 * rt), with the operations that each edge rests on. A ww edge of a mini-transaction always runs beside a wr edge, so it
 * adds nothing. Session order and real time are chains of nodes that cost nothing, so one step may cover any distance
 * along them.
 */
import type { StrongLevel } from '../../core/index.ts';
import { OP } from '../../core/index-kv.ts';
import { cyclesOf } from './cycle-search.ts';
import type { Links } from './link.ts';
import { overwriters } from './schedule.ts';
import type { Schedule } from './schedule.ts';

export interface Step {
  readonly from: number;
  readonly to: number;
  readonly rel: 'so' | 'wr' | 'ww' | 'rw' | 'rt';
  /** The operations of `from` and of `to`, -1 for so and rt. */
  readonly fromOp: number;
  readonly toOp: number;
  /** The reason of an inferred edge. */
  readonly because?: string;
  /** Replaces the sentence that the relation would give the step. */
  readonly sentence?: string;
}

type Rel = Step['rel'] | 'inner';

/** Returns at most `most` cycles, one per strongly connected component. */
export function stuckCycles(links: Links, schedule: Schedule, level: StrongLevel, most: number): readonly (readonly Step[])[] {
  const { history, external, opTxn } = links;
  const { done } = schedule;
  const overwriter = overwriters(links);
  const nodes: number[] = [];
  const place = new Int32Array(history.txnCount).fill(-1);
  for (let t = 0; t < history.txnCount; t++) if (done[t] === 0) place[t] = nodes.push(t) - 1;
  const n = nodes.length;
  const snapshot = level === 'snapshot-isolation';
  // Begin and commit are one node unless the level is snapshot isolation.
  const begin = (t: number): number => place[t];
  const commit = (t: number): number => (snapshot ? n + place[t] : place[t]);
  const chain = (t: number): number => (snapshot ? 2 * n : n) + place[t];
  const real = snapshot ? 2 * n : n;
  const edges = { source: [] as number[], target: [] as number[], rel: [] as Rel[], fromOp: [] as number[], toOp: [] as number[] };
  const add = (source: number, target: number, rel: Rel, fromOp = -1, toOp = -1): void => {
    edges.source.push(source);
    edges.target.push(target);
    edges.rel.push(rel);
    edges.fromOp.push(fromOp);
    edges.toOp.push(toOp);
  };
  for (let s = 0; s < history.sessionCount; s++) {
    let before = -1;
    for (let t = history.sessionStart[s]; t < history.sessionStart[s + 1]; t++) {
      if (place[t] < 0) continue;
      if (snapshot) add(begin(t), commit(t), 'inner');
      add(commit(t), chain(t), 'so');
      if (before >= 0) {
        add(chain(before), chain(t), 'so');
        add(chain(before), begin(t), 'so');
      }
      before = t;
    }
  }
  for (const t of nodes) {
    for (let op = history.opStart[t]; op < history.opEnd[t]; op++) {
      const v = external[op];
      if (v >= 0) {
        if (history.kind[v] === OP.write && place[opTxn[v]] >= 0) add(commit(opTxn[v]), begin(t), 'wr', v, op);
        const w = overwriter[v];
        if (w >= 0 && opTxn[w] !== t && place[opTxn[w]] >= 0) add(begin(t), commit(opTxn[w]), 'rw', op, w);
      }
    }
  }
  let nodeCount = real + n;
  if (level === 'strict-serializable') nodeCount += addRealTime(links, nodes, nodeCount, add);
  const free = (e: number): boolean => edges.rel[e] === 'inner' || edges.target[e] >= real;
  const cycles = cyclesOf(nodeCount, edges, (v) => v < n, free, most);
  const txnOf = (node: number): number => (node < real ? nodes[node % n] : -1);
  return cycles.map((cycle) => steps(cycle, edges, txnOf));
}

function addRealTime(
  links: Links,
  nodes: readonly number[],
  base: number,
  add: (source: number, target: number, rel: Rel) => void,
): number {
  const { beginAt, endAt } = links.history;
  if (beginAt === undefined || endAt === undefined) return 0;
  const ended = nodes.map((t, i) => ({ t, i })).filter(({ t }) => Number.isFinite(endAt[t]));
  ended.sort((a, b) => endAt[a.t] - endAt[b.t]);
  ended.forEach(({ i }, j) => {
    add(i, base + j, 'rt');
    if (j > 0) add(base + j - 1, base + j, 'rt');
  });
  nodes.forEach((t, i) => {
    let low = 0;
    let high = ended.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (endAt[ended[middle].t] < beginAt[t]) low = middle + 1;
      else high = middle;
    }
    if (low > 0) add(base + low - 1, i, 'rt');
  });
  return ended.length;
}

/**
 * Turns edges into steps between transactions. A path through chain nodes becomes one so or rt step, and inner edges
 * vanish.
 */
function steps(
  cycle: readonly number[],
  edges: { source: number[]; target: number[]; rel: Rel[]; fromOp: number[]; toOp: number[] },
  txnOf: (node: number) => number,
): readonly Step[] {
  const first = cycle.findIndex((e) => txnOf(edges.source[e]) >= 0);
  const turned = [...cycle.slice(first), ...cycle.slice(0, first)];
  const result: Step[] = [];
  let from = -1;
  for (const e of turned) {
    if (txnOf(edges.source[e]) >= 0) from = txnOf(edges.source[e]);
    const to = txnOf(edges.target[e]);
    const rel = edges.rel[e];
    if (to < 0 || rel === 'inner') continue;
    result.push({ from, to, rel, fromOp: edges.fromOp[e], toOp: edges.toOp[e] });
  }
  return result;
}
