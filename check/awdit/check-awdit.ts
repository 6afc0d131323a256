/**
 * Checks `rc`, `ra` and `cc` of a key-value history (AWDIT, PLDI 2025). Reads are given their writers once. Then the
 * demanded commit order of each level is checked against the order of the file. If all demands go forward, the file's
 * order is a proof. Otherwise the demands are collected and ordered, and explained if they are cyclic.
 */
import type { KvAnomaly, KvHistory, KvReportMode, KvVerdict, AwditLevel } from '../../core/index.ts';
import { runSolo, soloThreadGroup } from '../threads/thread-group.ts';
import type { Steps, ThreadGroup } from '../threads/thread-group.ts';
import { AnomalyList } from './anomaly-list.ts';
import { nameBadReads } from './bad-reads.ts';
import { keepsCausalOrder } from './causal-order.ts';
import { causalLists, saturateCausal } from './causal.ts';
import { Describer, LEVELS_BROKEN } from './describe.ts';
import { InferredEdges } from './edges.ts';
import { awditMegabytes } from './memory.ts';
import { taskSize } from './number-keys.ts';
import { prepare } from './prepare.ts';
import { ReadAtomic, SessionWriters } from './read-atomic.ts';
import { ReadCommitted } from './read-committed.ts';
import type { AwditState } from './state.ts';
import { topologicalOrder } from './topological-order.ts';
import type { Incoming } from './topological-order.ts';
import { listCausalityCycles, listCommitCycles } from './witness.ts';
import type { EdgeColumns } from './witness.ts';

export interface AwditOptions {
  readonly report?: KvReportMode;
  /** The megabytes that the check may take on top of the history. Past it the answer is unknown. */
  readonly maxMegabytes?: number;
  readonly progress?: (phase: string) => void;
  /** Called with each verdict as soon as it is known. */
  readonly answered?: (verdict: KvVerdict) => void;
}

export function checkAwdit(history: KvHistory, level: AwditLevel, options: AwditOptions = {}): KvVerdict {
  return runSolo(awditProgram(soloThreadGroup(), history, [level], options))[0];
}

export function checkAwditLevels(history: KvHistory, levels: readonly AwditLevel[], options: AwditOptions = {}): readonly KvVerdict[] {
  return runSolo(awditProgram(soloThreadGroup(), history, levels, options));
}

/** Rank 0 returns the verdicts. The other threads return an empty list. */
export function* awditProgram(
  threadGroup: ThreadGroup,
  history: KvHistory,
  levels: readonly AwditLevel[],
  options: AwditOptions = {},
): Steps<readonly KvVerdict[]> {
  const needed = Math.max(0, ...levels.map((level) => awditMegabytes(history, level)));
  const limit = options.maxMegabytes ?? Infinity;
  if (needed > limit) return threadGroup.rank === 0 ? levels.map((level) => outOfMemory(level, needed, limit)) : [];
  options.progress?.('finding the writer of every read');
  const state = yield* prepare(threadGroup, history);
  const verdicts: KvVerdict[] = [];
  for (const level of levels) {
    options.progress?.(`checking ${level}`);
    const trial = !state.forward ? 1 : yield* backwardEdges(threadGroup, state, level, options);
    if (threadGroup.rank !== 0) continue;
    const list = new AnomalyList(options.report ?? 'all');
    const describer = new Describer(state);
    nameBadReads(state, describer, list);
    if (trial > 0 && !list.full) {
      const out = decide(state, level, describer, list, limit);
      if (out !== undefined) {
        verdicts.push(outOfMemory(level, out, limit));
        continue;
      }
    }
    const verdict = verdictOf(level, state, list);
    options.answered?.(verdict);
    verdicts.push(verdict);
  }
  return verdicts;
}

export interface CommitOrder {
  /** The transactions, by their index in the history. */
  readonly order: Uint32Array;
  /** The levels that the order satisfies. */
  readonly levels: readonly AwditLevel[];
}

/**
 * Returns a commit order that needs no search, and the levels that it proves. The result is undefined if reads are bad
 * or ambiguous.
 */
export function commitOrderOf(history: KvHistory, levels: readonly AwditLevel[]): CommitOrder | undefined {
  return runSolo(commitOrderProgram(soloThreadGroup(), history, levels));
}

function* commitOrderProgram(threadGroup: ThreadGroup, history: KvHistory, levels: readonly AwditLevel[]): Steps<CommitOrder | undefined> {
  const state = yield* prepare(threadGroup, history);
  if (!state.forward || state.badReads > 0 || state.ambiguousReads > 0) return undefined;
  const met: AwditLevel[] = [];
  for (const level of levels) if ((yield* backwardEdges(threadGroup, state, level, {})) === 0) met.push(level);
  return { order: state.order, levels: met };
}

function verdictOf(level: AwditLevel, state: AwditState, list: AnomalyList): KvVerdict {
  const { anomalies, rest } = list;
  const more = rest === undefined ? {} : { more: rest };
  if (anomalies.length > 0) return { level, answer: false, anomalies, ...more };
  if (state.ambiguousReads === 0) return { level, answer: true, anomalies };
  return {
    level,
    answer: 'unknown',
    reason: `${state.ambiguousReads} reads return a value that several committed transactions wrote; every write of a key needs a value of its own`,
    anomalies,
  };
}

function outOfMemory(level: AwditLevel, needed: number, limit: number): KvVerdict {
  return {
    level,
    answer: 'unknown',
    reason: `the check needs ${Math.ceil(needed)} MB, and ${Math.floor(limit)} MB are allowed`,
    anomalies: [],
  };
}

/**
 * Counts the demanded edges (and non-repeatable reads) that go against the order of the file. The whole thread group
 * takes part.
 */
function* backwardEdges(threadGroup: ThreadGroup, state: AwditState, level: AwditLevel, options: AwditOptions): Steps<number> {
  const found = yield* threadGroup.share(() => new Int32Array(threadGroup.memory(4)));
  const edges = new InferredEdges(false);
  const { txnCount } = state;
  const size = taskSize(state.history);
  const tasks = Math.ceil(txnCount / size);
  if (level === 'rc') {
    const rule = new ReadCommitted(state);
    yield* threadGroup.loop(tasks, (task) => rule.saturate(task * size, Math.min(txnCount, (task + 1) * size), edges));
    Atomics.add(found, 0, edges.backward);
  } else if (level === 'cc') {
    const unclear = yield* threadGroup.share(() => new Int32Array(threadGroup.memory(4)));
    if (!keepsCausalOrder(state, threadGroup.rank, threadGroup.size)) Atomics.add(unclear, 0, 1);
    yield;
    if (unclear[0] === 0) return 0;
    const lists = yield* threadGroup.share(() => causalLists(state, (bytes) => threadGroup.memory(bytes)));
    const outcome = saturateCausal(state, edges, {
      rank: threadGroup.rank,
      size: threadGroup.size,
      lists,
      maxBytes: ((options.maxMegabytes ?? Infinity) * 1e6) / threadGroup.size,
    });
    Atomics.add(found, 0, edges.backward + (outcome === 'memory' ? 1 : 0));
  } else {
    const rule = new ReadAtomic(state);
    const { sessionCount } = state.history;
    const writers = new SessionWriters(state);
    yield* threadGroup.loop(sessionCount, (s) => writers.saturate(s, s + 1, edges));
    yield* threadGroup.loop(tasks, (task) => rule.saturate(task * size, Math.min(txnCount, (task + 1) * size), edges));
    Atomics.add(found, 0, edges.backward + rule.nonRepeatable);
  }
  yield;
  return found[0];
}

/**
 * Collects the demanded edges and orders them, and adds the anomalies if that fails. Returns the megabytes if it needs
 * too many.
 */
function decide(state: AwditState, level: AwditLevel, describer: Describer, list: AnomalyList, limit: number): number | undefined {
  const { txnCount } = state;
  const { sessionCount } = state.history;
  if (!state.forward) {
    listCausalityCycles(state, topologicalOrder(state).done, describer, list);
    // Behind a cycle of causes, every read would be a causal violation (AWDIT, section 3.4).
    if (level === 'cc' || list.full) return undefined;
  }
  const edges = new InferredEdges(true);
  if (level === 'cc') {
    const outcome = saturateCausal(state, edges, { maxBytes: limit * 1e6 });
    if (outcome === 'memory') return limit * 2;
    if (edges.backward === 0) return undefined;
  } else if (level === 'rc') {
    new ReadCommitted(state).saturate(0, txnCount, edges);
  } else {
    const rule = new ReadAtomic(state);
    new SessionWriters(state).saturate(0, sessionCount, edges);
    rule.saturate(0, txnCount, edges);
    for (const read of rule.nonRepeatableReads) list.add(nonRepeatable(state, describer, read));
    list.count('NonRepeatableRead', rule.nonRepeatable - rule.nonRepeatableReads.length);
    if (list.full) return undefined;
  }
  const columns: EdgeColumns = { from: edges.from.done(), to: edges.to.done(), read: edges.read.done() };
  const whole = topologicalOrder(state, incomingEdges(columns, txnCount));
  if (!whole.complete || columns.to.includes(-1)) listCommitCycles(state, whole.done, columns, describer, list);
  return undefined;
}

function incomingEdges(edges: EdgeColumns, txnCount: number): Incoming {
  const starts = new Uint32Array(txnCount + 1);
  const { from, to } = edges;
  for (let i = 0; i < to.length; i++) if (to[i] >= 0) starts[to[i] + 1]++;
  for (let t = 0; t < txnCount; t++) starts[t + 1] += starts[t];
  const next = starts.slice();
  const sources = new Uint32Array(starts[txnCount]);
  for (let i = 0; i < to.length; i++) if (to[i] >= 0) sources[next[to[i]]++] = from[i];
  return { starts, sources };
}

/** Describes a read whose key was read before from another transaction. */
function nonRepeatable(state: AwditState, describer: Describer, read: number): KvAnomaly {
  const { key, from, opStart } = state;
  const { kind } = state.history;
  const t = describer.txnOf(read);
  let first = opStart[t];
  while (kind[first] === 1 || key[first] !== key[read] || from[first] === from[read] || from[first] < -1) first++;
  const operations = [describer.operation(first, t), describer.operation(read, t)];
  for (const o of [first, read]) if (from[o] >= 0) operations.push(describer.operation(describer.lastWrite(from[o], o), from[o]));
  return {
    name: 'NonRepeatableRead',
    levels: LEVELS_BROKEN.NonRepeatableRead,
    cycle: [],
    transactions: [t, from[first], from[read]].map((v) => describer.index(v)),
    operations,
    explanation: `${describer.txnTitle(t)} reads ${describer.pair(first)} from ${describer.txnName(from[first])} and then ${describer.pair(read)} from ${describer.txnName(from[read])}`,
  };
}
