/**
 * Skeletons that are computed, not listed: two transactions of up to two statements, and three transactions of which one
 * has one statement, over two items, whose conflict graph can have a cycle through all of them. An edge of the graph
 * leads from a statement to a later one of another transaction, if both touch one item and one of them writes it
 * (Adya's direct conflicts: ww, wr, rw). Programs that differ by the names of items or by the order of their
 * transactions are one program.
 *
 *     rx wy | ry wx     T1 -rw(x)-> T2 -rw(y)-> T1     named "rw-rw cycle: rx wy | ry wx"
 */
import type { Skeleton } from './skeletons.ts';

type Words = readonly string[];

export interface DerivedSkeleton extends Skeleton {
  readonly derived: true;
  /** Every statement lies on some cycle. Without that it is a smaller program with an idle statement. */
  readonly whole: boolean;
  /** No part of its transactions can have a cycle without the others. */
  readonly minimal: boolean;
}

const WORDS: Words = ['rx', 'ry', 'wx', 'wy'];
const SINGLE: readonly Words[] = WORDS.map((word) => [word]);
const TRANSACTIONS: readonly Words[] = [...SINGLE, ...WORDS.flatMap((one) => WORDS.map((two) => [one, two]))];

/** Returns each program once, those of two transactions first, in the order of their canonical forms. */
export function derivedSkeletons(): readonly DerivedSkeleton[] {
  const pairs = TRANSACTIONS.flatMap((one) => TRANSACTIONS.map((two) => [one, two]));
  const triples = pairs.flatMap((pair) => SINGLE.map((third) => [...pair, third]));
  return [pairs, triples].flatMap((programs) => {
    const canonical = new Set(programs.map((program) => canonicalForm(program.map((words) => words.join(' ')))));
    return [...canonical].toSorted().flatMap((form) => skeletonOf(form.split(BETWEEN)));
  });
}

const BETWEEN = ' | ';

/** The least of the texts that renaming items and reordering transactions give. */
export function canonicalForm(sessions: readonly string[]): string {
  const renamed = sessions.map((session) => session.replaceAll(/[xy]/g, (item) => (item === 'x' ? 'y' : 'x')));
  return [sessions, renamed]
    .map((each) => orders(each).map((order) => order.join(BETWEEN)))
    .flat()
    .toSorted()[0]!;
}

function orders<T>(all: readonly T[]): readonly (readonly T[])[] {
  if (all.length <= 1) return [all];
  return all.flatMap((first, i) => orders(all.filter((_, k) => k !== i)).map((rest) => [first, ...rest]));
}

function skeletonOf(sessions: readonly string[]): readonly DerivedSkeleton[] {
  const program = sessions.map((session) => session.split(' '));
  const cycles = cyclesOf(program);
  if (cycles.length === 0) return [];
  const on = new Set(cycles.flatMap(({ statements }) => statements));
  const parts = program.length === 2 ? [] : program.map((_, left) => program.filter((__, s) => s !== left));
  return [
    {
      name: `${[...new Set(cycles.map(({ kinds }) => kinds))].toSorted().join(' or ')} cycle: ${sessions.join(BETWEEN)}`,
      sessions,
      derived: true,
      whole: on.size === program.flat().length,
      minimal: parts.every((part) => cyclesOf(part).length === 0),
    },
  ];
}

interface Cycle {
  /** The kinds of its edges, from where they come first by the alphabet. */
  readonly kinds: string;
  /** The transaction and the place of each statement on it. */
  readonly statements: readonly string[];
}

interface Edge {
  readonly kind: string;
  /** The place of the statement that it leaves, in its transaction, and of the one that it enters, in the next one. */
  readonly leaves: number;
  readonly enters: number;
}

/** Returns the cycles that pass through every transaction once, in some order of the statements. */
function cyclesOf(program: readonly Words[]): readonly Cycle[] {
  const [first, ...others] = program.map((_, s) => s);
  return orders(others).flatMap((rest) => {
    const around = [first!, ...rest];
    const edges = around.map((s, i) => conflicts(program[s]!, program[around[(i + 1) % around.length]!]!));
    return choices(edges).flatMap((chosen) => {
      // Each edge says that a statement comes before one of the next transaction. All of this can hold at once if some
      // transaction is left by an earlier statement than the one by which it is entered.
      const isPossible = chosen.some(({ leaves }, i) => leaves < chosen.at(i - 1)!.enters);
      if (!isPossible) return [];
      const statements = chosen.flatMap(({ leaves, enters }, i) => [
        `${around[i]} ${leaves}`,
        `${around[(i + 1) % around.length]} ${enters}`,
      ]);
      return [{ kinds: turned(chosen.map(({ kind }) => kind)), statements }];
    });
  });
}

function conflicts(from: Words, to: Words): readonly Edge[] {
  return from.flatMap((one, leaves) =>
    to.flatMap((two, enters) => {
      const kind = `${one[0]}${two[0]}`;
      return one[1] === two[1] && kind !== 'rr' ? [{ kind, leaves, enters }] : [];
    }),
  );
}

/** Returns every list with one of each. */
function choices<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>((chosen, list) => chosen.flatMap((some) => list.map((each) => [...some, each])), [[]]);
}

function turned(kinds: readonly string[]): string {
  return kinds.map((_, i) => [...kinds.slice(i), ...kinds.slice(0, i)].join('-')).toSorted()[0]!;
}

/**
 * Returns the derived ones for the catalogue beside those listed by hand: every statement lies on a cycle, and of three
 * transactions none is idle in it. Listed ones that roll back, commit by themselves or wait for another are others.
 */
export function derivedBeside(listed: readonly Skeleton[]): readonly DerivedSkeleton[] {
  const known = new Set(listed.map(({ sessions }) => canonicalForm(sessions)));
  return derivedSkeletons().filter(({ sessions, whole, minimal }) => whole && minimal && !known.has(canonicalForm(sessions)));
}
