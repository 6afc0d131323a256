/**
 * Every order of a program's steps, once each: a stateless depth-first search. A leaf is reached by a run from the start,
 * never by undoing; the path to it is the sessions chosen. Sleep sets (Godefroid 1996) leave out an order that differs
 * from one already run only by swaps of steps that commute:
 *
 *     choose a, later b:   in the branch of b, a sleeps until a step comes that does not commute with it
 *
 * A server does not always repeat itself: InnoDB's locks meet the deleted rows of the run before until a task of its own
 * purges them, and whether somebody waits hangs on that. Where somebody can step who waited before, what lies below is
 * begun again, as it has more orders. Else the run goes on as it can and counts, and its path is tried again, at once or
 * after a pause that lets such tasks come first; where no try comes through, what lies below is begun again as it now is.
 * So at each node the same sessions could step in all the runs that make up the tree, and each order has a run that keeps
 * to it, but for those whom the server lets wait. After many tries the branch that was meant is left, and the program is
 * not called whole.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Program, FixtureState } from '../../core/index.ts';
import type { Arena } from './arena.ts';
import type { Independent } from './independent.ts';
import { play } from './play.ts';
import type { Played } from './play.ts';

interface Node {
  readonly ready: readonly number[];
  readonly steps: readonly number[];
  readonly asleep: ReadonlySet<number>;
  /** Tried before the one that is chosen now, with whether it was quiet. */
  readonly tried: Map<number, boolean>;
  chosen: number;
}

/** Of each try: behind a reset, or at once. Which of the two it takes nobody knows. */
const PAUSES_MS = [0, 10, 0, 40, 0, 160] as const;
/** Of a program: a server that never repeats itself would else take all day. */
const MOST_AGAIN = 60;

export interface Enumerated {
  readonly orders: number;
  /** Runs that were given up since all that could step was asleep. */
  readonly cut: number;
  /** Every order, up to swaps that commute, was run. */
  readonly whole: boolean;
}

/** Sees every run, before the next one begins; false from it ends them. */
export type Each = (played: Played) => boolean | Promise<boolean>;

export async function enumerate(
  arena: Arena,
  program: Program,
  from: FixtureState,
  independent: Independent,
  each: Each,
): Promise<Enumerated> {
  const path: Node[] = [];
  const patience = new Patience(arena, from);
  let orders = 0;
  let cut = 0;
  let whole = true;
  for (let more = true; more;) {
    const walk = new Walk(path, independent);
    const played = await play(arena, program, from, (ready, stepOf) => walk.choose(ready, stepOf), {
      heard: (session, _, quiet) => walk.heard(session, quiet),
    });
    if (played === undefined) cut++;
    else {
      orders++;
      if (!(await each(played))) return { orders, cut, whole: false };
    }
    if (walk.divergedAt !== undefined) {
      if (await patience.again()) continue;
      path.length = walk.divergedAt; // what lies below was another tree
      if (patience.isOver) whole = false;
    }
    patience.next();
    more = (walk.divergedAt !== undefined && !patience.isOver) || advance(path);
  }
  return { orders, cut, whole };
}

/** How often a path is tried again. */
class Patience {
  private readonly arena: Arena;
  private readonly from: FixtureState;
  private all = 0;
  private ofPath = 0;

  constructor(arena: Arena, from: FixtureState) {
    this.arena = arena;
    this.from = from;
  }

  next(): void {
    this.ofPath = 0;
  }

  get isOver(): boolean {
    return this.all > MOST_AGAIN;
  }

  /** False: often enough. A pause comes behind a reset, as that deletes what the server is to clean up. */
  async again(): Promise<boolean> {
    const pause = PAUSES_MS[this.ofPath++];
    if (pause === undefined || ++this.all > MOST_AGAIN) return false;
    if (pause > 0) {
      await this.arena.reset(this.from);
      await sleep(pause);
    }
    return true;
  }
}

/** One run: along the path, then onward by the first session that is awake. */
class Walk {
  /** The depth at which the server did not repeat itself. */
  divergedAt: number | undefined;
  private depth = 0;
  private readonly path: Node[];
  private readonly independent: Independent;
  /** Whether the last step was quiet. */
  private quiet = false;

  constructor(path: Node[], independent: Independent) {
    this.path = path;
    this.independent = independent;
  }

  choose(ready: readonly number[], stepOf: (session: number) => number): number | undefined {
    if (this.divergedAt !== undefined) return ready[0];
    let known = this.path[this.depth];
    if (known !== undefined && !repeats(known, ready, stepOf)) {
      if (!isFreer(known, ready, stepOf)) {
        this.divergedAt = this.depth;
        return ready[0];
      }
      this.path.length = this.depth;
      known = undefined;
    }
    const node = known ?? this.node(ready, stepOf);
    if (known === undefined) {
      const awake = ready.find((session) => !node.asleep.has(session));
      if (awake === undefined) return undefined;
      node.chosen = awake;
      this.path.push(node);
    }
    this.depth++;
    return node.chosen;
  }

  heard(session: number, quiet: boolean): void {
    const node = this.divergedAt === undefined ? this.path[this.depth - 1] : undefined;
    // Not quiet once is not quiet, however it goes when the path is run again.
    this.quiet = quiet && node?.tried.get(session) !== false;
    if (node?.chosen === session) node.tried.set(session, this.quiet);
  }

  private node(ready: readonly number[], stepOf: (session: number) => number): Node {
    return { ready, steps: ready.map(stepOf), asleep: this.sleepers(), tried: new Map(), chosen: -1 };
  }

  /** Of those asleep or tried before at the parent: whose step commutes with the one chosen there. */
  private sleepers(): ReadonlySet<number> {
    const parent = this.path[this.depth - 1];
    if (parent === undefined || !this.quiet) return new Set();
    const stepAt = (session: number): number => parent.steps[parent.ready.indexOf(session)]!;
    const before = [
      ...parent.asleep,
      ...[...parent.tried].flatMap(([session, quiet]) => (quiet && session !== parent.chosen ? [session] : [])),
    ];
    return new Set(before.filter((session) => this.independent(session, stepAt(session), parent.chosen, stepAt(parent.chosen))));
  }
}

/** To the next branch, the deepest one first; false: there is none. */
function advance(path: Node[]): boolean {
  for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
    const { ready, asleep, tried } = node;
    const next = ready.find((session) => !asleep.has(session) && !tried.has(session));
    if (next !== undefined) {
      node.chosen = next;
      return true;
    }
    path.pop();
  }
  return false;
}

function repeats(node: Node, ready: readonly number[], stepOf: (session: number) => number): boolean {
  return ready.length === node.ready.length && node.ready.every((session, i) => ready[i] === session && stepOf(session) === node.steps[i]);
}

/** Those that could step before can, and somebody else who waited then. */
function isFreer(node: Node, ready: readonly number[], stepOf: (session: number) => number): boolean {
  return ready.length > node.ready.length && node.ready.every((session, i) => ready.includes(session) && stepOf(session) === node.steps[i]);
}
