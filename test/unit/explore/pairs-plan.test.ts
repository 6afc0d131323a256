/** Which explorations begin with the matrix of pairs, and for how long. */
import { describe, expect, it } from 'vitest';
import { Catalogue, PAIR_PHENOMENA, createRandom } from '../../../schema-gen/index.ts';
import { onlyPair, pairsPlan } from '../../../src/explore/pair-matrix/pairs-plan.ts';
import type { PairsPlan } from '../../../src/explore/pair-matrix/pair-work.ts';
import { Progress } from '../../../src/process/progress.ts';
import { MODEL_CAPABILITIES } from '../../model/capabilities.ts';

type Choice = Parameters<typeof pairsPlan>[0];

const catalogue = new Catalogue(createRandom('plan'), {
  capabilities: MODEL_CAPABILITIES,
  canForceIndexes: false,
  only: ['one row', 'point', 'set'],
});

function planOf(choice: Partial<Choice>, now: number = 0, documented: readonly string[] = []): PairsPlan | undefined {
  return pairsPlan(
    { orders: 'pruned', ...choice },
    {
      catalogue,
      seed: '1',
      budget: 1_000,
      since: () => now,
      judge: ({ class: name }) => ({ verdict: documented.includes(name) ? 'documented' : 'bug' }),
      level: 'serializable',
      progress: new Progress(null),
      signal: new AbortController().signal,
    },
  );
}

describe('the matrix of pairs', () => {
  it('begins each exploration of the whole catalogue by time, and no other', () => {
    expect(planOf({})).toBeDefined();
    const others: readonly Partial<Choice>[] = [
      { pair: 0 },
      { program: 0 },
      { programs: 5 },
      { only: ['point'] },
      { file: 'shop.sql' },
      { catalogue: 'ddl' },
      { shard: { index: 1, of: 2 } },
      { orders: 'all' },
      { orders: 'serial' },
      { rendezvous: true },
    ];
    for (const other of others) expect(planOf(other), JSON.stringify(other)).toBeUndefined();
    expect(planOf({ pairs: true, only: ['point'], orders: 'serial' })).toMatchObject({ serially: true });
  });

  it('takes half of the time, and all of it where it was asked for alone', () => {
    expect([planOf({}, 499)!.enough(), planOf({}, 500)!.enough()]).toEqual([false, true]);
    expect([planOf({ pairs: true, duration: 1_000 }, 999)!.enough(), planOf({ pairs: true, duration: 1_000 }, 1_000)!.enough()]).toEqual([
      false,
      true,
    ]);
    expect(planOf({ pairs: true }, 1e9)!.enough()).toBe(false);
  });

  it('seeks no phenomenon whose classes the vendor allows, each of them', () => {
    const names = (documented: readonly string[]): readonly string[] => planOf({}, 0, documented)!.sought.map(({ name }) => name);
    expect(names([])).toEqual(PAIR_PHENOMENA.map(({ name }) => name));
    expect(names(['G2'])).toContain('write skew');
    expect(names(['G2', 'G2-item'])).not.toContain('write skew');
  });

  it('has a source of one pair, in the orders of its phenomenon', () => {
    const source = onlyPair(catalogue, 3);
    expect(source.next()).toMatchObject({ number: 3, made: { skeleton: PAIR_PHENOMENA[3]!.name } });
    expect(source.next()).toBeUndefined();
  });
});
