/**
 * Is there an order of the transactions that explains every read? First what follows (saturate.ts), in rounds, each along
 * an order that breaks few reads (schedule.ts); an order that breaks none is the answer. Then decisions under clause
 * learning, only about what an order breaks. Every 'yes' is an order that has been run (replay.ts); every 'no' names the
 * transactions that it rests on.
 */
import { InternalError } from '../../core/index-kv.ts';
import { Clauses } from './clauses.ts';
import { Decisions } from './decisions.ts';
import { knownEdges, EDGE } from './edges.ts';
import type { Edges } from './edges.ts';
import { Order } from './order.ts';
import type { Problem } from './problem.ts';
import { Reasons } from './reasons.ts';
import { replay } from './replay.ts';
import type { Broken } from './replay.ts';
import { Saturation, clockBytes } from './saturate.ts';
import { schedule } from './schedule.ts';

export interface SolveOptions {
  /** Conflicts before giving up. */
  readonly budget: number;
  readonly maxMegabytes?: number;
  readonly progress?: (line: () => string) => void;
}

export interface SolveNumbers {
  readonly rounds: number;
  /** Pairs of writers that an order broke, before and after what follows was drawn; variables that were made. */
  readonly brokenFirst: number;
  readonly brokenLast: number;
  readonly variables: number;
  readonly conflicts: number;
  readonly decisions: number;
}

export type Solved =
  | { readonly answer: true; readonly order: Int32Array; readonly numbers: SolveNumbers }
  | { readonly answer: false; readonly core: Int32Array; readonly numbers: SolveNumbers }
  | { readonly answer: 'unknown'; readonly reason: string; readonly numbers: SolveNumbers };

/** Edges that an incremental order may look at for each conflict of the budget. */
const WORK = 20_000;
const BROKEN_AT_ONCE = 20_000;
const CLOCKS_AT_MOST = 1_600_000_000;

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
    for (;;) {
      const order = schedule(problem, edges);
      if (order.length < problem.nodeCount) return this.cyclic(order);
      const broken = replay(problem, order, unchosen, BROKEN_AT_ONCE);
      numbers.brokenLast = broken.count;
      if (numbers.brokenFirst < 0) numbers.brokenFirst = broken.count;
      options.progress?.(
        () => `${problem.size} transactions: after ${numbers.rounds} rounds of what follows, an order breaks ${broken.count} reads`,
      );
      if (broken.count === 0) return { answer: true, order, numbers };
      const added = this.saturation?.round(order) ?? 0;
      numbers.rounds++;
      if (added === 0) return this.decide(order, broken);
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
    const budget = (): boolean => {
      if (clauses.conflicts % 256 === 0)
        options.progress?.(() => `${problem.size} transactions: ${decisions.variables.length} choices, ${clauses.conflicts} conflicts`);
      return clauses.conflicts < options.budget && order.work < WORK * (options.budget + 1000);
    };
    const count = (): void =>
      void Object.assign(numbers, { variables: decisions.variables.length, conflicts: clauses.conflicts, decisions: clauses.decisions });
    for (let next = broken; ;) {
      const found = clauses.search(this.ask(next, decisions, clauses, order, choiceClauses), budget);
      count();
      if (found === 'budget') return { answer: 'unknown', reason: this.given(), numbers };
      if (found !== 'open') return { answer: false, core: this.core(found, clauses, decisions, choiceClauses), numbers };
      next = replay(problem, order.sequence, decisions.chosen, BROKEN_AT_ONCE);
      if (next.count === 0) return { answer: true, order: order.sequence, numbers };
    }
  }

  /** The variables of what is broken, new ones where there are none yet. */
  private ask(
    { first, second, choices }: Broken,
    decisions: Decisions,
    clauses: Clauses,
    order: Order,
    choiceClauses: Map<number, number>,
  ): readonly number[] {
    const { versionTxn, commit, versions } = this.problem;
    const wanted = new Set<number>();
    for (let i = 0; i < first.length; i++) {
      if (first[i] >= versions || second[i] >= versions) throw new InternalError('solver: an order breaks a read of an initial version');
      const [a, b] = [versionTxn[first[i]], versionTxn[second[i]]];
      const { variable, fresh } = decisions.pair(a, b);
      wanted.add(variable);
      if (fresh) clauses.variable(order.place[commit[Math.min(a, b)]] < order.place[commit[Math.max(a, b)]] ? 0 : 1);
    }
    for (const choice of choices) {
      for (const variable of decisions.readings(choice, (versions) => {
        const made = versions.map(() => clauses.variable(1));
        choiceClauses.set(choice, clauses.add(made.map((v) => 2 * v)));
      }))
        wanted.add(variable);
    }
    const open = [...wanted].filter((v) => !clauses.hasValue(v));
    if (open.length === 0) throw new InternalError('solver: an order breaks reads that are decided already');
    return open;
  }

  private given(): string {
    const { size } = this.problem;
    const { variables, conflicts, brokenFirst, brokenLast } = this.numbers;
    const clocks = this.saturation === undefined ? ' (there was no memory for the clocks that say what follows)' : '';
    return `${size} transactions: an order broke ${brokenFirst} reads, ${brokenLast} after what follows was drawn${clocks}; of ${variables} choices the search tried ${conflicts} that do not go together, and gave up`;
  }

  /** Everything that the refutation came from. */
  private core(refutation: number, clauses: Clauses, decisions: Decisions, choiceClauses: ReadonlyMap<number, number>): Int32Array {
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
      const lemma = lemmaOf.get(part);
      if (lemma === undefined) continue;
      for (const edge of decisions.lemmas[lemma].known) known.add(edge);
      for (const t of decisions.lemmas[lemma].transactions) transactions.add(t);
    }
    return new Reasons(this.problem, this.edges, this.saturation).transactions(known, transactions);
  }
}

/** Without clocks: readers of an initial version before the first writer of each session. */
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
