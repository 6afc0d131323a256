/**
 * Every order of a program's steps, once each: a stateless depth-first search. A leaf is reached by a run from the start,
 * never by undoing; the path to it is the sessions chosen. Sleep sets (Godefroid 1996) leave out an order that differs
 * from one already run only by swaps of steps that commute:
 *
 *     choose a, later b:   in the branch of b, a sleeps until a step comes that does not commute with it
 *
 * A server may once not repeat itself (a background task of its own held a row). The run then goes on as it can and
 * counts; the branch that was meant is left, and the program is not called whole.
 */
import type { Program, WorldState } from '../../core/index.ts';
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
  from: WorldState,
  independent: Independent,
  each: Each,
): Promise<Enumerated> {
  const path: Node[] = [];
  let orders = 0;
  let cut = 0;
  let strayed = false;
  do {
    const walk = new Walk(path, independent);
    const played = await play(arena, program, from, (ready, stepOf) => walk.choose(ready, stepOf), {
      heard: (session, _, quiet) => walk.heard(session, quiet),
    });
    if (walk.strayed) strayed = true;
    if (played === undefined) cut++;
    else {
      orders++;
      if (!(await each(played))) return { orders, cut, whole: false };
    }
  } while (advance(path));
  return { orders, cut, whole: !strayed };
}

/** One run: along the path, then onward by the first session that is awake. */
class Walk {
  strayed = false;
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
    if (this.strayed) return ready[0];
    const known = this.path[this.depth];
    const node = known ?? this.node(ready, stepOf);
    if (known !== undefined && !(sameAs(known.ready, ready) && ready.every((session, i) => known.steps[i] === stepOf(session)))) {
      this.strayed = true;
      this.path.length = this.depth; // what lies below was another tree
      return ready[0];
    }
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
    const node = this.strayed ? undefined : this.path[this.depth - 1];
    if (node?.chosen === session) node.tried.set(session, quiet);
    this.quiet = quiet;
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

function sameAs(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((each, i) => each === b[i]);
}
