/**
 * Derives forced edges without guessing. It takes the known edges (so, wr, real time, every write after a read of the
 * initial version) and their transitive closure in bitsets. From it follow the forced orders of writers, until nothing
 * new follows.
 *
 *   a, b write one key and a's begin reaches b's commit:  a before b, so a ww b, and readers of a rw b
 *   r reads w's version and w' (same key) reaches r:       w' before w, so w' ww w
 *
 * Serializability has one node a transaction. Snapshot isolation has two, begin and commit: so, wr and ww run from a
 * commit to a begin and rw from a begin to a commit (check/mini/schedule.ts). A cycle of forced edges is a proof that
 * the level is violated. Each forced edge keeps its reason. O(rounds (n edges / 32 + readers x writers of a key)).
 */
import { buildCsr } from '../../graph/index.ts';
import { txnText, keyName } from '../mini/describe.ts';
import { cyclesOf } from '../mini/cycle-search.ts';
import type { Step } from '../mini/dependencies.ts';
import type { Problem } from './problem.ts';

export interface Saturation {
  /** A cycle that no order of writers can avoid. */
  readonly cycle: readonly Step[] | undefined;
  /** The edges between nodes: begin(t) = t, commit(t) = t or size + t. */
  readonly source: readonly number[];
  readonly target: readonly number[];
  readonly rounds: number;
  /** The number of decided ordered pairs of writers of one key, and of all pairs. */
  readonly decided: number;
  readonly pairs: number;
  /** The reason why the closure was not computed, if it was not. */
  readonly skipped: string | undefined;
}

interface Edges {
  readonly source: number[];
  readonly target: number[];
  readonly steps: (Step | undefined)[];
}

/** With more transactions than this, or more reader-writer pairs, the closure costs more than it saves. */
const MAX_CLOSURE = 16_384;
const MAX_PAIRS = 40_000_000;

export function saturate(problem: Problem, snapshot: boolean): Saturation {
  const { size, txn, versions, keys, links } = problem;
  const { history } = links;
  const commit = (t: number): number => (snapshot ? size + t : t);
  const nodes = (snapshot ? 2 : 1) * size;
  const edges: Edges = { source: [], target: [], steps: [] };
  const add = (source: number, target: number, step: Step | undefined): void => {
    edges.source.push(source);
    edges.target.push(target);
    edges.steps.push(step);
  };
  const step = (from: number, to: number, rel: Step['rel'], fromOp: number, toOp: number, because?: string): Step => ({
    from: txn[from],
    to: txn[to],
    rel,
    fromOp,
    toOp,
    ...(because === undefined ? {} : { because }),
  });

  for (const session of problem.sessions)
    for (let i = 1; i < session.length; i++) add(commit(session[i - 1]), session[i], step(session[i - 1], session[i], 'so', -1, -1));
  if (snapshot) for (let t = 0; t < size; t++) add(t, commit(t), undefined);
  let triples = 0;
  let pairs = 0;
  for (const key of keys) pairs += key.written.length * (key.written.length - 1);
  for (const version of versions) {
    triples += version.readers.length * keys[version.key].written.length;
    if (version.writer < 0) continue;
    for (const reader of version.readers)
      add(commit(version.writer), reader.txn, step(version.writer, reader.txn, 'wr', version.op, reader.op));
  }
  const chainStart = nodes;
  const chainNodes = problem.realTime === undefined ? 0 : addRealTime(problem, chainStart, add);
  const allNodes = nodes + chainNodes;
  const give = (skipped: string | undefined, rounds: number, cycle: readonly Step[] | undefined, decided: number): Saturation => ({
    cycle,
    source: edges.source,
    target: edges.target,
    rounds,
    decided,
    pairs,
    skipped,
  });
  if (allNodes > MAX_CLOSURE * 2 || triples > MAX_PAIRS || pairs > MAX_PAIRS) {
    return give(`${size} transactions with ${pairs} pairs of writers are too many for the closure of forced edges`, 0, cycle(), 0);
  }

  // Every reader of the initial version comes before every other writer of the key.
  for (const key of keys) {
    if (key.initial < 0) continue;
    for (const reader of versions[key.initial].readers) {
      for (const w of key.written) {
        if (versions[w].writer !== reader.txn)
          add(reader.txn, commit(versions[w].writer), step(reader.txn, versions[w].writer, 'rw', reader.op, versions[w].op));
      }
    }
  }
  // decided[w] is the set of the versions known to come after version w.
  const after: Set<number>[] = versions.map(() => new Set<number>());
  const words = (allNodes + 31) >> 5;
  let decided = 0;
  const order = (a: number, b: number, because: string): void => {
    if (after[a].has(b)) return;
    after[a].add(b);
    decided++;
    const [from, to] = [versions[a].writer, versions[b].writer];
    add(commit(from), to, step(from, to, 'ww', versions[a].op, versions[b].op, because));
    for (const reader of versions[a].readers) {
      if (reader.txn !== to)
        add(
          reader.txn,
          commit(to),
          step(
            reader.txn,
            to,
            'rw',
            reader.op,
            versions[b].op,
            `${txnText(history, txn[from])}, which wrote what it read, comes before ${txnText(history, txn[to])}: ${because}`,
          ),
        );
    }
  };
  for (let round = 1; ; round++) {
    const found = cycle();
    if (found !== undefined) return give(undefined, round, found, decided);
    const before = decided;
    const reach = closure(allNodes, edges, words);
    const reaches = (a: number, b: number): boolean => (reach[a * words + (b >> 5)] & (1 << (b & 31))) !== 0;
    for (const key of keys) {
      for (const w of key.written) {
        const writer = versions[w].writer;
        for (const other of key.written) {
          if (other === w || after[w].has(other)) continue;
          const rival = versions[other].writer;
          if (reaches(writer, commit(rival))) {
            order(w, other, `${txnText(history, txn[writer])} precedes ${txnText(history, txn[rival])} by the other edges`);
            continue;
          }
          // The loop searches for a reader of the other version that this writer's commit reaches.
          const seen = versions[other].readers.find((reader) => reader.txn !== writer && reaches(commit(writer), reader.txn));
          if (seen !== undefined) {
            order(
              w,
              other,
              `${txnText(history, txn[seen.txn])} comes after ${txnText(history, txn[writer])} and still reads key ${keyName(history, seen.op)} from ${txnText(history, txn[rival])}`,
            );
          }
        }
      }
    }
    if (decided === before) return give(undefined, round, undefined, decided);
  }

  function cycle(): readonly Step[] | undefined {
    const free = (e: number): boolean => edges.steps[e] === undefined;
    const [found] = cyclesOf(nodes + chainNodes, edges, (v) => v < size, free, 1);
    if (found === undefined) return undefined;
    const steps = found.flatMap((e) => edges.steps[e] ?? []);
    // A step out of the real-time chain comes from the node where the cycle entered the chain.
    return steps.map((row, i) => (row.from >= 0 ? row : { ...row, from: steps[(i + steps.length - 1) % steps.length].to }));
  }
}

/** Adds the chain of sorted ends. Its last edge, out of the chain, is the rt step. */
function addRealTime(problem: Problem, base: number, add: (source: number, target: number, step: Step | undefined) => void): number {
  const { realTime, place, txn, size } = problem;
  if (realTime === undefined) return 0;
  const { byEnd, rank } = realTime;
  byEnd.forEach((t, i) => {
    add(place[t], base + i, undefined);
    if (i > 0) add(base + i - 1, base + i, undefined);
  });
  for (let t = 0; t < size; t++) {
    const r = rank[txn[t]];
    if (r > 0) add(base + r - 1, t, { from: -1, to: txn[t], rel: 'rt', fromOp: -1, toOp: -1 });
  }
  return byEnd.length;
}

/** Computes reachability by one pass in reverse topological order (the graph is acyclic here). */
function closure(nodes: number, edges: Edges, words: number): Int32Array {
  const { starts, targets } = buildCsr(nodes, edges.source, edges.target);
  const reach = new Int32Array(nodes * words);
  for (const v of reverseTopological(nodes, starts, targets)) {
    const row = v * words;
    for (let e = starts[v]; e < starts[v + 1]; e++) {
      const w = targets[e];
      const other = w * words;
      for (let i = 0; i < words; i++) reach[row + i] |= reach[other + i];
      reach[row + (w >> 5)] |= 1 << (w & 31);
    }
  }
  return reach;
}

function reverseTopological(nodes: number, starts: Uint32Array, targets: Uint32Array): Int32Array {
  const incoming = new Int32Array(nodes);
  for (let e = 0; e < targets.length; e++) incoming[targets[e]]++;
  const order = new Int32Array(nodes);
  let tail = 0;
  for (let v = 0; v < nodes; v++) if (incoming[v] === 0) order[tail++] = v;
  for (let i = 0; i < tail; i++) {
    const v = order[i];
    for (let e = starts[v]; e < starts[v + 1]; e++) if (--incoming[targets[e]] === 0) order[tail++] = targets[e];
  }
  return order.reverse();
}
