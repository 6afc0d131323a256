/**
 * Chooses the forms towards which a round's program is drawn. Which pairs have met depends on how transactions happened
 * to run. So the choice is part of the round's seed (schema-gen/relational/towards.ts), which makes a recorded round
 * again.
 *
 * A broad program alone meets dozens of pairs, so chance does better until half of them have met. From then on, every
 * second round is drawn towards a pair that some level has not met, and a few more forms with open pairs. The pair with
 * the fewest tries is chosen, because some pairs cannot meet at all (two INSERTs of new keys) and must not take all
 * turns.
 */
import type { Random } from '../../core/index.ts';
import { createRandom, seedTowards } from '../../schema-gen/index.ts';
import type { Form, FormPair } from '../../schema-gen/index.ts';
import type { Tally } from '../judge/tally/tally.ts';
import type { RunPlan } from './plan.ts';

/** Most forms of one program: 25 pairs, with enough statements of each. */
const MOST_FORMS = 5;

export class Steering {
  private readonly plan: Pick<RunPlan, 'seed' | 'firstRound' | 'towards' | 'workload'>;
  private readonly tallies: readonly Pick<Tally, 'pairs'>[];
  /** Number of tries of each pair. A program has both orders of its pairs. */
  private readonly tried = new Map<string, number>();

  constructor(plan: Steering['plan'], tallies: Steering['tallies']) {
    this.plan = plan;
    this.tallies = tallies;
  }

  /** Returns the seed of the round's case. */
  seedOf(round: number): string {
    const seed = `${this.plan.seed}/${round}`;
    const forms = this.formsOf(round, seed);
    return forms === undefined ? seed : seedTowards(seed, forms);
  }

  private formsOf(round: number, seed: string): readonly Form[] | undefined {
    const {
      towards,
      firstRound,
      workload: { pairs = [] },
    } = this.plan;
    if (towards !== 'unmet') return towards;
    const open = pairs.filter((pair) => this.tallies.some((tally) => tally.pairs?.hasMet(pair) === false));
    if ((round - firstRound) % 2 === 0 || open.length === 0 || open.length > pairs.length / 2) return undefined;
    const random = createRandom(seed).fork('towards');
    const least = Math.min(...open.map((pair) => this.tries(pair)));
    const forms = [...new Set(random.pick(open.filter((pair) => this.tries(pair) === least)))];
    while (forms.length < MOST_FORMS) {
      const next = mostOpen(random, forms, open);
      if (next === undefined) break;
      forms.push(next);
    }
    forms.forEach((a, i) => {
      for (const b of forms.slice(i)) this.tried.set(keyOf([a, b]), this.tries([a, b]) + 1);
    });
    return forms;
  }

  private tries(pair: FormPair): number {
    return this.tried.get(keyOf(pair)) ?? 0;
  }
}

/** Returns the form with the most open pairs among those chosen; undefined if no form has any. */
function mostOpen(random: Random, forms: readonly Form[], open: readonly FormPair[]): Form | undefined {
  const counts = new Map<Form, number>();
  for (const [from, to] of open)
    for (const [chosen, other] of [
      [from, to],
      [to, from],
    ] as const)
      if (forms.includes(chosen) && !forms.includes(other)) counts.set(other, (counts.get(other) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return counts.size === 0 ? undefined : random.pick([...counts].flatMap(([form, count]) => (count === most ? [form] : [])));
}

function keyOf(pair: FormPair): string {
  return pair.toSorted().join();
}
