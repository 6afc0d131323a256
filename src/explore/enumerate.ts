/**
 * Enumerates every order of a program's steps once, by a stateless depth-first search. Each leaf is reached by a run from
 * the start, never by undoing. The path to it is the list of chosen sessions. Sleep sets (Godefroid 1996) skip an order
 * that differs from an earlier one only in the order of steps that commute:
 *
 *     choose a, later b:   in the branch of b, a sleeps until a step comes that does not commute with it
 *
 * A server does not always repeat itself. InnoDB's locks meet deleted rows of the last run until its purge task removes
 * them, and then a session may wait. If a session can step that waited in the earlier run, the subtree is begun again,
 * because it has more orders. If the run cannot follow its path, it goes on as it can and counts. Its path is tried
 * again, at once or after a pause for such tasks. If no try succeeds, the subtree is begun again as it is now.
 *
 * So at each node the same sessions could step in all runs of the tree. Each order has a run that follows it, except for
 * sessions that the server lets wait. After many tries the intended branch is abandoned, and the program does not count
 * as whole.
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
  /** Sessions that were tried before the present choice, and whether each was quiet. */
  readonly tried: Map<number, boolean>;
  chosen: number;
}

/** The pause before each try, after a reset; 0: at once. Either may be the one that works. */
const PAUSES_MS = [0, 10, 0, 40, 0, 160] as const;
/** Most tries for a program, because a server that never repeats itself would take for ever. */
const MOST_AGAIN = 60;

export interface Enumerated {
  readonly orders: number;
  /** Runs that were given up because all sessions that could step were asleep. */
  readonly cut: number;
  /** Every order was run, except those that differ only in steps that commute. */
  readonly whole: boolean;
}

/** Called with every run before the next one begins. False ends the enumeration. */
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
      path.length = walk.divergedAt; // The subtree was another one.
      if (patience.isOver) whole = false;
    }
    patience.next();
    more = (walk.divergedAt !== undefined && !patience.isOver) || advance(path);
  }
  return { orders, cut, whole };
}

/** Decides how often a path is tried again. */
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

  /** Returns false after the last try. A pause follows a reset, because the reset deletes the rows that the server must clean up. */
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

/** One run: along the path, then on with the first session that is awake. */
class Walk {
  /** The depth at which the server did not repeat itself. */
  divergedAt: number | undefined;
  private depth = 0;
  private readonly path: Node[];
  private readonly independent: Independent;
  /** True if the last step was quiet. */
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
    // A step that was not quiet once counts as not quiet, even if it is quiet when the path runs again.
    this.quiet = quiet && node?.tried.get(session) !== false;
    if (node?.chosen === session) node.tried.set(session, this.quiet);
  }

  private node(ready: readonly number[], stepOf: (session: number) => number): Node {
    return { ready, steps: ready.map(stepOf), asleep: this.sleepers(), tried: new Map(), chosen: -1 };
  }

  /** Returns the sessions that were asleep or tried before at the parent, and whose step commutes with the chosen one. */
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

/** Moves to the next branch, the deepest first. Returns false if there is none. */
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

/** True if all sessions that could step before still can, and another one that waited then. */
function isFreer(node: Node, ready: readonly number[], stepOf: (session: number) => number): boolean {
  return ready.length > node.ready.length && node.ready.every((session, i) => ready.includes(session) && stepOf(session) === node.steps[i]);
}
