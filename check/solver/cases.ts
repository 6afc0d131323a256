/**
 * Writes a refutation as a case distinction. One of two writers of a key comes first. Each of the two orders leads to a
 * cycle, perhaps after a further distinction. It serves the few transactions of a shrunk witness. All pairs are tried
 * at each step, those first that leave only one order. A distinction that its cases do not use is left out.
 */
import { keyName, txnText, valueText } from '../mini/describe.ts';
import type { Step } from '../mini/dependencies.ts';
import { EDGE, demandEnds, knownEdges } from './edges.ts';
import type { Edges } from './edges.ts';
import { CHAIN } from './order.ts';
import type { PathStep } from './order.ts';
import type { Choice, Demand, Problem } from './problem.ts';
import { Reasons } from './reasons.ts';
import { schedule } from './schedule.ts';
import { initialFirst } from './solve.ts';
import { demandsOf, groundsOf } from './weak-levels.ts';

export type Case =
  | { readonly kind: 'cycle'; readonly steps: readonly CaseStep[]; readonly used: ReadonlySet<number> }
  | {
      readonly kind: 'split';
      readonly ways: readonly { readonly assumed: Assumed; readonly follows: Case }[];
      readonly used: ReadonlySet<number>;
    };

/** Transactions and operations of the history. */
export type Assumed =
  | { readonly kind: 'order'; readonly first: number; readonly second: number }
  | { readonly kind: 'writer'; readonly reader: number; readonly read: number; readonly writer: number };

export interface CaseStep extends Step {
  /** The read because of which a weaker level demands this order of two writers. */
  readonly demandedBy?: number;
}

/** The most cycles of a case distinction. A longer one is not readable. */
const MOST = 24;

interface Assumption {
  readonly assumed: Assumed;
  readonly draw: () => void;
}

/** Returns undefined if it would be too long. */
export function casesOf(problem: Problem): Case | undefined {
  return new Distinction(problem).run(new Set());
}

class Distinction {
  private readonly problem: Problem;
  private readonly edges: Edges;
  private readonly fixed: number;
  /** For each edge beyond the known ones, the splits whose assumptions draw it together. */
  private readonly drawnBy: (readonly number[])[] = [];
  private readonly splits: readonly (readonly Assumption[])[];
  /** The assumptions, each with its split: which transaction is before which, and which version a choice reads. */
  private readonly before = new Map<number, number>();
  private readonly chosen: Int32Array;
  private readonly chosenBy: Int32Array;
  private current = 0;
  private left = MOST;
  /** The problem's demands, and those that rest on assumptions, as numbers of edges. */
  private demands: readonly Demand[] = [];

  constructor(problem: Problem) {
    this.problem = problem;
    this.edges = knownEdges(problem);
    initialFirst(problem, this.edges);
    this.fixed = this.edges.count;
    this.chosen = new Int32Array(problem.choices.length).fill(-1);
    this.chosenBy = this.chosen.slice();
    this.splits = [...this.pairSplits(), ...problem.choices.map((choice, c) => this.choiceSplit(choice, c))];
  }

  run(done: ReadonlySet<number>): Case | undefined {
    const leaf = this.cycle();
    if (leaf !== undefined) return --this.left < 0 ? undefined : leaf;
    // The search takes the split that leaves the fewest open cases.
    let best: readonly Assumption[] | undefined;
    let fewest = Infinity;
    for (const [i, split] of this.splits.entries()) {
      if (done.has(i)) continue;
      const open = split.filter((assumption) => this.under(assumption, i, () => this.cycle()) === undefined).length;
      if (open < fewest) [best, fewest] = [split, open];
    }
    if (best === undefined) return undefined;
    const at = this.splits.indexOf(best);
    const ways: { assumed: Assumed; follows: Case }[] = [];
    for (const assumption of best) {
      const follows = this.under(assumption, at, () => this.run(new Set([...done, at])));
      if (follows === undefined) return undefined;
      if (!follows.used.has(at)) return follows;
      ways.push({ assumed: assumption.assumed, follows });
    }
    const used = new Set(ways.flatMap(({ follows }) => [...follows.used]));
    used.delete(at);
    return { kind: 'split', ways, used };
  }

  private under<T>(assumption: Assumption, at: number, search: () => T): T {
    const [mark, outer] = [this.edges.count, this.current];
    const [before, chosen] = [new Map(this.before), this.chosen.slice()];
    this.current = at;
    assumption.draw();
    this.current = outer;
    const seen = search();
    this.takeBack(mark);
    this.before.clear();
    for (const [pair, split] of before) this.before.set(pair, split);
    this.chosen.set(chosen);
    return seen;
  }

  private cycle(): Case | undefined {
    const mark = this.edges.count;
    this.drawDemands();
    const found = this.cycleOf();
    this.takeBack(mark);
    return found;
  }

  /** Draws the demands of weaker levels that follow from the assumed choices. */
  private drawDemands(): void {
    const { problem, edges, chosen, chosenBy } = this;
    this.demands = [...problem.demands];
    if (problem.toChoose.length === 0) return;
    const assumed = [...demandsOf(problem, chosen)].map((demand) => ({ demand, rests: groundsOf(problem, demand, chosen).choices }));
    this.demands = [...problem.demands, ...assumed.map(({ demand }) => demand)];
    assumed.forEach(({ demand, rests }, i) => {
      edges.add(...demandEnds(problem, demand), EDGE.demand, problem.demands.length + i);
      this.drawnBy.push(rests.map((choice) => chosenBy[choice]));
    });
  }

  private takeBack(mark: number): void {
    while (this.edges.count > mark) {
      this.edges.drop();
      this.drawnBy.pop();
    }
  }

  private cycleOf(): Case | undefined {
    const { problem, edges } = this;
    const placed = schedule(problem, edges);
    if (placed.length === problem.nodeCount) return undefined;
    const path = new Reasons(problem, edges, undefined).cycle(placed);
    const used = new Set(path.flatMap(({ edge }) => (edge >= this.fixed ? this.drawnBy[edge - this.fixed] : [])));
    return { kind: 'cycle', steps: stepsOf(problem, edges, path, this.demands), used };
  }

  private draw(from: number, to: number, kind: number, why: number, other: number = this.current): void {
    this.edges.add(from, to, kind, why);
    this.drawnBy.push([this.current, other]);
  }

  private *pairSplits(): Generator<readonly Assumption[]> {
    const { keyCount, keyStart, keyVersion, versionTxn, size } = this.problem;
    const seen = new Set<number>();
    for (let key = 0; key < keyCount; key++) {
      for (let i = keyStart[key]; i < keyStart[key + 1]; i++) {
        for (let j = i + 1; j < keyStart[key + 1]; j++) {
          const [a, b] = [versionTxn[keyVersion[i]], versionTxn[keyVersion[j]]];
          if (seen.has(a * size + b)) continue;
          seen.add(a * size + b);
          yield [this.order(a, b), this.order(b, a)];
        }
      }
    }
  }

  private order(x: number, y: number): Assumption {
    const { txn } = this.problem;
    return { assumed: { kind: 'order', first: txn[x], second: txn[y] }, draw: () => this.drawOrder(x, y) };
  }

  private drawOrder(x: number, y: number): void {
    const { begin, commit, writeStart, writeKey, readerStart, readerSlot, slotTxn, size, choices, readVersion } = this.problem;
    this.before.set(x * size + y, this.current);
    for (let v = writeStart[x]; v < writeStart[x + 1]; v++) {
      for (let w = writeStart[y]; w < writeStart[y + 1]; w++) {
        if (writeKey[v] !== writeKey[w]) continue;
        this.draw(commit[x], begin[y], EDGE.ww, v);
        for (let i = readerStart[v]; i < readerStart[v + 1]; i++)
          if (slotTxn[readerSlot[i]] !== y) this.draw(begin[slotTxn[readerSlot[i]]], commit[y], EDGE.rw, readerSlot[i]);
        choices.forEach(({ slot }, c) => {
          if (this.chosen[c] === v && slotTxn[slot] !== y && slot < readVersion.length)
            this.draw(begin[slotTxn[slot]], commit[y], EDGE.rw, slot, this.chosenBy[c]);
        });
      }
    }
  }

  private choiceSplit({ slot, versions }: Choice, c: number): readonly Assumption[] {
    const { txn, slotTxn, versionTxn, begin, commit, size, keyStart, keyVersion, writeKey, readVersion, readOp } = this.problem;
    const reader = slotTxn[slot];
    return versions.map((version) => ({
      assumed: { kind: 'writer', reader: txn[reader], read: readOp[slot], writer: txn[versionTxn[version]] },
      draw: () => {
        this.chosen[c] = version;
        this.chosenBy[c] = this.current;
        this.draw(commit[versionTxn[version]], begin[reader], EDGE.wr, slot);
        const key = writeKey[version];
        if (slot >= readVersion.length) return; // a slot of a weaker level
        for (let i = keyStart[key]; i < keyStart[key + 1]; i++) {
          const later = versionTxn[keyVersion[i]];
          const split = this.before.get(versionTxn[version] * size + later);
          if (later !== reader && split !== undefined) this.draw(begin[reader], commit[later], EDGE.rw, slot, split);
        }
      },
    }));
  }
}

/**
 * Turns edges into steps between transactions. Begin to commit is no step, and a path through real-time nodes is one.
 */
function stepsOf(problem: Problem, edges: Edges, path: readonly PathStep[], demands: readonly Demand[]): readonly CaseStep[] {
  const { nodeTxn, txn } = problem;
  const first = path.findIndex(({ from }) => nodeTxn[from] >= 0);
  const steps: CaseStep[] = [];
  let from = -1;
  for (const step of [...path.slice(first), ...path.slice(0, first)]) {
    if (nodeTxn[step.from] >= 0) from = nodeTxn[step.from];
    const to = nodeTxn[step.to];
    if (to < 0 || to === from) continue;
    steps.push({ from: txn[from], to: txn[to], ...relation(problem, edges, step, to, demands) });
  }
  return steps;
}

function relation(
  problem: Problem,
  edges: Edges,
  { edge }: PathStep,
  to: number,
  demands: readonly Demand[],
): Omit<CaseStep, 'from' | 'to'> {
  const { readOp, writeOp, writeKey } = problem;
  const written = (key: number): number => writtenBy(problem, to, key);
  if (edge === CHAIN) return { rel: 'so', fromOp: -1, toOp: -1 };
  const why = edges.why[edge];
  if (edges.kind[edge] === EDGE.realTime) return { rel: 'rt', fromOp: -1, toOp: -1 };
  if (edges.kind[edge] === EDGE.ww) return { rel: 'ww', fromOp: writeOp[why], toOp: written(writeKey[why]) };
  if (edges.kind[edge] === EDGE.demand) return demanded(problem, demands[why]);
  if (edges.kind[edge] === EDGE.rw) return { rel: 'rw', fromOp: readOp[why], toOp: written(slotKey(problem, why)) };
  return { rel: 'wr', fromOp: readOp[why], toOp: readOp[why] };
}

/** Returns the operation with which a transaction wrote the key. */
function writtenBy({ writeStart, writeKey, writeOp }: Problem, t: number, key: number): number {
  for (let v = writeStart[t]; v < writeStart[t + 1]; v++) if (writeKey[v] === key) return writeOp[v];
  return -1;
}

/** A reader's level demands that the version it read is the last among those it had seen. */
function demanded(problem: Problem, { first, second, slot }: Demand): Omit<CaseStep, 'from' | 'to'> {
  const { links, txn, slotTxn, readOp, weak, keyOf } = problem;
  const { history } = links;
  const read = readOp[slot];
  const key = keyOf(read);
  const reader = slotTxn[slot];
  if (second < 0) return { rel: 'rw', fromOp: read, toOp: writtenBy(problem, first, key) };
  const because = `${txnText(history, txn[reader])}, at ${weak(reader)}, has ${txnText(history, txn[first])} before it and reads key ${keyName(history, read)} as ${valueText(history, read)}`;
  return { rel: 'ww', fromOp: writtenBy(problem, first, key), toOp: writtenBy(problem, second, key), because, demandedBy: read };
}

function slotKey({ readVersion, versions, writeKey, choices }: Problem, slot: number): number {
  const v = readVersion[slot];
  if (v < 0) return writeKey[choices[-1 - v].versions[0]];
  return v < versions ? writeKey[v] : v - versions;
}
