import { describe, expect, it } from 'vitest';
import { firstState } from '../../../core/program/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import { enumerate } from '../../../src/explore/enumerate.ts';
import { NONE } from '../../../src/explore/independent.ts';
import { countOrders } from '../../../src/explore/orders.ts';
import { play } from '../../../src/explore/play.ts';
import { byPriority, sample, uniform } from '../../../src/explore/sample.ts';
import { MODEL_CAPABILITIES } from '../../model/capabilities.ts';
import { ModelRunner } from '../../model/model-runner.ts';

const catalogue = new Catalogue(createRandom('1'), { capabilities: MODEL_CAPABILITIES, canForceIndexes: false });
const program = catalogue.program({
  skeleton: 'write skew',
  world: 'two tables',
  'reads 1': 'point',
  'writes 1': 'set',
  'reads 2': 'point',
  'writes 2': 'set',
});
const runner = new ModelRunner({ rule: 'snapshot', random: () => createRandom('model') });
await runner.load(program);

describe('sampled orders', () => {
  it('are drawn uniformly, each as often as any other', async () => {
    const random = createRandom('uniform');
    const seen = new Map<string, number>();
    for (let i = 0; i < 4_000; i++) {
      const { choices } = (await play(runner, program, firstState(program.fixture), uniform(program, random)))!;
      seen.set(choices.join(), (seen.get(choices.join()) ?? 0) + 1);
    }
    expect(seen.size).toBe(countOrders(program));
    expect(Math.min(...seen.values())).toBeGreaterThan(120);
    expect(Math.max(...seen.values())).toBeLessThan(280);
  });

  it('of transactions that come one after the other are those in which they do, each as often', async () => {
    const { 'reads 2': _, ...made } = program.made;
    const turns = catalogue.program({ ...made, skeleton: 'one old, many young writers' });
    const all = new Set<string>();
    const young = (choices: readonly number[]): readonly number[] => choices.filter((session) => session > 0);
    const own = new ModelRunner({ rule: 'snapshot', random: () => createRandom('model') });
    await own.load(turns);
    await enumerate(own, turns, firstState(turns.fixture), NONE, ({ choices }) => all.add(choices.join()).size > 0);
    expect(all.size).toBe(countOrders(turns));
    const random = createRandom('turns');
    const seen = new Map<string, number>();
    for (let i = 0; i < 4_000; i++) {
      const { choices } = (await play(own, turns, firstState(turns.fixture), uniform(turns, random)))!;
      expect(young(choices)).toEqual(young(choices).toSorted((a, b) => a - b));
      seen.set(choices.join(), (seen.get(choices.join()) ?? 0) + 1);
    }
    expect(new Set(seen.keys())).toEqual(all);
    expect(Math.max(...seen.values())).toBeLessThan((3 * 4_000) / all.size);
  });

  it('by priority switch no more often than their depth says', async () => {
    const random = createRandom('priority');
    for (let i = 0; i < 200; i++) {
      const { choices } = (await play(runner, program, firstState(program.fixture), byPriority(program, random, 2)))!;
      const switches = choices.filter((session, n) => n > 0 && choices[n - 1] !== session).length;
      expect(switches).toBeLessThanOrEqual(2);
    }
  });

  it('are the same for the same seed, and as many as asked for', async () => {
    const orders = async (seed: string): Promise<readonly string[]> => {
      const all: string[] = [];
      await sample(
        runner,
        program,
        firstState(program.fixture),
        { count: 30, random: createRandom(seed) },
        ({ choices }) => all.push(choices.join()) > 0,
      );
      return all;
    };
    expect(await orders('1')).toHaveLength(30);
    expect(await orders('1')).toEqual(await orders('1'));
    expect(await orders('1')).not.toEqual(await orders('2'));
  });
});
