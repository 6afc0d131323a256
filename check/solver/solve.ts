/**
 * Searches for an order of the transactions that explains every read. First it derives edges (saturate.ts), in rounds,
 * each along an order that breaks few reads (schedule.ts). An order that breaks none is the answer. Then it decides
 * under clause learning, only about reads that an order breaks. Every 'yes' is an order that has been run (replay.ts).
 * Every 'no' names the transactions that it rests on.
 */
import { InternalError } from '../../core/index-kv.ts';
import type { SolveNumbers } from '../../core/index.ts';
import { clockBytes } from '../../graph/index.ts';
import { Clauses } from './clauses.ts';
import { Decisions } from './decisions.ts';
import { demandEnds, knownEdges, EDGE } from './edges.ts';
import type { Edges } from './edges.ts';
import { Order } from './order.ts';
import type { Demand, Problem } from './problem.ts';
import { Reasons } from './reasons.ts';
import { reorder } from './reorder.ts';
import { replay, replayParts } from './replay.ts';
import type { Broken } from './replay.ts';
import { Saturation } from './saturate.ts';
import { schedule } from './schedule.ts';
import { demandsOf, groundsOf } from './weak-levels.ts';

export interface SolveOptions {
  /** The number of conflicts before giving up. */
  readonly budget: number;
  readonly maxMegabytes?: number;
  readonly progress?: (line: () => string) => void;
}

const BUDGET = 100_000;

/** Fills in the options that the caller did not give. */
export function solveOptions({ budget = BUDGET, maxMegabytes, progress }: Partial<SolveOptions>): SolveOptions {
  return { budget, ...(maxMegabytes === undefined ? {} : { maxMegabytes }), ...(progress === undefined ? {} : { progress }) };
}

export type Solved =
  | { readonly answer: true; readonly order: Int32Array; readonly numbers: SolveNumbers }
  | { readonly answer: false; readonly core: Int32Array; readonly numbers: SolveNumbers }
  | { readonly answer: 'unknown'; readonly reason: string; readonly numbers: SolveNumbers };

interface Unmet {
  readonly demand: Demand;
  readonly grounds: ReturnType<typeof groundsOf>;
}

/** The number of edges that an incremental order may visit for each conflict of the budget. */
const WORK = 20_000;
const BROKEN_AT_ONCE = 20_000;
/** A round that adds fewer edges a transaction is the last, because decisions find the remaining ones sooner. */
const LITTLE = 0.1;
/** The number of places beside the nodes that moved. */
const MARGIN = 16;
export const CLOCKS_AT_MOST = 1_600_000_000;

export function solve(problem: Problem, options: SolveOptions): Solved {
  return new Solver(problem, options).run();
}

class Solver {
  private readonly problem: Problem;
  private readonly options: SolveOptions;
  private readonly edges: Edges;
  private saturation: Saturation | undefined;
  private numbers = { rounds: 0, brokenFirst: -1, brokenLast: 0, variables: 0, conflicts: 0, decisions: 0 };

  constructor(problem: Problem, options: SolveOptions) {
    this.problem = problem;
    this.options = options;
    this.edges = knownEdges(problem);
  }

  run(): Solved {
    const { problem, edges, options, numbers } = this;
    const unchosen = new Int32Array(problem.choices.length).fill(-1);
    const limit = Math.min(CLOCKS_AT_MOST, (options.maxMegabytes ?? Infinity) * 500_000);
    if (clockBytes(problem) <= limit) this.saturation = new Saturation(problem, edges);
    else initialFirst(problem, edges);
    for (let order = schedule(problem, edges), last = false; ;) {
      if (order.length < problem.nodeCount) return this.cyclic(order);
      const broken = replay(problem, order, unchosen, BROKEN_AT_ONCE);
      numbers.brokenLast = broken.count;
      if (numbers.brokenFirst < 0) numbers.brokenFirst = broken.count;
      options.progress?.(
        () => `${problem.size} transactions: after ${numbers.rounds} rounds of what follows, an order breaks ${broken.count} reads`,
      );
      if (broken.count === 0 && problem.toChoose.length === 0) return this.accepted(order, unchosen);
      if (last || this.saturation === undefined) return this.decide(order, broken);
      last = this.saturation.round(order) < LITTLE * problem.size;
      numbers.rounds++;
      order = last ? schedule(problem, edges) : reorder(problem, edges, order);
    }
  }

  private cyclic(placed: Int32Array): Solved {
    const reasons = new Reasons(this.problem, this.edges, this.saturation);
    const cycle = reasons.cycle(placed);
    const { nodeTxn } = this.problem;
    const on = cycle.flatMap(({ from }) => (nodeTxn[from] < 0 ? [] : [nodeTxn[from]]));
    return {
      answer: false,
      core: reasons.transactions(
        cycle.map(({ edge }) => edge).filter((edge) => edge >= 0),
        on,
      ),
      numbers: this.numbers,
    };
  }

  private decide(sequence: Int32Array, broken: Broken): Solved {
    const { problem, edges, options, numbers } = this;
    const order = new Order(problem, edges, sequence.slice());
    const decisions = new Decisions(problem, edges, order);
    const clauses = new Clauses(decisions);
    const choiceClauses = new Map<number, number>();
    const lemmas = new Map<number, readonly number[]>();
    const budget = (): boolean => {
      if (clauses.conflicts % 256 === 0)
        options.progress?.(() => `${problem.size} transactions: ${decisions.variables.length} choices, ${clauses.conflicts} conflicts`);
      return clauses.conflicts < options.budget && order.work < WORK * (options.budget + 1000);
    };
    const count = (): void =>
      void Object.assign(numbers, { variables: decisions.variables.length, conflicts: clauses.conflicts, decisions: clauses.decisions });
    for (let next = broken, learned = false; ;) {
      const open = this.ask(next, decisions, clauses, order, choiceClauses);
      if (open.length === 0 && !learned) throw new InternalError('solver: an order breaks reads that are decided already');
      const found = clauses.search(open, budget);
      count();
      if (found === 'budget') return { answer: 'unknown', reason: this.given(), numbers };
      if (found !== 'open') return { answer: false, core: this.core(found, clauses, decisions, choiceClauses, lemmas), numbers };
      learned = false;
      next = this.brokenByMoves(order, decisions.chosen);
      if (next.count > 0) continue;
      next = replay(problem, order.sequence, decisions.chosen, BROKEN_AT_ONCE);
      order.takeMoves(0);
      const chosen = problem.toChoose.every((choice) => decisions.chosen[choice] >= 0);
      const unmet = chosen ? this.unmet(order.place, decisions.chosen) : [];
      if (chosen && next.count === 0 && unmet.length === 0) return this.accepted(order.sequence, decisions.chosen);
      learned = unmet.length > 0;
      if (learned) this.learn(unmet, decisions, clauses, order, lemmas);
      if (lemmas.size > options.budget) return { answer: 'unknown', reason: this.given(), numbers };
    }
  }

  /**
   * Finds what the last decisions broke close to the nodes they moved. This is much faster than a replay of the whole
   * order.
   */
  private brokenByMoves(order: Order, chosen: Int32Array): Broken {
    const parts = order.takeMoves(MARGIN) ?? [];
    return replayParts(this.problem, order.sequence, parts, chosen, BROKEN_AT_ONCE);
  }

  /** Accepts an order that was run, after testing its demands again. */
  private accepted(order: Int32Array, chosen: Int32Array): Solved {
    if (this.problem.weakVersion.length > 0) {
      const place = new Int32Array(order.length);
      for (let i = 0; i < order.length; i++) place[order[i]] = i;
      if (this.unmet(place, chosen).length > 0) throw new InternalError('solver: an order breaks what a weaker level demands');
    }
    return { answer: true, order, numbers: this.numbers };
  }

  /** Returns the demands of weaker levels that follow from the choices and that the order does not keep. */
  private unmet(place: Int32Array, chosen: Int32Array): readonly Unmet[] {
    const { problem } = this;
    const found: Unmet[] = [];
    for (const demand of demandsOf(problem, chosen)) {
      const [from, to] = demandEnds(problem, demand);
      if (place[from] > place[to] || demand.second < 0) found.push({ demand, grounds: groundsOf(problem, demand, chosen) });
    }
    return found;
  }

  /**
   * Adds a clause for each: these choices imply that order of the two writers. All are built before the first takes
   * decisions back.
   */
  private learn(
    unmet: readonly Unmet[],
    decisions: Decisions,
    clauses: Clauses,
    order: Order,
    lemmas: Map<number, readonly number[]>,
  ): void {
    const written = unmet.map(({ demand: { first, second }, grounds: { transactions, choices } }) => {
      const literals = choices.map((choice) => decisions.literalOfChoice(choice) ^ 1);
      if (second >= 0) literals.push(2 * this.pair(first, second, decisions, clauses, order) + (first < second ? 0 : 1));
      return { literals, rests: [...transactions, ...choices.flatMap((choice) => decisions.choiceTransactions(choice))] };
    });
    for (const { literals, rests } of written) lemmas.set(clauses.addLemma(literals), rests);
  }

  private pair(a: number, b: number, decisions: Decisions, clauses: Clauses, order: Order): number {
    const { commit } = this.problem;
    const { variable, fresh } = decisions.pair(a, b);
    const [first, second] = [order.place[commit[Math.min(a, b)]], order.place[commit[Math.max(a, b)]]];
    if (fresh) clauses.variable(first < second ? 0 : 1, Math.min(first, second));
    return variable;
  }

  /** Returns the variables of what is broken, and makes those that do not exist yet. */
  private ask(
    { first, second, choices }: Broken,
    decisions: Decisions,
    clauses: Clauses,
    order: Order,
    choiceClauses: Map<number, number>,
  ): readonly number[] {
    const { versionTxn, versions, toChoose, slotTxn, begin } = this.problem;
    const wanted = new Set<number>();
    for (let i = 0; i < first.length; i++) {
      if (first[i] >= versions || second[i] >= versions) throw new InternalError('solver: an order breaks a read of an initial version');
      const [a, b] = [versionTxn[first[i]], versionTxn[second[i]]];
      wanted.add(this.pair(a, b, decisions, clauses, order));
    }
    for (const choice of [...choices, ...toChoose]) {
      for (const variable of decisions.readings(choice, (versions) => {
        const last = this.lastBefore(choice, order);
        const at = order.place[begin[slotTxn[this.problem.choices[choice].slot]]];
        const made = versions.map((version) => clauses.variable(version === last ? 0 : 1, at));
        choiceClauses.set(choice, clauses.add(made.map((v) => 2 * v)));
      }))
        wanted.add(variable);
    }
    return [...wanted].filter((v) => !clauses.hasValue(v));
  }

  /** Returns the version whose writer an order puts last before the reader, which is tried first, or -1. */
  private lastBefore(choice: number, { place }: Order): number {
    const { choices, slotTxn, begin, commit, versionTxn } = this.problem;
    const { slot, versions } = choices[choice];
    const reader = place[begin[slotTxn[slot]]];
    let [last, at] = [-1, -1];
    for (const version of versions) {
      const writer = place[commit[versionTxn[version]]];
      if (writer < reader && writer > at) [last, at] = [version, writer];
    }
    return last;
  }

  private given(): string {
    const { size } = this.problem;
    const { variables, conflicts, brokenFirst, brokenLast } = this.numbers;
    const clocks = this.saturation === undefined ? ' (there was no memory for the clocks that say what follows)' : '';
    return `${size} transactions: an order broke ${brokenFirst} reads, ${brokenLast} after what follows was drawn${clocks}; of ${variables} choices the search tried ${conflicts} that do not go together, and gave up`;
  }

  /** Returns every transaction that the refutation came from. */
  private core(
    refutation: number,
    clauses: Clauses,
    decisions: Decisions,
    choiceClauses: ReadonlyMap<number, number>,
    lemmas: ReadonlyMap<number, readonly number[]>,
  ): Int32Array {
    const lemmaOf = clauses.theoryClauses;
    const choiceOf = new Map([...choiceClauses].map(([choice, clause]) => [clause, choice]));
    const known = new Set<number>();
    const transactions = new Set<number>();
    const seen = new Set<number>([refutation]);
    for (const part of seen) {
      for (const next of part < 0 ? clauses.whyAtZero(-1 - part) : clauses.antecedents[part]) seen.add(next);
      if (part < 0) continue;
      const choice = choiceOf.get(part);
      if (choice !== undefined) for (const t of decisions.choiceTransactions(choice)) transactions.add(t);
      for (const t of lemmas.get(part) ?? []) transactions.add(t);
      const lemma = lemmaOf.get(part);
      if (lemma === undefined) continue;
      for (const edge of decisions.lemmas[lemma].known) known.add(edge);
      for (const t of decisions.lemmas[lemma].transactions) transactions.add(t);
    }
    return new Reasons(this.problem, this.edges, this.saturation).transactions(known, transactions);
  }
}

/** Puts readers of an initial version before the first writer of each session, without clocks. */
export function initialFirst(problem: Problem, edges: Edges): void {
  const { keyCount, versions, readerStart, readerSlot, slotTxn, keyGroup, groupStart, keyVersion, versionTxn, begin, commit } = problem;
  for (let key = 0; key < keyCount; key++) {
    for (let i = readerStart[versions + key]; i < readerStart[versions + key + 1]; i++) {
      const reader = slotTxn[readerSlot[i]];
      for (let g = keyGroup[key]; g < keyGroup[key + 1]; g++) {
        const at = groupStart[g];
        const writer = versionTxn[keyVersion[at]];
        if (writer !== reader) edges.add(begin[reader], commit[writer], EDGE.rw, readerSlot[i]);
        else if (at + 1 < groupStart[g + 1]) edges.add(begin[reader], commit[versionTxn[keyVersion[at + 1]]], EDGE.rw, readerSlot[i]);
      }
    }
  }
}
