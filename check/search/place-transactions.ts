/**
 * The search itself. It puts transactions one after another into a serial order (or begins and commits into the order
 * of a snapshot-isolated execution), which decides the order of every key's writers. With unique values the state after
 * a prefix depends only on how far each session has come (Biswas and Enea, OOPSLA 2019, section 4). A state that failed
 * once is therefore never tried again, and the search is exact. It ends with an order, with the proof that there is
 * none, or with its budget.
 *
 * A transaction overwrites a version only when all its other readers have read. A harmless move is made without a
 * choice. It is a transaction that may go now and reads every key it writes. It commutes with all that could come
 * before it, since no other transaction is left to touch the versions it replaces. Only blind writes cost choices.
 *
 * First come greedy attempts that repair themselves. At a dead end the sessions wait for each other in a circle, in
 * which some T waits for a reader of the version that W wrote. W came too early, so it is put right behind T in the
 * order that choices follow, and the attempt starts again. Backtracking begins only if that has not led to an order.
 */
import type { Problem } from './problem.ts';
import type { Saturation } from './saturate.ts';

export interface Placement {
  readonly answer: boolean | 'budget';
  /** The number of choices made. */
  readonly steps: number;
  readonly states: number;
  /** The largest number of transactions that were placed together. */
  readonly deepest: number;
  /** The transactions (places) in an order that works, if there is one, by commit. */
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
  const attempts = repairedAttempts(board, problem.size, budget / 2);
  if (attempts.placed) return { answer: true, steps: attempts.steps, states: 0, deepest: problem.size, order: board.committedOrder() };
  board.undo(0);
  const failed = new Set<string>();
  const stack: Choice[] = [];
  let { steps, deepest } = attempts;
  const result = (answer: boolean | 'budget'): Placement => ({
    answer,
    steps,
    states: failed.size,
    deepest,
    order: answer === true ? board.committedOrder() : [],
  });
  for (;;) {
    // The search makes every harmless move, then looks at the state.
    board.drift();
    deepest = Math.max(deepest, board.placed);
    if (board.placed === problem.size) return result(true);
    const key = board.key();
    const moves = failed.has(key) ? [] : board.choices();
    stack.push({ key, moves, next: 0, trail: board.mark() });
    // The loop takes the next untried move of the innermost choice that has one.
    for (;;) {
      const choice = stack[stack.length - 1];
      if (choice === undefined) return result(false);
      board.undo(choice.trail);
      if (choice.next < choice.moves.length) {
        if (++steps > budget || board.moves > 100 * problem.size + 20_000_000) return result('budget');
        board.move(choice.moves[choice.next++]);
        break;
      }
      failed.add(choice.key);
      stack.pop();
    }
  }
}

/** Leaves the board full if it succeeds. */
function repairedAttempts(board: Board, size: number, budget: number): { placed: boolean; steps: number; deepest: number } {
  let steps = 0;
  let deepest = 0;
  for (let attempt = 0; attempt < 50 + size / 4 && steps < budget && board.moves < 20 * size + 2_000_000; attempt++) {
    board.undo(0);
    for (;;) {
      board.drift();
      deepest = Math.max(deepest, board.placed);
      if (board.placed === size) return { placed: true, steps, deepest };
      const [move] = board.choices();
      if (move === undefined) break;
      steps++;
      board.move(move);
    }
    if (!board.repair()) break;
  }
  return { placed: false, steps, deepest };
}

/** The progress of every session, and the state that follows from it. Every move can be undone. */
class Board {
  placed = 0;
  /** The number of moves ever made. Choices may be few, and the moves that follow from each many. */
  moves = 0;
  private readonly problem: Problem;
  private readonly snapshot: boolean;
  private readonly head: Int32Array;
  /** The state of each transaction: 0 waiting, 1 begun, 2 committed. */
  private readonly state: Uint8Array;
  /** For each version, the number of readers that have not read. */
  private readonly pending: Int32Array;
  /**
   * For each key, the version in force (initial: -1 or its number), and the number of begun transactions that write it.
   */
  private readonly current: Int32Array;
  private readonly active: Int32Array;
  private readonly before: readonly (readonly number[])[];
  private readonly sessionOf: Int32Array;
  /** The order that choices follow: places in the file, changed by repairs. */
  private readonly hint: Float64Array;
  /** Selects the circle of waits that is repaired next, so that two repairs do not undo each other for ever. */
  private turn = 0;
  private prefix = 0;
  /** The moves made: the node, then the data that the undo needs. */
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
    this.hint = Float64Array.from(problem.hint);
    this.sessionOf = new Int32Array(size);
    problem.sessions.forEach((session, s) => session.forEach((t) => (this.sessionOf[t] = s)));
  }

  key(): string {
    if (!this.snapshot) return this.head.join();
    return this.head
      .map((at, s) => 2 * at + (at < this.problem.sessions[s].length && this.state[this.problem.sessions[s][at]] === 1 ? 1 : 0))
      .join();
  }

  mark(): number {
    return this.trail.length;
  }

  undo(mark: number): void {
    while (this.trail.length > mark) this.takeBack();
  }

  committedOrder(): readonly number[] {
    const { size } = this.problem;
    return this.trail
      .map((row) => row.node)
      .filter((node) => !this.snapshot || node >= size)
      .map((node) => node % size);
  }

  /** Makes harmless moves until there are none. */
  drift(): void {
    for (let moved = true; moved;) {
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

  /** Returns the nodes to choose between, in the file's order. */
  choices(): readonly number[] {
    const { size } = this.problem;
    const { hint } = this;
    const nodes: number[] = [];
    for (let s = 0; s < this.head.length; s++) {
      const t = this.at(s);
      if (t < 0) continue;
      if (this.state[t] === 0) {
        if (this.mayBegin(t) && (this.snapshot || this.mayCommit(t))) nodes.push(t);
      } else if (this.mayCommit(t)) nodes.push(size + t);
    }
    // Commits come before begins, because a begun transaction holds its keys.
    return nodes.sort((a, b) => Number(b >= size) - Number(a >= size) || hint[a % size] - hint[b % size]);
  }

  /**
   * Puts one transaction that came too early behind the one that waits for it, at a dead end. Returns false if there is
   * nothing to repair.
   */
  repair(): boolean {
    const heads = this.head.length;
    for (let i = 0; i < heads; i++) {
      const path: number[] = [];
      const early: [waiting: number, early: number][] = [];
      for (let s = (this.turn + i) % heads; ;) {
        const t = this.at(s);
        if (t < 0) break;
        const seen = path.indexOf(s);
        if (seen >= 0) {
          const choices = early.filter(([waiting]) => path.indexOf(this.sessionOf[waiting]) >= seen);
          if (choices.length === 0) break;
          const [waiting, tooEarly] = choices[this.turn % choices.length];
          this.turn++;
          this.hint[tooEarly] = this.hint[waiting] + 0.25 + 0.5 / (this.turn + 1);
          return true;
        }
        path.push(s);
        const blocker = this.blocker(t);
        if (blocker === undefined) break;
        if (blocker.early >= 0) early.push([t, blocker.early]);
        s = this.sessionOf[blocker.by];
      }
    }
    return false;
  }

  /**
   * Returns the transaction that the head of a session waits for, and the one whose earlier choice caused it (-1:
   * none).
   */
  private blocker(t: number): { readonly by: number; readonly early: number } | undefined {
    const { reads, writes, versions, size, realTime, txn, place } = this.problem;
    if (this.state[t] === 0) {
      if (realTime !== undefined && realTime.rank[txn[t]] > this.prefix) return { by: place[realTime.byEnd[this.prefix]], early: -1 };
      for (const v of reads[t])
        if (versions[v].writer >= 0 && this.state[versions[v].writer] !== 2) return { by: versions[v].writer, early: -1 };
      const from = this.missing(t, -1);
      if (from >= 0) return { by: from, early: -1 };
      if (this.snapshot) {
        for (let other = 0; other < this.head.length; other++) {
          const o = this.at(other);
          if (o < 0 || o === t || this.state[o] !== 1) continue;
          if (writes[o].some((v) => writes[t].some((w) => versions[v].key === versions[w].key))) return { by: o, early: o };
        }
      }
    }
    const from = this.snapshot ? this.missing(size + t, t) : -1;
    if (from >= 0) return { by: from, early: -1 };
    for (const v of writes[t]) {
      const now = this.current[versions[v].key];
      if (now < 0) continue;
      const reader = versions[now].readers.find((row) => row.txn !== t && this.state[row.txn] === 0);
      if (reader !== undefined) return { by: reader.txn, early: versions[now].writer };
    }
    return undefined;
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
    this.moves++;
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
      if (realTime !== undefined)
        while (this.prefix < realTime.byEnd.length && this.state[this.problem.place[realTime.byEnd[this.prefix]]] === 2) this.prefix++;
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

  /** Tells whether all other readers of the versions it replaces are done. */
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

  /** Tells whether everything that must come before this node has happened. `except` is about to begin. */
  private known(node: number, except: number): boolean {
    return this.missing(node, except) < 0;
  }

  /** Returns a transaction that must come first and has not, or -1. */
  private missing(node: number, except: number): number {
    const { size } = this.problem;
    for (const from of this.before[node]) {
      if (from === except) continue;
      const reached = from >= size || !this.snapshot ? 2 : 1;
      if (this.state[from % size] < reached) return from % size;
    }
    return -1;
  }
}
