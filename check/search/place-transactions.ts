/**
 * The search proper: puts transactions one after another into a serial order (or begins and commits into the order of a
 * snapshot-isolated execution), which decides the order of every key's writers. With unique values the state after a
 * prefix depends only on how far each session has come (Biswas and Enea, OOPSLA 2019, section 4), so a state that failed
 * once is never tried again, and the search is exact: it ends with an order, or with the proof that there is none, or
 * with its budget.
 *
 * A transaction overwrites a version only when all its other readers have read. A move that cannot harm is made without
 * a choice: a transaction that may go now and reads every key it writes commutes with whatever could come before it
 * (nobody else is left to touch the versions it replaces). So only blind writes cost choices.
 */
import type { Problem } from './problem.ts';
import type { Saturation } from './saturate.ts';

export interface Placement {
  readonly answer: boolean | 'budget';
  /** Choices made. */
  readonly steps: number;
  readonly states: number;
  /** The most transactions that were ever placed together. */
  readonly deepest: number;
  /** The transactions (places) in an order that works, when there is one: by commit. */
  readonly order: readonly number[];
}

const BEGIN = 0;
const COMMIT = 1;

interface Choice {
  readonly key: string;
  readonly moves: readonly number[];
  next: number;
  readonly trail: number;
}

export function placeTransactions(problem: Problem, saturation: Saturation, snapshot: boolean, budget: number): Placement {
  const board = new Board(problem, saturation, snapshot);
  const failed = new Set<string>();
  const stack: Choice[] = [];
  let steps = 0;
  let deepest = 0;
  const result = (answer: boolean | 'budget'): Placement => ({ answer, steps, states: failed.size, deepest, order: answer === true ? board.committedOrder() : [] });
  for (;;) {
    // make every harmless move, then look where we are
    board.drift();
    deepest = Math.max(deepest, board.placed);
    if (board.placed === problem.size) return result(true);
    const key = board.key();
    const moves = failed.has(key) ? [] : board.choices();
    stack.push({ key, moves, next: 0, trail: board.mark() });
    // the next untried move of the innermost choice that has one
    for (;;) {
      const choice = stack[stack.length - 1];
      if (choice === undefined) return result(false);
      board.undo(choice.trail);
      if (choice.next < choice.moves.length) {
        if (++steps > budget) return result('budget');
        board.move(choice.moves[choice.next++]);
        break;
      }
      failed.add(choice.key);
      stack.pop();
    }
  }
}

/** How far every session has come, and what follows from it; every move can be undone. */
class Board {
  placed = 0;
  private readonly problem: Problem;
  private readonly snapshot: boolean;
  private readonly head: Int32Array;
  /** Per transaction: 0 waiting, 1 begun, 2 committed. */
  private readonly state: Uint8Array;
  /** Per version: readers that have not read. */
  private readonly pending: Int32Array;
  /** Per key: the version in force (initial: -1 or its number); transactions begun that write it. */
  private readonly current: Int32Array;
  private readonly active: Int32Array;
  private readonly before: readonly (readonly number[])[];
  private readonly sessionOf: Int32Array;
  private prefix = 0;
  /** Moves made: node, then what the undo needs. */
  private readonly trail: { readonly node: number; readonly prefix: number; readonly replaced: readonly number[] }[] = [];

  constructor(problem: Problem, saturation: Saturation, snapshot: boolean) {
    const { size, versions, keys } = problem;
    this.problem = problem;
    this.snapshot = snapshot;
    this.head = new Int32Array(problem.sessions.length);
    this.state = new Uint8Array(size);
    this.pending = Int32Array.from(versions, (version) => version.readers.length);
    this.current = Int32Array.from(keys, (key) => key.initial);
    this.active = new Int32Array(keys.length);
    const before: number[][] = Array.from({ length: 2 * size }, () => []);
    for (let e = 0; e < saturation.source.length; e++) {
      const [from, to] = [saturation.source[e], saturation.target[e]];
      if (from < 2 * size && to < (snapshot ? 2 : 1) * size && (snapshot || from < size)) before[to].push(from);
    }
    this.before = before;
    this.sessionOf = new Int32Array(size);
    problem.sessions.forEach((session, s) => session.forEach((t) => (this.sessionOf[t] = s)));
  }

  key(): string {
    if (!this.snapshot) return this.head.join();
    return this.head.map((at, s) => 2 * at + (at < this.problem.sessions[s].length && this.state[this.problem.sessions[s][at]] === 1 ? 1 : 0)).join();
  }

  mark(): number {
    return this.trail.length;
  }

  undo(mark: number): void {
    while (this.trail.length > mark) this.takeBack();
  }

  committedOrder(): readonly number[] {
    const { size } = this.problem;
    return this.trail.map((row) => row.node).filter((node) => !this.snapshot || node >= size).map((node) => node % size);
  }

  /** Moves that cannot harm, until there are none. */
  drift(): void {
    for (let moved = true; moved; ) {
      moved = false;
      for (let s = 0; s < this.head.length; s++) {
        for (let t = this.at(s); t >= 0; t = this.at(s)) {
          if (this.state[t] !== 0 || !this.harmless(t)) break;
          this.move(t);
          if (this.snapshot) this.move(this.problem.size + t);
          moved = true;
        }
      }
    }
  }

  /** Nodes to choose between, the file's order first. */
  choices(): readonly number[] {
    const { size, hint } = this.problem;
    const nodes: number[] = [];
    for (let s = 0; s < this.head.length; s++) {
      const t = this.at(s);
      if (t < 0) continue;
      if (this.state[t] === 0) {
        if (this.mayBegin(t) && (this.snapshot || this.mayCommit(t))) nodes.push(t);
      } else if (this.mayCommit(t)) nodes.push(size + t);
    }
    // commits before begins: what is begun holds its keys
    return nodes.sort((a, b) => Number(b >= size) - Number(a >= size) || hint[a % size] - hint[b % size]);
  }

  move(node: number): void {
    const { size, reads, writes, versions, realTime } = this.problem;
    const t = node % size;
    const phase = node >= size ? COMMIT : BEGIN;
    const replaced: number[] = [];
    if (phase === BEGIN) {
      for (const v of reads[t]) this.pending[v]--;
      if (this.snapshot) for (const v of writes[t]) this.active[versions[v].key]++;
      this.state[t] = 1;
    }
    const prefix = this.prefix;
    if (phase === COMMIT || !this.snapshot) {
      for (const v of writes[t]) {
        replaced.push(this.current[versions[v].key]);
        this.current[versions[v].key] = v;
        if (this.snapshot) this.active[versions[v].key]--;
      }
      this.state[t] = 2;
      this.placed++;
      this.head[this.sessionOf[t]]++;
      if (realTime !== undefined) while (this.prefix < realTime.byEnd.length && this.state[this.problem.place[realTime.byEnd[this.prefix]]] === 2) this.prefix++;
    }
    this.trail.push({ node, prefix, replaced });
  }

  private takeBack(): void {
    const row = this.trail.pop();
    if (row === undefined) return;
    const { size, reads, writes, versions } = this.problem;
    const t = row.node % size;
    const phase = row.node >= size ? COMMIT : BEGIN;
    if (phase === COMMIT || !this.snapshot) {
      writes[t].forEach((v, i) => {
        this.current[versions[v].key] = row.replaced[i];
        if (this.snapshot) this.active[versions[v].key]++;
      });
      this.placed--;
      this.head[this.sessionOf[t]]--;
      this.prefix = row.prefix;
      this.state[t] = 1;
    }
    if (phase === BEGIN) {
      for (const v of reads[t]) this.pending[v]++;
      if (this.snapshot) for (const v of writes[t]) this.active[versions[v].key]--;
      this.state[t] = 0;
    }
  }

  private at(s: number): number {
    const session = this.problem.sessions[s];
    return this.head[s] < session.length ? session[this.head[s]] : -1;
  }

  private harmless(t: number): boolean {
    const { reads, writes, versions } = this.problem;
    if (!this.mayBegin(t)) return false;
    for (const v of writes[t]) {
      const now = this.current[versions[v].key];
      if (!reads[t].includes(now) || this.pending[now] !== 1) return false;
    }
    return !this.snapshot || this.known(this.problem.size + t, t);
  }

  private mayBegin(t: number): boolean {
    const { reads, writes, versions, realTime, txn } = this.problem;
    if (realTime !== undefined && realTime.rank[txn[t]] > this.prefix) return false;
    for (const v of reads[t]) if (versions[v].writer >= 0 && this.state[versions[v].writer] !== 2) return false;
    if (this.snapshot) for (const v of writes[t]) if (this.active[versions[v].key] > 0) return false;
    return this.known(t, -1);
  }

  /** Are all other readers of the versions it replaces through? */
  private mayCommit(t: number): boolean {
    const { reads, writes, versions, size } = this.problem;
    for (const v of writes[t]) {
      const now = this.current[versions[v].key];
      if (now < 0) continue;
      const own = this.state[t] === 0 && reads[t].includes(now) ? 1 : 0;
      if (this.pending[now] > own) return false;
    }
    return !this.snapshot || this.known(size + t, -1);
  }

  /** Did everything happen that is known to come before this node? `except` is about to begin. */
  private known(node: number, except: number): boolean {
    const { size } = this.problem;
    for (const from of this.before[node]) {
      if (from === except) continue;
      const reached = from >= size || !this.snapshot ? 2 : 1;
      if (this.state[from % size] < reached) return false;
    }
    return true;
  }
}
