import { describe, expect, it } from 'vitest';
import { firstState } from '../../../core/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import { countOrders } from '../../../src/explore/orders.ts';
import { play } from '../../../src/explore/play.ts';
import { byPriority, sample, uniform } from '../../../src/explore/sample.ts';
import { MODEL_CAPABILITIES } from '../../model/capabilities.ts';
import { ModelArena } from '../../model/model-arena.ts';

const program = new Catalogue(createRandom('1'), { capabilities: MODEL_CAPABILITIES, canForceIndexes: false }).program({
  skeleton: 'write skew',
  world: 'two tables',
  'reads 1': 'point',
  'writes 1': 'set',
  'reads 2': 'point',
  'writes 2': 'set',
});
const arena = new ModelArena({ rule: 'snapshot', random: () => createRandom('model') });
await arena.load(program);

describe('sampled orders', () => {
  it('are drawn uniformly, each as often as any other', async () => {
    const random = createRandom('uniform');
    const seen = new Map<string, number>();
    for (let i = 0; i < 4_000; i++) {
      const { choices } = (await play(arena, program, firstState(program.world), uniform(program, random)))!;
      seen.set(choices.join(), (seen.get(choices.join()) ?? 0) + 1);
    }
    expect(seen.size).toBe(countOrders(program));
    expect(Math.min(...seen.values())).toBeGreaterThan(120);
    expect(Math.max(...seen.values())).toBeLessThan(280);
  });

  it('by priority switch no more often than their depth says', async () => {
    const random = createRandom('priority');
    for (let i = 0; i < 200; i++) {
      const { choices } = (await play(arena, program, firstState(program.world), byPriority(program, random, 2)))!;
      const switches = choices.filter((session, n) => n > 0 && choices[n - 1] !== session).length;
      expect(switches).toBeLessThanOrEqual(2);
    }
  });

  it('are the same for the same seed, and as many as asked for', async () => {
    const orders = async (seed: string): Promise<readonly string[]> => {
      const all: string[] = [];
      await sample(
        arena,
        program,
        firstState(program.world),
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
