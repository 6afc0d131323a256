/**
 * The decisions of the clauses: which of two transactions that write one key comes first, and whose write a read of a
 * repeated value returned. A literal that becomes true draws its edges into the order. A cycle is a conflict of the
 * literals whose edges are on it. A decision becomes a variable only after an order has broken it.
 *
 *   x before y                     commit of x -> begin of y; a reader of x's version of a key of both -> commit of y
 *   read c is of x's version       commit of x -> begin of the reader; with "x before y": the reader -> commit of y
 */
import type { Edges } from './edges.ts';
import { EDGE } from './edges.ts';
import type { Theory } from './clauses.ts';
import { CHAIN } from './order.ts';
import type { Order, PathStep } from './order.ts';
import type { Problem } from './problem.ts';

/** The facts that a conflict rests on beside its literals. */
export interface Lemma {
  readonly literals: readonly number[];
  /** Edges that no literal drew. */
  readonly known: readonly number[];
  readonly transactions: readonly number[];
}

interface Pair {
  readonly kind: 'pair';
  readonly first: number;
  readonly second: number;
}

interface Reading {
  readonly kind: 'reading';
  readonly choice: number;
  readonly version: number;
}

export class Decisions implements Theory {
  readonly variables: (Pair | Reading)[] = [];
  /** The conflicts of edges, in the order in which `assert` found them. */
  readonly lemmas: Lemma[] = [];
  /** For each choice, the version that a true literal names, or -1. */
  readonly chosen: Int32Array;
  private readonly problem: Problem;
  private readonly edges: Edges;
  private readonly order: Order;
  private readonly fixed: number;
  private readonly pairs = new Map<number, number>();
  /** For each edge that a literal drew, the literals. */
  private readonly drawnBy: (readonly number[])[] = [];
  private readonly marks: number[] = [];
  /**
   * For each literal of a pair that was true once, the edges it draws (`edgesOf`). Most are taken back and drawn again
   * many times.
   */
  private readonly drawnByPair: (Int32Array | undefined)[] = [];
  /** For each transaction, the literals that put it before another. For each version, the choices that may read it. */
  private readonly beforeOthers = new Map<number, number[]>();
  private readonly choicesOf = new Map<number, number[]>();
  private readonly literalOf: Int32Array;
  private readonly ofChoice = new Map<number, readonly number[]>();

  constructor(problem: Problem, edges: Edges, order: Order) {
    this.problem = problem;
    this.edges = edges;
    this.order = order;
    this.fixed = edges.count;
    this.chosen = new Int32Array(problem.choices.length).fill(-1);
    this.literalOf = new Int32Array(problem.choices.length).fill(-1);
  }

  /** Returns the variable of two transactions, the next number if it is new. */
  pair(a: number, b: number): { readonly variable: number; readonly fresh: boolean } {
    const [first, second] = a < b ? [a, b] : [b, a];
    const key = first * this.problem.size + second;
    const known = this.pairs.get(key);
    if (known !== undefined) return { variable: known, fresh: false };
    this.pairs.set(key, this.variables.length);
    this.drawnByPair.push(undefined, undefined);
    return { variable: this.variables.push({ kind: 'pair', first, second }) - 1, fresh: true };
  }

  /** Returns the variables of a choice, one for each version, in its order. `make` is called if they are new. */
  readings(choice: number, make: (versions: readonly number[]) => void): readonly number[] {
    const known = this.ofChoice.get(choice);
    if (known !== undefined) return known;
    const { versions } = this.problem.choices[choice];
    const variables = versions.map((version) => this.variables.push({ kind: 'reading', choice, version }) - 1);
    this.ofChoice.set(choice, variables);
    for (const _ of variables) this.drawnByPair.push(undefined, undefined);
    make(versions);
    return variables;
  }

  assert(literal: number): readonly number[] | undefined {
    this.marks.push(this.edges.count);
    const variable = this.variables[literal >> 1];
    if (variable.kind === 'reading') return (literal & 1) === 1 ? undefined : this.read(variable, literal);
    const { first, second } = variable;
    return (literal & 1) === 0 ? this.before(first, second, literal) : this.before(second, first, literal);
  }

  retract(literal: number): void {
    const mark = this.marks.pop() as number;
    while (this.edges.count > mark) {
      this.edges.drop();
      this.drawnBy.pop();
    }
    const variable = this.variables[literal >> 1];
    if (variable.kind === 'pair') {
      const list = this.beforeOthers.get((literal & 1) === 0 ? variable.first : variable.second);
      if (list?.at(-1) === literal) list.pop();
      return;
    }
    if ((literal & 1) === 1 || this.literalOf[variable.choice] !== literal) return;
    this.chosen[variable.choice] = this.literalOf[variable.choice] = -1;
    this.choicesOf.get(variable.version)?.pop();
  }

  private before(x: number, y: number, literal: number): readonly number[] | undefined {
    const drawn = (this.drawnByPair[literal] ??= this.edgesOf(x, y));
    const literals = [literal];
    for (let i = 0; i < drawn.length; i += 3) {
      const clash = this.draw(drawn[i], drawn[i + 1], i === 0 ? EDGE.ww : EDGE.rw, drawn[i + 2], literals);
      if (clash !== undefined) return clash;
    }
    if (this.choicesOf.size > 0) {
      for (const version of this.shared(x, y)) {
        for (const choice of this.choicesOf.get(version) ?? []) {
          const found = this.choiceFirst(choice, y, literal);
          if (found !== undefined) return found;
        }
      }
    }
    push(this.beforeOthers, x, literal);
    return undefined;
  }

  /**
   * Returns the edges of "x before y" that hold whatever is chosen: from, to and slot of each, the first between the
   * two themselves.
   */
  private edgesOf(x: number, y: number): Int32Array {
    const { begin, commit, readerStart, readerSlot, slotTxn } = this.problem;
    const drawn = [commit[x], begin[y], -1];
    for (const version of this.shared(x, y)) {
      for (let i = readerStart[version]; i < readerStart[version + 1]; i++) {
        const reader = slotTxn[readerSlot[i]];
        if (reader !== y) drawn.push(begin[reader], commit[y], readerSlot[i]);
      }
    }
    return Int32Array.from(drawn);
  }

  private read({ choice, version }: Reading, literal: number): readonly number[] | undefined {
    const { begin, commit, versionTxn, choices, slotTxn, writeKey } = this.problem;
    const writer = versionTxn[version];
    const reader = slotTxn[choices[choice].slot];
    if (this.chosen[choice] >= 0) {
      // One of two writers overwrote the other before the reader came.
      const other = this.literalOf[choice];
      this.lemmas.push({ literals: [literal, other], known: [], transactions: [writer, versionTxn[this.chosen[choice]], reader] });
      return [literal, other];
    }
    const clash = this.draw(commit[writer], begin[reader], EDGE.wr, choices[choice].slot, [literal]);
    if (clash !== undefined) return clash;
    this.chosen[choice] = version;
    this.literalOf[choice] = literal;
    push(this.choicesOf, version, choice);
    for (const literalBefore of this.beforeOthers.get(writer) ?? []) {
      const variable = this.variables[literalBefore >> 1] as Pair;
      const later = (literalBefore & 1) === 0 ? variable.second : variable.first;
      const found = this.writes(later, writeKey[version]) ? this.choiceFirst(choice, later, literalBefore) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private choiceFirst(choice: number, later: number, literal: number): readonly number[] | undefined {
    const { begin, commit, choices, slotTxn, readVersion } = this.problem;
    const { slot } = choices[choice];
    // A weaker level asks for no version in force.
    if (slotTxn[slot] === later || slot >= readVersion.length) return undefined;
    return this.draw(begin[slotTxn[slot]], commit[later], EDGE.rw, slot, [literal, this.literalOf[choice]]);
  }

  private draw(from: number, to: number, kind: number, why: number, literals: readonly number[]): readonly number[] | undefined {
    const path = this.order.admit(from, to);
    if (path === undefined) {
      this.edges.add(from, to, kind, why);
      this.drawnBy.push(literals);
      return undefined;
    }
    return this.conflict(path, literals);
  }

  private conflict(path: readonly PathStep[], literals: readonly number[]): readonly number[] {
    const { nodeTxn } = this.problem;
    const found = new Set(literals);
    const known: number[] = [];
    const transactions = new Set<number>();
    for (const { edge, from, to } of path) {
      for (const node of [from, to]) if (nodeTxn[node] >= 0) transactions.add(nodeTxn[node]);
      if (edge === CHAIN) continue;
      if (edge < this.fixed) known.push(edge);
      else for (const literal of this.drawnBy[edge - this.fixed]) found.add(literal);
    }
    for (const literal of found) for (const t of this.transactionsOf(literal)) transactions.add(t);
    this.lemmas.push({ literals: [...found], known, transactions: [...transactions] });
    return [...found];
  }

  private transactionsOf(literal: number): readonly number[] {
    const variable = this.variables[literal >> 1];
    if (variable.kind === 'pair') return [variable.first, variable.second];
    return this.choiceTransactions(variable.choice);
  }

  /** Returns the literal that says which version a choice reads, as long as it is true. */
  literalOfChoice(choice: number): number {
    return this.literalOf[choice];
  }

  /** Returns the reader and all transactions that may have written the value it read. */
  choiceTransactions(choice: number): readonly number[] {
    const { choices, slotTxn, versionTxn } = this.problem;
    return [slotTxn[choices[choice].slot], ...choices[choice].versions.map((v) => versionTxn[v])];
  }

  /** Yields x's versions of the keys that y writes too. */
  private *shared(x: number, y: number): Generator<number> {
    const { writeStart, writeKey } = this.problem;
    for (let v = writeStart[x]; v < writeStart[x + 1]; v++) if (this.writes(y, writeKey[v])) yield v;
  }

  private writes(t: number, key: number): boolean {
    const { writeStart, writeKey } = this.problem;
    for (let v = writeStart[t]; v < writeStart[t + 1]; v++) if (writeKey[v] === key) return true;
    return false;
  }
}

function push(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
