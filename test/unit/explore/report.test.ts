/** What an exploration says at its end, and its exit code: nothing that was left out is passed over in silence. */
import type { ExploreFamily } from '../../../core/verdict/index.ts';
import { describe, expect, it } from 'vitest';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import { postgres } from '../../../dialects/postgres/index.ts';
import { exploreText } from '../../../reports/index.ts';
import type { ExploreLevel, ExploreReport } from '../../../reports/index.ts';
import { exploreExit } from '../../../src/app/commands/explore.ts';
import { exampleOf } from '../../../src/explore/example.ts';
import { oneByOne, play } from '../../../src/explore/play.ts';
import { firstState } from '../../../core/program/index.ts';
import { ModelRunner } from '../../model/model-runner.ts';
import { LEVEL, REPORT } from './fixture.ts';

const reportOf = (level: Partial<ExploreLevel>, endedEarly?: string): ExploreReport => ({
  ...REPORT,
  levels: [{ ...LEVEL, ...level }],
  ...(endedEarly !== undefined && { endedEarly }),
});

/** Program 125 of seed 3 in its serial order, as if that were the difference. */
async function family(byIndex: boolean): Promise<ExploreFamily> {
  const catalogue = new Catalogue(createRandom('3'), { capabilities: postgres.capabilities, canForceIndexes: true });
  const program = catalogue.program({
    skeleton: 'write skew',
    world: byIndex ? 'two tables, by index' : 'two tables',
    'reads 1': 'upsert of nothing',
    'reads 2': 'upsert of nothing',
    'writes 1': 'delete',
    'writes 2': 'delete',
  });
  const runner = new ModelRunner({ rule: 'serializable', random: () => createRandom('model') });
  await runner.load(program);
  const played = (await play(runner, program, firstState(program.fixture), oneByOne([0, 1])))!;
  const level = postgres.levels.find(({ level: name }) => name === 'serializable')!;
  const example = exampleOf(
    program,
    { times: 5, of: 5, answers: [], played },
    { dialect: postgres, level, beginSql: () => 'BEGIN ISOLATION LEVEL SERIALIZABLE', breaks: [], command: 'anomalist explore' },
  );
  return {
    name: 'write skew',
    oracle: 'serial orders',
    difference: 'none',
    unnamed: 'it was not run',
    oneOf: ['G2'],
    verdict: 'bug',
    says: '',
    source: '',
    programs: 1,
    forms: {},
    example,
  };
}

describe('the report of an exploration', () => {
  it('says what a person types to repeat a finding: tables, indexes, rows, planner, level', async () => {
    const { setup, sessions, begin } = (await family(true)).example;
    expect(setup.filter((sql) => sql.startsWith('create table'))).toHaveLength(3);
    expect(setup).toContain('create index "left_one_g" on "left_one" ("g")');
    expect(setup.filter((sql) => sql.startsWith('insert into'))).toHaveLength(2);
    expect(sessions).toEqual([
      'SET search_path TO "anomalist_by_hand"',
      'SET enable_seqscan TO off',
      expect.stringContaining("name = 'jit'"),
    ]);
    expect(begin).toEqual({ level: 'serializable', sql: 'BEGIN ISOLATION LEVEL SERIALIZABLE' });
    expect((await family(false)).example.sessions).not.toContain('SET enable_seqscan TO off');
    const text = exploreText(reportOf({ families: [await family(true)] }));
    for (const sql of [...setup, sessions[1]!]) expect(text).toContain(`    ${sql};\n`);
    expect(text).toContain('-- BEGIN stands for (serializable): BEGIN ISOLATION LEVEL SERIALIZABLE\n');
  });

  it('names the class with its edges, or says why none is named and which the outcome leaves', async () => {
    const { unnamed: _, ...rest } = await family(false);
    const named = {
      class: 'G2-item',
      shapes: ['write skew'],
      explanation: 'T1 and T2 each overwrite what the other read',
      edges: ['T1 read x before T2 wrote it'],
      times: 2,
      of: 3,
    } as const;
    const text = exploreText(reportOf({ families: [{ ...rest, named }] }));
    expect(text).toContain('bug  G2-item (write skew)  write skew: 1 program');
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'G2-item (write skew) in 2 of 3 runs of this order with probes: T1 and T2 each overwrite what the other read T1 read x before T2 wrote it',
    );
    expect(exploreText(reportOf({ families: [await family(false)] })).replaceAll(/\s+/g, ' ')).toContain(
      'no class is named: it was not run; by its outcome one of G2 ',
    );
  });

  it('says "nothing" only where no difference was left without an answer', () => {
    expect(exploreText(reportOf({}))).toContain('a serial order explains every outcome');
    expect(exploreText(reportOf({}))).not.toContain('coverage');
    for (const left of [{ untried: 2 }, { unconfirmed: 2 }]) {
      const text = exploreText(reportOf(left));
      expect(text).not.toContain('a serial order explains every outcome');
      expect(text).toContain('2 differences');
      expect(text).toContain('no finding was confirmed');
    }
  });

  it('shows one of the findings that the corpus knows by one case whole, of the others a line', async () => {
    const one = await family(false);
    const known = { file: 'corpus/explored/a.spec', programs: 1 };
    const families = [
      { ...one, name: 'the first', known },
      { ...one, name: 'the second', known },
      { ...one, name: 'of another case', known: { ...known, file: 'corpus/explored/b.spec' } },
    ];
    const text = exploreText(reportOf({ families }));
    expect(text.match(/by hand, once:/g)).toHaveLength(2);
    expect(text).toContain('\n  known bug  the second: 1 program, first program');
  });

  it('shows the answers of six serial orders, and counts the others', async () => {
    const one = await family(false);
    const answers = Array.from({ length: 24 }, (_, i) => ({ order: [1, 2], differs: [`answer ${i}`] }));
    const text = exploreText(reportOf({ families: [{ ...one, example: { ...one.example, answers } }] }));
    expect(text.match(/answer \d+/g)).toHaveLength(6);
    expect(text).toContain('and 18 more orders');
  });

  it('exits with 1 for a bug, with 2 where the server failed before one was found, with 3 where nothing was run', async () => {
    const bug = { families: [await family(false)] };
    expect([
      exploreExit(reportOf(bug)),
      exploreExit(reportOf(bug, 'lost')),
      exploreExit(reportOf({}, 'lost')),
      exploreExit(reportOf({ orders: 0 })),
      exploreExit(reportOf({})),
    ]).toEqual([1, 1, 2, 3, 0]);
  });

  it('counts the pairs of the matrix as something that was run and judged, and says nothing of programs if none was to run', () => {
    const round = { name: 'write skew', list: 'byKind', pairs: 20, run: 5, orders: 5 } as const;
    const pairMatrix = { possible: 90, fixtures: 3, askedFixtures: 1, matter: 40, rounds: [round], notSought: ['undone'], seconds: 1 };
    const alone = reportOf({ programs: 0, whole: 0, sampled: 0, orders: 0, pairMatrix });
    const text = exploreText(alone).replaceAll(/\s+/g, ' ');
    expect(exploreExit(alone)).toBe(0);
    expect(text).toContain('in the first 1 of 3 fixtures 40 pairs of a look and a change matter, of 90 in all; 5 orders');
    expect(text).toContain('run: write skew in every fixture 25 % of 20');
    expect(text).toContain('not run, because the vendor allows them at this level: undone');
    expect(text).not.toContain('0 programs');
    expect(text).toContain('a serial order explains every outcome');

    const nothing = reportOf({
      programs: 0,
      whole: 0,
      sampled: 0,
      orders: 0,
      pairMatrix: { ...pairMatrix, rounds: [{ ...round, run: 0, orders: 0 }] },
    });
    expect(exploreExit(nothing)).toBe(3);
    expect(exploreText(nothing)).toContain('no outcome was judged');
  });
});
