/**
 * One program run by several threads over shared memory ("single program, multiple data"). Every thread runs the same
 * generator, and each `yield` is a barrier that all of them pass together. With one thread a yield costs nothing, and
 * the same code is an ordinary function. The threads themselves are made in src/. This file has only numbers and
 * Atomics.
 */

/** A program of a thread group. It yields at barriers, and returns its result on every thread. */
export type Steps<T> = Generator<undefined, T, undefined>;

export interface ThreadGroup {
  readonly rank: number;
  readonly size: number;
  /** Returns zeroed memory, shared if there is more than one thread. `share` hands it round. */
  memory(bytes: number): ArrayBuffer | SharedArrayBuffer;
  /** Rank 0 makes the value, and every thread gets it (typed arrays over `memory`, numbers, plain objects of these). */
  share<T>(make: () => T): Steps<T>;
  /** Memory without a reference may be given back now, on every thread. */
  release(): Steps<void>;
  /** Runs body(i) for every i below count exactly once, on whichever thread is free. Ends with a barrier. */
  loop(count: number, body: (i: number) => void): Steps<void>;
}

export function soloThreadGroup(): ThreadGroup {
  return {
    rank: 0,
    size: 1,
    memory: (bytes) => new ArrayBuffer(bytes),
    *share(make) {
      yield;
      return make();
    },
    *release() {
      yield;
    },
    *loop(count, body) {
      for (let i = 0; i < count; i++) body(i);
      yield;
    },
  };
}

/** Runs a program to its end on this thread alone. */
export function runSolo<T>(program: Steps<T>): T {
  for (;;) {
    const step = program.next();
    if (step.done === true) return step.value;
  }
}

/** The connection of a thread to the others: one control block for all, and messages from rank 0. */
export interface ThreadGroupLink {
  readonly rank: number;
  readonly size: number;
  /** CONTROL_WORDS words of shared memory. */
  readonly control: Int32Array;
  /** Sends a value from rank 0 to every other thread. */
  readonly post: (value: unknown) => void;
  /** Returns, on other ranks, what rank 0 posted before the last barrier. */
  readonly take: () => unknown;
  /** Collects this thread's garbage, if the platform allows it. */
  readonly collect?: () => void;
}

export const CONTROL_WORDS = 32;
const ARRIVED = 0;
const GENERATION = 8;
const FAILED = 16;
/** Two loop counters are used in turn: while one is in use the other is reset. */
const COUNTER = 24;

export function linkedThreadGroup(link: ThreadGroupLink): ThreadGroup {
  const { rank, size, control } = link;
  let turn = 0;
  return {
    rank,
    size,
    memory: (bytes) => new SharedArrayBuffer(bytes),
    *share<T>(make: () => T): Steps<T> {
      const made = rank === 0 ? make() : undefined;
      if (rank === 0) link.post(made);
      yield;
      return (rank === 0 ? made : link.take()) as T;
    },
    *release() {
      yield;
      link.collect?.();
    },
    *loop(count, body) {
      const counter = COUNTER + (turn & 1);
      turn++;
      for (let i = Atomics.add(control, counter, 1); i < count; i = Atomics.add(control, counter, 1)) body(i);
      yield;
      // Every thread has left the loop. This counter is used again only after the next loop's barrier.
      if (rank === 0) Atomics.store(control, counter, 0);
    },
  };
}

/** Thrown on a thread after another thread failed. That thread's own error is the one to show. */
export class ThreadGroupFailure extends Error {}

/** Passes one barrier and waits for the others (Atomics.wait, so not for a thread that must stay responsive). */
export function passBarrier(link: ThreadGroupLink): void {
  const generation = arrive(link);
  if (generation === undefined) return;
  while (isOpen(link, generation)) Atomics.wait(link.control, GENERATION, generation);
  refuseFailed(link);
}

/** Passes a barrier on the event loop. It notices a worker that could not start, or that ran out of memory. */
export async function passBarrierResponsive(link: ThreadGroupLink): Promise<void> {
  const generation = arrive(link);
  if (generation === undefined) return;
  while (isOpen(link, generation)) await Atomics.waitAsync(link.control, GENERATION, generation).value;
  refuseFailed(link);
}

/** Reports that this thread cannot continue. Every thread that waits for it gets a ThreadGroupFailure. */
export function failThreadGroup(link: ThreadGroupLink): void {
  Atomics.store(link.control, FAILED, 1);
  Atomics.add(link.control, GENERATION, 1);
  Atomics.notify(link.control, GENERATION);
}

/** Returns the generation whose end to wait for, or undefined for the last thread to arrive. */
function arrive(link: ThreadGroupLink): number | undefined {
  const { control } = link;
  refuseFailed(link);
  const generation = Atomics.load(control, GENERATION);
  if (Atomics.add(control, ARRIVED, 1) + 1 < link.size) return generation;
  Atomics.store(control, ARRIVED, 0);
  Atomics.add(control, GENERATION, 1);
  Atomics.notify(control, GENERATION);
  return undefined;
}

/** Tells whether some thread has not arrived. It polls for a while before the thread sleeps. */
function isOpen({ control }: ThreadGroupLink, generation: number): boolean {
  for (let spin = 0; spin < 20_000; spin++) if (Atomics.load(control, GENERATION) !== generation) return false;
  return true;
}

function refuseFailed({ control }: ThreadGroupLink): void {
  if (Atomics.load(control, FAILED) !== 0) throw new ThreadGroupFailure('another thread failed');
}
