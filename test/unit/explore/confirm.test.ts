/** A difference that serial orders give in some of its runs: the others count, and they alone. */
import { expect, it } from 'vitest';
import type { Program, FixtureState } from '../../../core/program/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import type { Replied, Reply } from '../../../src/explore/program-runner.ts';
import { confirm } from '../../../src/explore/confirm.ts';
import { MODEL_CAPABILITIES } from '../../model/capabilities.ts';
import { ModelRunner } from '../../model/model-runner.ts';

const program: Program = new Catalogue(createRandom('confirm'), { capabilities: MODEL_CAPABILITIES, canForceIndexes: false }).program({
  skeleton: 'lost update',
  world: 'two rows',
  'reads 1': 'point',
  'writes 1': 'set',
  'reads 2': 'point',
  'writes 2': 'set',
});
const IN_TURN = [0, 0, 0, 1, 1, 1];

/**
 * The second transaction after a reset is told by its first statement what the first one was told; from a number of resets on it
 * is told rows that nobody ever wrote.
 */
class StaleRunner extends ModelRunner {
  private readonly oddFrom: number;
  private begun: { readonly session: number; readonly reply: Reply } | undefined;

  constructor(oddFrom: number) {
    super({ rule: 'serializable', random: () => createRandom('model') });
    this.oddFrom = oddFrom;
  }

  override reset(state: FixtureState): Promise<void> {
    this.begun = undefined;
    return super.reset(state);
  }

  override async step(session: number, step: number): Promise<readonly Replied[]> {
    const replied = await super.step(session, step);
    const own = replied.find((each) => each.session === session);
    if (step !== 0 || own === undefined) return replied;
    this.begun ??= { session, reply: own.reply };
    if (this.begun.session === session) return replied;
    const { reply } = this.begun;
    const odd = { ...reply, rows: reply.rows.map((row) => row.map(() => '777')) };
    return replied.map((each) => (each === own ? { session, reply: this.resets > this.oddFrom ? odd : reply } : each));
  }
}

it('is one that serial orders give only if they give it in each of its runs', async () => {
  const always = new StaleRunner(Infinity);
  expect(await confirm(always, program, { choices: IN_TURN }, 'no snapshot')).toMatchObject({ times: 5, of: 5, serially: true });
  // The last of the runs come behind all others.
  const some = await confirm(new StaleRunner(always.resets - 2), program, { choices: IN_TURN }, 'no snapshot');
  expect([some.times, some.of, some.serially]).toEqual([2, 5, undefined]);
  expect(some.played!.outcome.transactions[1]!.replies[0]!.rows.flat()).toContain('777');
});
