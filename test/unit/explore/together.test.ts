/** What is said of transactions that ran together, and by what rows are told apart when snapshots are merged. */
import { describe, expect, it } from 'vitest';
import type { ResultRow } from '../../../core/dialect/index.ts';
import type { Program, Fixture, FixtureState } from '../../../core/program/index.ts';
import type { ExploreFamily } from '../../../core/verdict/index.ts';
import { exploreText } from '../../../reports/index.ts';
import type { ExploreTogether } from '../../../reports/index.ts';
import type { AimedPlan } from '../../../schema-gen/index.ts';
import type { ExploredProgram } from '../../../src/explore/explore-program.ts';
import type { Outcome } from '../../../src/explore/outcome.ts';
import { invariantsOf } from '../../../src/explore/oracles/invariants.ts';
import { ImpossibleState } from '../../../src/explore/program-runner.ts';
import { isSnapshotOutcome } from '../../../src/explore/oracles/snapshot.ts';
import { togetherOf } from '../../../src/explore/together.ts';
import { LEVEL, REPORT } from './fixture.ts';

const FIXTURE: Fixture = { name: 'initial rows', tables: [], byIndex: false, first: {} };

function ran(name: string, more: Partial<ExploredProgram> = {}): ExploredProgram {
  const program: Program = {
    number: 0,
    made: { transactions: name },
    fixture: FIXTURE,
    transactions: name.split(' + ').map((each) => ({ name: each, steps: [], end: 'commit' })),
  };
  return {
    program,
    orders: 20,
    cut: 0,
    possible: 20,
    whole: true,
    sampled: false,
    outcomes: 2,
    found: [],
    violations: [],
    statements: { judged: 0, unjudged: {} },
    own: [],
    failed: new Map(),
    failedInTurn: 0,
    ...more,
  };
}

const family = (name: string, verdict: ExploreFamily['verdict']): ExploreFamily =>
  ({ name, verdict, example: { breaks: ['sums'] } }) as unknown as ExploreFamily;

describe('transactions together', () => {
  const one = (explored: readonly ExploredProgram[], families: readonly ExploreFamily[] = [], programs = explored.length) =>
    togetherOf([{ name: 'a + b', programs }], [...explored, ran('b + b', { whole: false })], families)[0]!;

  it('are safe only if every order of every program was run', () => {
    expect(one([ran('a + b'), ran('a + b')])).toMatchObject({ answer: 'safe', programs: 2, orders: 40 });
    expect(one([ran('a + b'), ran('a + b', { whole: false, sampled: true })]).answer).toBe('nothing seen');
    expect(one([ran('a + b')], [], 2).answer).toBe('nothing seen');
    expect(one([], [], 2).answer).toBe('not run');
  });

  it('are not safe by the worst that was confirmed, and not confirmed where nothing was', () => {
    const differs = ran('a + b', { found: [{}] as unknown as ExploredProgram['found'] });
    expect(one([differs], [family('a + b', 'documented'), family('a + b', 'bug'), family('b + b', 'undocumented')])).toMatchObject({
      answer: 'not safe',
      verdict: 'bug',
      breaks: ['sums'],
    });
    const unconfirmed = one([differs], [family('b + b', 'bug')]);
    expect(unconfirmed).toMatchObject({ answer: 'not confirmed', why: 'a difference was seen and not seen again in a fresh fixture' });
    // A single-run violation is as much of a difference.
    const violated = ran('a + b', { violations: [{}] as unknown as ExploredProgram['violations'] });
    expect(one([violated, ran('a + b')])).toMatchObject({ answer: 'not confirmed', differing: 1 });
    expect(one([violated, differs], [family('a + b', 'documented')])).toMatchObject({ answer: 'not safe', differing: 2 });
    const untried = togetherOf([{ name: 'a + b', programs: 1 }], [differs], [], new Set(['a + b']))[0];
    expect(untried).toMatchObject({ answer: 'not confirmed', why: 'it ended before a difference was tried again' });
  });

  it('are not judged where nothing can be compared or nothing succeeds, and say why', () => {
    expect(one([ran('a + b', { dropped: 'its transactions fail even alone' })])).toMatchObject({
      answer: 'not judged',
      why: 'its transactions fail even alone',
      programs: 0,
    });
    expect(togetherOf([{ name: 'a + b', programs: 0, notJudged: { code: 'skip-locked' } }], [], [])[0]).toMatchObject({
      answer: 'not judged',
      why: 'SKIP LOCKED leaves out what others have locked',
      notCompared: { code: 'skip-locked' },
    });
    expect(one([ran('a + b', { dropped: 'x' }), ran('a + b')])).toMatchObject({ answer: 'safe', programs: 1, of: 2 });
  });

  it('name the ways to meet at which draws were aimed, and are not judged where there were no rows for one', () => {
    const draw = (way: string, place: number) => ({ way, place, values: [] });
    const plan = { draws: [draw('same row', 0), draw('same row', 1), draw('same owner', 2)], missing: [], without: [], leftOut: 0 };
    const of = (made: string, more: Partial<ExploredProgram> = {}): ExploredProgram => {
      const { program, ...others } = ran('a + b', more);
      return { ...others, program: { ...program, made: { ...program.made, way: made } } };
    };
    const explored = [of('same row'), of('same row'), of('same owner', { dropped: 'they end by an IF' })];
    const answer = (more: Partial<AimedPlan>, programs = explored, families: readonly ExploreFamily[] = []) =>
      togetherOf([{ name: 'a + b', programs: programs.length, aimed: { ...plan, ...more } }], programs, families)[0]!;
    const safe = answer({ without: [{ way: 'same name', code: 'keys-exclude' }], leftOut: 2 });
    expect([safe.answer, safe.aimed]).toEqual([
      'safe',
      {
        ways: [
          { way: 'same row', ran: 2, of: 2 },
          { way: 'same owner', ran: 0, of: 1 },
        ],
        missing: [],
        without: ['same name: the keys of the table rule it out'],
        withoutData: [{ way: 'same name', code: 'keys-exclude' }],
        leftOut: 2,
      },
    ]);
    const missing = answer({ missing: ['same parent'] });
    expect([missing.answer, missing.why]).toEqual([
      'not judged',
      'no rows or values were found, and no rows could be made, for same parent',
    ]);
    // Less than all was run, or a difference was seen: the rows that are missing take nothing back.
    expect(answer({ missing: ['same parent'] }, [of('same row', { whole: false })]).answer).toBe('nothing seen');
    const differs = of('same row', { found: [{}] as unknown as ExploredProgram['found'] });
    expect(answer({ missing: ['same parent'] }, [differs], [family('a + b', 'documented')]).answer).toBe('not safe');
    const report = (each: ExploreTogether): string =>
      exploreText({ ...REPORT, levels: [{ ...LEVEL, together: [each] }] }).replaceAll(/\s+/g, ' ');
    expect(report(safe)).toContain('a + b: draws were aimed at same row');
    expect(report(safe)).toContain('a + b: no transaction succeeds alone with same owner');
    expect(report(safe)).toContain('a + b: draws were not aimed at same name: the keys of the table rule it out');
    expect(report(safe)).toContain('a + b: 2 more ways to meet were not tried');
    expect(report(missing)).toContain('a + b: draws could not be aimed at: same parent');
    expect(report(answer({ apart: 'only-reads', draws: [] }))).toContain('a + b: they cannot meet, as they only read');
    expect(report(answer({}, [differs], [family('a + b', 'documented')]))).not.toContain('draws were aimed at');
  });

  it('name what they break by themselves', () => {
    const own = [{ invariant: 'sums', order: [1, 0] }];
    expect(one([ran('a + b', { own }), ran('a + b', { own: [{ invariant: 'late', order: [] }] })]).yours).toEqual([
      'sums: b, then a',
      'late: the rows that it begins with (initial rows)',
    ]);
  });

  it('stand in one table with a column for each level', () => {
    const text = exploreText({
      ...REPORT,
      unjudged: ['gaps: it counts on numbers'],
      levels: [
        { ...LEVEL, level: 'read-committed', together: [one([ran('a + b', { whole: false, possible: 99 })])] },
        { ...LEVEL, level: 'serializable', together: [one([ran('a + b', { own: [{ invariant: 'sums', order: [0] }] })])] },
      ],
    });
    expect(text).toContain('a + b     nothing seen, 20 of 99 orders  safe, 20 orders; YOURS');
    expect(text).toContain('read-committed: 1 nothing seen\nserializable: 1 safe');
    expect(text).toContain('sums: a');
    expect(text).toContain('invariant not asked: gaps: it counts on numbers');
  });
});

describe('the invariants', () => {
  const program = ran('a + b').program;
  const state = (n: number): FixtureState => ({ t: [[String(n)]] });
  /** a adds 1, b doubles. */
  const alone = (session: number, from: FixtureState) => {
    const n = Number(from['t']?.[0]?.[0] ?? 1);
    return Promise.resolve({ result: { replies: [], end: 'committed' as const }, state: state(session === 0 ? n + 1 : 2 * n) });
  };
  const breaking = (...numbers: readonly number[]) =>
    invariantsOf(
      { broken: (of: FixtureState) => Promise.resolve(numbers.includes(Number(of['t']?.[0]?.[0])) ? [{ name: 'i' }] : []) } as never,
      program,
      alone,
    );

  it('are broken by a state where every serial order keeps them', async () => {
    const invariants = await breaking(7);
    expect(invariants.own).toEqual([]);
    expect(await invariants.broken(state(7))).toEqual(['i']);
    expect(await invariants.broken(state(5))).toEqual([]);
  });

  it('are their own where one order of the transactions breaks them, also in the middle', async () => {
    // 1, then a: 2, then b: 4; b: 2, then a: 3.
    expect((await breaking(3)).own).toEqual([{ invariant: 'i', order: [1, 0] }]);
    expect(await (await breaking(3, 7)).broken(state(7))).toEqual([]);
    expect((await breaking(4)).own).toEqual([{ invariant: 'i', order: [0, 1] }]);
    // Both, first of all: 2. It is told of whoever is met first.
    expect((await breaking(2)).own).toEqual([{ invariant: 'i', order: [0] }]);
  });

  it('are their own where the first rows break them', async () => {
    const first = await invariantsOf(
      { broken: (of: FixtureState) => Promise.resolve(of['t'] === undefined ? [{ name: 'i' }] : []) } as never,
      program,
      alone,
    );
    expect(first.own).toEqual([{ invariant: 'i', order: [] }]);
    expect(await first.broken({})).toEqual([]);
  });
});

describe('invariants of which the server does not always say whether they hold', () => {
  const { program } = ran('a + b');
  const state = (n: number): FixtureState => ({ t: [[String(n)]] });
  /** a adds 1, b doubles: 1, 2, 4 and 1, 2, 3. */
  const alone = (session: number, from: FixtureState) => {
    const n = Number(from['t']?.[0]?.[0] ?? 1);
    return Promise.resolve({ result: { replies: [], end: 'committed' as const }, state: state(session === 0 ? n + 1 : 2 * n) });
  };
  const asked: number[] = [];
  /** The server says of these numbers that one is broken, and nothing of those. */
  const saying = (broken: readonly number[], silent: readonly number[]) =>
    invariantsOf(
      {
        broken: (of: FixtureState) => {
          const n = Number(of['t']?.[0]?.[0]);
          asked.push(n);
          const one = broken.includes(n) ? [{ name: 'i' }] : [];
          return Promise.resolve([...one, ...(silent.includes(n) ? [{ name: 'late', failed: 'division by zero' }] : [])]);
        },
      } as never,
      program,
      alone,
    );

  it('are not broken by what could not be asked, and why is told', async () => {
    const invariants = await saying([], [7]);
    expect(await invariants.broken(state(7))).toEqual([]);
    expect(invariants.own).toEqual([]);
    expect([...invariants.failed]).toEqual([['late', 'division by zero']]);
  });

  it('are not their own by what could not be asked', async () => {
    const invariants = await saying([], [4]);
    expect(invariants.own).toEqual([]);
    expect([...invariants.failed.keys()]).toEqual(['late']);
  });

  it('are broken by nobody where it was not said of each serial order', async () => {
    const late = (of: readonly number[], silent: readonly number[]) =>
      invariantsOf(
        {
          broken: (each: FixtureState) => {
            const n = Number(each['t']?.[0]?.[0]);
            return Promise.resolve([
              ...(of.includes(n) ? [{ name: 'late' }] : []),
              ...(silent.includes(n) ? [{ name: 'late', failed: 'why' }] : []),
            ]);
          },
        } as never,
        program,
        alone,
      );
    expect(await (await late([7], [])).broken(state(7))).toEqual(['late']);
    expect(await (await late([7], [3])).broken(state(7))).toEqual([]);
    // That it was not said of another difference is no matter.
    const both = await late([7], [8]);
    expect(await both.broken(state(8))).toEqual([]);
    expect(await both.broken(state(7))).toEqual(['late']);
  });

  it('are asked of each state once', async () => {
    asked.length = 0;
    const invariants = await saying([7], []);
    await invariants.broken(state(7));
    await invariants.broken(state(7));
    expect(asked.filter((n) => n === 7)).toHaveLength(1);
    expect(asked.filter((n) => n === 2)).toHaveLength(1);
  });
});

describe('snapshots of tables whose rows have other names', () => {
  const names = { keyed: [0, 1], heap: [] };
  const done = { replies: [], end: 'committed' as const };
  const from: FixtureState = {
    keyed: [
      ['1', '1', 'x'],
      ['1', '2', 'x'],
    ],
    heap: [['1']],
  };
  const outcome = (state: FixtureState): Outcome => ({ transactions: [done, done], state });
  const set = (rows: readonly ResultRow[], key: string, value: string): readonly ResultRow[] =>
    rows.map((row) => (row[1] === key ? ['1', key, value] : row));
  /** Each sets the rows of these keys to its own value and notes itself down. */
  const alone = (keys: readonly string[]) => (session: number, state: FixtureState) =>
    Promise.resolve({
      result: done,
      state: { keyed: set(state['keyed']!, keys[session]!, String(session)), heap: [...state['heap']!, ['n']] },
    });

  it('merge changes of two rows that share the first column, and new rows that are alike', async () => {
    const both: FixtureState = {
      keyed: [
        ['1', '1', '0'],
        ['1', '2', '1'],
      ],
      heap: [['1'], ['n'], ['n']],
    };
    expect(await isSnapshotOutcome(outcome(both), from, alone(['1', '2']), names)).toBe(true);
    expect(await isSnapshotOutcome(outcome({ ...both, heap: [['1'], ['n']] }), from, alone(['1', '2']), names)).toBe(false);
    // By the first column alone nothing could be said.
    expect(await isSnapshotOutcome(outcome(both), from, alone(['1', '2']))).toBeUndefined();
  });

  it('let a transaction change the row that another one changed which it saw', async () => {
    const one: FixtureState = {
      keyed: [
        ['1', '1', '1'],
        ['1', '2', 'x'],
      ],
      heap: [['1'], ['n'], ['n']],
    };
    expect(await isSnapshotOutcome(outcome(one), from, alone(['1', '1']), names)).toBe(true);
  });

  it('explain nothing by rows that a constraint forbids', async () => {
    const both: FixtureState = {
      keyed: [
        ['1', '1', '0'],
        ['1', '2', '1'],
      ],
      heap: [['1'], ['n'], ['n']],
    };
    const forbidden = (session: number, state: FixtureState) =>
      state === from ? alone(['1', '2'])(session, state) : Promise.reject(new ImpossibleState('a key is missing'));
    expect(await isSnapshotOutcome(outcome(both), from, forbidden, names)).toBe(true);
    const wanting = (session: number, state: FixtureState) =>
      state === from && session === 0 ? alone(['1', '2'])(session, state) : Promise.reject(new ImpossibleState('a key is missing'));
    expect(await isSnapshotOutcome(outcome(both), from, wanting, names)).toBe(false);
    const lost = (): Promise<never> => Promise.reject(new Error('the server went away'));
    await expect(isSnapshotOutcome(outcome(both), from, lost, names)).rejects.toThrow('went away');
  });

  it('say nothing where a row without a name is gone', async () => {
    const gone = (_: number, state: FixtureState) => Promise.resolve({ result: done, state: { ...state, heap: [] } });
    expect(await isSnapshotOutcome(outcome({ ...from, heap: [] }), from, gone, names)).toBeUndefined();
  });
});
