/** The matrix of pairs, with the model as the server: its numbers, what is chosen, and what it finds of rules and of breakages. */
import { describe, expect, it } from 'vitest';
import { Catalogue, PAIR_PHENOMENA, createRandom } from '../../../schema-gen/index.ts';
import type { PairPhenomenon } from '../../../schema-gen/index.ts';
import { PairWork } from '../../../src/explore/pair-matrix/pair-work.ts';
import type { PairsPlan } from '../../../src/explore/pair-matrix/pair-work.ts';
import { MODEL_CAPABILITIES } from '../../model/capabilities.ts';
import { ModelRunner } from '../../model/model-runner.ts';
import type { ModelRunnerOptions } from '../../model/model-runner.ts';
import { BREAKAGES } from '../../model/rules.ts';

const catalogueOf = (seed: string, ...only: readonly string[]): Catalogue =>
  new Catalogue(createRandom(seed), { capabilities: MODEL_CAPABILITIES, canForceIndexes: false, ...(only.length > 0 && { only }) });

interface Options extends Omit<ModelRunnerOptions, 'random'>, Partial<Pick<PairsPlan, 'sought' | 'serially'>> {
  readonly only?: readonly string[];
  readonly most: number;
}

/** Of one fixture, some looks and some changes. */
const SOME = ['two rows', 'point', 'exists', 'count', 'add to all', 'delete and insert'];

async function worked({ only = SOME, most, sought = PAIR_PHENOMENA, serially = false, ...model }: Options): Promise<PairWork> {
  let run = 0;
  const work = new PairWork({
    matrix: catalogueOf('pairs', ...only).pairMatrix(),
    sought,
    serially,
    random: createRandom('turns'),
    enough: () => run >= most,
    heard: (sums) => (run = sums.run),
  });
  let runs = 0;
  await work.by(new ModelRunner({ ...model, random: () => createRandom(`model ${runs++}`) }));
  return work;
}

const phenomenon = (name: string): PairPhenomenon => PAIR_PHENOMENA.find((each) => each.name === name)!;
const looksIn = ({ found }: PairWork): ReadonlySet<string> => new Set(found.map(({ program: { made } }) => made['reads 1']!));

describe('the matrix of pairs', () => {
  it('numbers each program so that the number gives it again, whatever the seed', () => {
    const matrix = catalogueOf('one').pairMatrix();
    const other = catalogueOf('another').pairMatrix();
    const random = createRandom('places');
    for (let i = 0; i < 300; i++) {
      const site = random.int(0, matrix.sites.length - 1);
      const { looks, changes } = matrix.sites[site]!;
      const place = { site, look: random.int(0, looks.length - 1), change: random.int(0, changes.length - 1) };
      const wanted = random.pick(PAIR_PHENOMENA);
      const { number, made } = matrix.program(place, wanted);
      expect(matrix.numbered(number)).toEqual({ place, phenomenon: wanted });
      expect(other.program(place, wanted)).toMatchObject({ number, made });
    }
    expect(() => matrix.numbered(1e9)).toThrow(/no such pair; expected a number below \d+/);
  });

  it('orders every step and both ends of a program, and no other', () => {
    const matrix = catalogueOf('steps').pairMatrix();
    for (const wanted of PAIR_PHENOMENA)
      for (const look of [0, matrix.sites[0]!.looks.length - 1]) {
        const { transactions, telling } = matrix.program({ site: 0, look, change: 0 }, wanted);
        for (const order of telling!)
          for (const [session, { steps }] of transactions.entries())
            expect(order.filter((each) => each === session)).toHaveLength(steps.length + 1);
      }
  });

  it('finds nothing where the model is serializable', async () => {
    const { found } = await worked({ rule: 'serializable', most: 1_000 });
    expect(found.map(({ program: { made } }) => made)).toEqual([]);
  });

  it('finds of snapshots the write skew of every look that takes no lock, each at its first turn', async () => {
    const work = await worked({ rule: 'snapshot', most: 120, sought: [phenomenon('write skew')] });
    const seen = looksIn(work);
    for (const look of ['point', 'count', 'exists']) expect(seen, [...seen].join(', ')).toContain(look);
    // Keys are checked against the newest rows, in PostgreSQL too.
    const kinds = work.found.flatMap(({ found }) => found.filter(({ difference }) => difference.freedKey !== true));
    expect(new Set(kinds.map(({ difference }) => difference.kind))).toEqual(new Set(['skew']));
  });

  it('finds what the statements of read committed see of half a transaction, and a lost update', async () => {
    const half = await worked({ rule: 'read-committed', most: 60, sought: [phenomenon('half a transaction')] });
    expect(half.found.length).toBeGreaterThan(10);
    const lost = await worked({ rule: 'read-committed', most: 200, sought: [phenomenon('lost')] });
    expect(lost.found.length).toBeGreaterThan(10);
  });

  it('finds nothing of serial orders where other orders show what read committed allows', async () => {
    const work = await worked({ rule: 'read-committed', most: 200, serially: true });
    expect(work.found).toEqual([]);
    expect(work.report().rounds.reduce((sum, { run, orders }) => sum + orders - 2 * run, 0)).toBe(0);
  });

  it.each(BREAKAGES)('finds a serializable model that is broken by a %s', async (how) => {
    const work = await worked({ rule: 'serializable', broken: { how, chance: 0.5 }, most: 2_000 });
    console.log(`${how}: ${work.found.length} pairs show it, the first one is ${JSON.stringify(work.found[0]?.program.made)}`);
    expect(work.found.length).toBeGreaterThan(0);
  });

  it('says how many pairs matter, and what share of the chosen ones ran', async () => {
    const report = (await worked({ rule: 'serializable', most: 50 })).report();
    expect(report).toMatchObject({ fixtures: 2, askedFixtures: 2, notSought: [] });
    expect(report.matter).toBeGreaterThan(50);
    expect(report.matter).toBeLessThan(report.possible);
    expect(report.rounds.map(({ name, list }) => `${name} ${list}`).slice(0, 2)).toEqual(['write skew byKind', 'write skew byForms']);
    expect(report.rounds.reduce((sum, { run }) => sum + run, 0)).toBe(50);
  });
});
