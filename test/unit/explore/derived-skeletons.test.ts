/** The derived skeletons against a brute force that tries every order of statements and every name of items and transactions. */
import { describe, expect, it } from 'vitest';
import { CATALOGUE_SETS, SKELETONS, canonicalForm, derivedBeside, derivedSkeletons } from '../../../schema-gen/index.ts';

const WORDS = ['rx', 'ry', 'wx', 'wy'];
const SHORT = ['rx', 'ry', 'wx', 'wy', ...WORDS.flatMap((one) => WORDS.map((two) => `${one} ${two}`))];

/** Every order in which the sessions can take their steps, as the session of each step. */
function* interleavings(left: readonly number[]): Generator<readonly number[]> {
  if (left.every((steps) => steps === 0)) yield [];
  for (const [session, steps] of left.entries())
    if (steps > 0) for (const rest of interleavings(left.map((each, s) => (s === session ? each - 1 : each)))) yield [session, ...rest];
}

/** The edges between transactions of one order: the conflicts of a statement with a later one of another transaction. */
function edgesOf(program: readonly (readonly string[])[], order: readonly number[]): ReadonlySet<string> {
  const done = program.map(() => 0);
  const steps = order.map((session) => ({ session, word: program[session]![done[session]!++]! }));
  return new Set(
    steps.flatMap((one, i) =>
      steps
        .slice(i + 1)
        .filter(({ session, word }) => session !== one.session && word[1] === one.word[1] && `${word}${one.word}`.includes('w'))
        .map(({ session }) => `${one.session}>${session}`),
    ),
  );
}

/** Some order of its statements has a cycle through all of its transactions. */
function canHaveCycle(sessions: readonly string[]): boolean {
  const program = sessions.map((session) => session.split(' '));
  const rounds =
    sessions.length === 2
      ? [['0>1', '1>0']]
      : [
          ['0>1', '1>2', '2>0'],
          ['0>2', '2>1', '1>0'],
        ];
  for (const order of interleavings(program.map((words) => words.length))) {
    const edges = edgesOf(program, order);
    if (rounds.some((round) => round.every((edge) => edges.has(edge)))) return true;
  }
  return false;
}

const renamed = (session: string): string => session.replaceAll('x', 'q').replaceAll('y', 'x').replaceAll('q', 'y');

/** The same program under other names, by trying all of them. */
function isSame(one: readonly string[], other: readonly string[]): boolean {
  const sorted = (sessions: readonly string[]): string => JSON.stringify(sessions.toSorted());
  return one.length === other.length && [other, other.map(renamed)].some((each) => sorted(each) === sorted(one));
}

/** Skeletons listed by hand that cannot be derived, with the reason. */
const KEPT: Readonly<Record<string, string>> = {
  'write behind a read': 'no cycle by its items: forms touch more than their item, as in one table or with foreign keys',
  'write behind a read, crossed': 'no cycle by its items: forms touch more than their item',
  'aborted read': 'rolls back',
  'write skew, both read': 'longer: three statements',
  'write beside read twice': 'autocommit',
  'write beside lost update': 'autocommit',
  'read beside writes': 'autocommit',
  'observed transaction vanishes': 'longer: the third transaction has two statements',
  'write skew of three': 'longer: three items',
  'read skew of three': 'longer: three items',
  'circular flow of three': 'longer: three items',
  'read-only anomaly': 'longer: three statements',
  'write skew, bystander': 'a bystander',
};
const isBeside = (name: string): boolean => name.endsWith(' beside');

describe('derived skeletons', () => {
  const derived = derivedSkeletons();

  it('are exactly the programs whose conflict graph can have a cycle, each once', () => {
    const pairs = SHORT.flatMap((one) => SHORT.map((two) => [one, two]));
    const all = [...pairs, ...pairs.flatMap((pair) => WORDS.map((third) => [...pair, third]))];
    const forms = new Set(derived.map(({ sessions }) => sessions.join(' | ')));
    for (const program of all) expect([program, forms.has(canonicalForm(program))]).toEqual([program, canHaveCycle(program)]);
    expect([2, 3].map((count) => derived.filter(({ sessions }) => sessions.length === count).length)).toEqual([45, 95]);
    for (const [i, one] of derived.entries())
      for (const other of derived.slice(i + 1)) expect(isSame(one.sessions, other.sessions), `${one.name}, ${other.name}`).toBe(false);
  });

  it('have one canonical form exactly if renaming makes them the same', () => {
    const sorted = (sessions: readonly string[]): string => JSON.stringify(sessions.toSorted());
    // All names of a program, as a set: the same programs have the same set.
    const namesOf = (sessions: readonly string[]): string => JSON.stringify([sorted(sessions), sorted(sessions.map(renamed))].toSorted());
    const programs = SHORT.flatMap((one) => SHORT.map((two) => [one, two]));
    const [forms, names] = [new Map(programs.map((each) => [namesOf(each), canonicalForm(each)])), new Set<string>()];
    for (const program of programs) {
      expect(canonicalForm(program)).toBe(forms.get(namesOf(program)));
      names.add(canonicalForm(program));
    }
    expect(names.size).toBe(forms.size);
    expect(canonicalForm(['wy', 'rx ry', 'wx'])).toBe(canonicalForm(['ry rx', 'wx', 'wy']));
  });

  it('are named by the edges of their cycles', () => {
    const nameOf = (...sessions: string[]): string | undefined =>
      derived.find((each) => canonicalForm(each.sessions) === canonicalForm(sessions))?.name;
    expect(nameOf('ry wx', 'rx wy')).toBe('rw-rw cycle: rx wy | ry wx');
    expect(nameOf('wx wy', 'rx ry')).toBe('rw-wr cycle: rx ry | wx wy');
    expect(nameOf('rx wx', 'rx wx')).toBe('rw-rw or rw-ww cycle: rx wx | rx wx');
    expect(nameOf('rx ry', 'wx', 'rx wy')).toBe('rw-rw-wr or rw-wr-wr cycle: rx ry | rx wy | wx');
    expect(new Set(derived.map(({ name }) => name)).size).toBe(derived.length);
  });

  it('contain every skeleton of two or three sessions that is listed by hand, or its reason is known', () => {
    const forms = new Set(derived.map(({ sessions }) => canonicalForm(sessions)));
    const others = SKELETONS.filter(({ name, sessions }) => sessions.length <= 3 && !isBeside(name) && !forms.has(canonicalForm(sessions)));
    expect(others.map(({ name }) => name).toSorted()).toEqual(Object.keys(KEPT).toSorted());
    // The rest has one session more than another one.
    for (const { sessions } of SKELETONS.filter(({ name }) => isBeside(name))) expect(sessions.at(-1)![0]).toBe('~');
  });

  it('stand in the catalogue behind those listed, without repeating one, if no statement and no transaction is idle', () => {
    const beside = derivedBeside(SKELETONS);
    expect([2, 3].map((count) => beside.filter(({ sessions }) => sessions.length === count).length)).toEqual([13, 7]);
    expect(CATALOGUE_SETS.transactions.skeletons.slice(SKELETONS.length)).toEqual(beside);
    for (const { sessions } of beside) {
      expect(SKELETONS.some((listed) => isSame(listed.sessions, sessions))).toBe(false);
      if (sessions.length === 3) for (const left of [0, 1, 2]) expect(canHaveCycle(sessions.filter((_, s) => s !== left))).toBe(false);
    }
  });
});
