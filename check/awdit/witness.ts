/**
 * Turns a cyclic commit order into anomalies (AWDIT, section 3.4). First comes one cycle per strongly connected
 * component of session order and write-read. Then comes one per component of the whole commit order without such a
 * cycle, with the fewest inferred edges, each of them justified. An inferred edge into the initial transaction is a
 * cycle by itself.
 */
import { KV_INITIAL } from '../../core/index-kv.ts';
import type { KvAnomaly, KvCycleStep } from '../../core/index.ts';
import { buildCsr, cheapestCycle, stronglyConnected } from '../../graph/index.ts';
import type { AnomalyList } from './anomaly-list.ts';
import { LEVELS_BROKEN } from './describe.ts';
import type { AwditAnomalyName, Describer } from './describe.ts';
import { BY_STRENGTH, justify } from './justify.ts';
import type { AwditState } from './state.ts';

/** Inferred edges in columns. `to` may be INITIAL. */
export interface EdgeColumns {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly read: Int32Array;
}

const NO_READ = -1;

interface CommitGraph {
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
  /** For each edge: 1 if it is inferred, and the read that it rests on, NO_READ for session order. */
  readonly costly: Uint8Array;
  readonly read: Int32Array;
}

/** Adds one cycle per component. Returns for each transaction whether a so u wr cycle is in its component. */
export function listCausalityCycles(state: AwditState, done: Uint8Array, describer: Describer, list: AnomalyList): number {
  const graph = commitGraph(state, done, undefined);
  return listCycles(state, graph, done, describer, list, undefined);
}

export function listCommitCycles(state: AwditState, done: Uint8Array, edges: EdgeColumns, describer: Describer, list: AnomalyList): void {
  let initials = 0;
  for (let i = 0; i < edges.to.length && !list.full; i++) {
    if (edges.to[i] >= 0) continue;
    // Beyond a limit they are only counted, because a justification walks the history.
    if (++initials <= 1000) list.add(initialCycle(state, describer, edges.from[i], edges.read[i]));
  }
  if (list.full) return;
  const causal = commitGraph(state, done, undefined);
  const { count, component } = stronglyConnected(state.txnCount, causal.starts, causal.targets);
  const size = new Uint32Array(count);
  for (let v = 0; v < component.length; v++) size[component[v]]++;
  const graph = commitGraph(state, done, edges);
  listCycles(state, graph, done, describer, list, (v) => size[component[v]] > 1);
}

/**
 * Lists one cycle per component of more than one transaction, unless `skip` holds for a member. Returns their number.
 */
function listCycles(
  state: AwditState,
  graph: CommitGraph,
  done: Uint8Array,
  describer: Describer,
  list: AnomalyList,
  skip: ((v: number) => boolean) | undefined,
): number {
  const { component, count, memberStarts, members } = stronglyConnected(state.txnCount, graph.starts, graph.targets);
  let cycles = 0;
  for (let c = count - 1; c >= 0 && !list.full; c--) {
    if (memberStarts[c + 1] - memberStarts[c] < 2) continue;
    const inside = members.subarray(memberStarts[c], memberStarts[c + 1]);
    if (skip !== undefined && inside.some(skip)) continue;
    // In a component without a cycle of history edges every cycle has an inferred edge. The search begins there.
    const starts = skip === undefined ? inside : inside.filter((v) => hasInferred(graph, v, component));
    const cycle = cheapestCycle(graph, starts, (v) => component[v] === c);
    if (cycle === undefined) continue;
    cycles++;
    list.add(cycleAnomaly(state, graph, describer, cycle));
  }
  return cycles;
}

function hasInferred(graph: CommitGraph, v: number, component: Int32Array): boolean {
  for (let e = graph.starts[v]; e < graph.starts[v + 1]; e++)
    if (graph.costly[e] === 1 && component[graph.targets[e]] === component[v]) return true;
  return false;
}

/** Builds the graph of session order, reads and the inferred edges among the transactions that are not done. */
function commitGraph(state: AwditState, done: Uint8Array, inferred: EdgeColumns | undefined): CommitGraph {
  const { history, from, live, opStart, opEnd, txnCount, rank } = state;
  const { sessionCount, sessionStart, kind } = history;
  let count = 0;
  const visit = (add: (v: number, w: number, read: number) => void): void => {
    for (let s = 0; s < sessionCount; s++) {
      let before = -1;
      for (let i = sessionStart[s]; i < sessionStart[s + 1]; i++) {
        const t = rank[i];
        if (live[t] === 0 || done[t] === 1) continue;
        if (before >= 0) add(before, t, NO_READ);
        before = t;
        for (let op = opStart[t]; op < opEnd[t]; op++) if (kind[op] !== 1 && from[op] >= 0 && done[from[op]] === 0) add(from[op], t, op);
      }
    }
  };
  visit(() => count++);
  const ofHistory = count;
  if (inferred !== undefined)
    for (let i = 0; i < inferred.from.length; i++)
      if (inferred.to[i] >= 0 && done[inferred.from[i]] === 0 && done[inferred.to[i]] === 0) count++;
  const v = new Int32Array(count);
  const w = new Int32Array(count);
  const read = new Int32Array(count);
  let at = 0;
  const add = (a: number, b: number, op: number): void => {
    v[at] = a;
    w[at] = b;
    read[at++] = op;
  };
  visit(add);
  if (inferred !== undefined)
    for (let i = 0; i < inferred.from.length; i++)
      if (inferred.to[i] >= 0 && done[inferred.from[i]] === 0 && done[inferred.to[i]] === 0)
        add(inferred.from[i], inferred.to[i], inferred.read[i]);
  const csr = buildCsr(txnCount, v, w);
  const costly = new Uint8Array(count);
  const reads = new Int32Array(count);
  for (let e = 0; e < count; e++) {
    costly[e] = csr.order[e] >= ofHistory ? 1 : 0;
    reads[e] = read[csr.order[e]];
  }
  return { starts: csr.starts, targets: csr.targets, costly, read: reads };
}

function cycleAnomaly(state: AwditState, graph: CommitGraph, describer: Describer, cycle: readonly number[]): KvAnomaly {
  const steps: KvCycleStep[] = [];
  let name: AwditAnomalyName = 'CyclicCO';
  let from = graph.targets[cycle[cycle.length - 1]];
  for (const e of cycle) {
    const to = graph.targets[e];
    if (graph.costly[e] === 1) {
      const why = justify(state, describer, from, to, graph.read[e]);
      if (BY_STRENGTH.indexOf(why.name) > BY_STRENGTH.indexOf(name)) name = why.name;
      steps.push(why.step);
    } else if (graph.read[e] === NO_READ) {
      steps.push({
        from: describer.index(from),
        to: describer.index(to),
        rel: 'so',
        operations: [],
        explanation: `${describer.txnTitle(to)} comes after ${describer.txnName(from)} in the same session`,
      });
    } else {
      const read = graph.read[e];
      const write = describer.lastWrite(from, read);
      steps.push({
        from: describer.index(from),
        to: describer.index(to),
        rel: 'wr',
        key: describer.key(read),
        operations: [describer.operation(write, from), describer.operation(read, to)],
        explanation: `${describer.txnTitle(to)} reads ${describer.pair(read)} from ${describer.txnName(from)}`,
      });
    }
    from = to;
  }
  return anomalyOf(name, steps);
}

function initialCycle(state: AwditState, describer: Describer, t2: number, read: number): KvAnomaly {
  const why = justify(state, describer, t2, KV_INITIAL, read);
  return anomalyOf(why.name, [
    {
      from: KV_INITIAL,
      to: describer.index(t2),
      rel: 'so',
      operations: [],
      explanation: `the initial transaction comes before ${describer.txnTitle(t2)}`,
    },
    why.step,
  ]);
}

function anomalyOf(name: AwditAnomalyName, cycle: readonly KvCycleStep[]): KvAnomaly {
  return {
    name,
    levels: LEVELS_BROKEN[name],
    cycle,
    transactions: cycle.map((step) => step.from),
    operations: cycle.flatMap((step) => step.operations),
    explanation: cycle.map((step) => step.explanation).join('; '),
  };
}
