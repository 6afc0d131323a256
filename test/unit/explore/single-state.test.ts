/**
 * Atomic visibility of a statement, with the model as the server: whole, it shows plain reads single states alone; a reply
 * that depends on who is still open is found, and found again.
 */
import { describe, expect, it } from 'vitest';
import type { Program, FixtureState } from '../../../core/program/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import type { Replied } from '../../../src/explore/program-runner.ts';
import { confirmViolation } from '../../../src/explore/confirm-violation.ts';
import { exploreProgram } from '../../../src/explore/explore-program.ts';
import type { ExploredProgram } from '../../../src/explore/explore-program.ts';
import { besideIn } from '../../../src/explore/oracles/beside.ts';
import type { Played, TranscriptStep } from '../../../src/explore/play.ts';
import { within } from '../../budget.ts';
import { MODEL_CAPABILITIES } from '../../model/capabilities.ts';
import { ModelRunner } from '../../model/model-runner.ts';
import type { ModelRunnerOptions } from '../../model/model-runner.ts';

const catalogueOf = (seed: string): Catalogue =>
  new Catalogue(createRandom(seed), { capabilities: MODEL_CAPABILITIES, canForceIndexes: false });
const modelOf = (rule: ModelRunnerOptions['rule']): ModelRunnerOptions => ({ rule, random: () => createRandom('model') });
const explore = (runner: ModelRunner, program: Program): Promise<ExploredProgram> =>
  exploreProgram(runner, program, { orders: 'pruned', most: 100, samples: 40, random: createRandom('orders'), beginsCommute: true });

/** Who reads while another transaction is open is told of a value that never was. */
class MixingRunner extends ModelRunner {
  private readonly begun = new Set<number>();

  override reset(state: FixtureState): Promise<void> {
    this.begun.clear();
    return super.reset(state);
  }

  override async step(session: number, step: number): Promise<readonly Replied[]> {
    this.begun.add(session);
    const mixes = session === 0 && this.begun.size > 1;
    const replied = await super.step(session, step);
    for (const { session: each, reply } of replied) if (reply.ended !== undefined) this.begun.delete(each);
    return replied.map((each) =>
      mixes && each.session === 0 && each.reply.rows.length > 0
        ? { session: 0, reply: { ...each.reply, rows: each.reply.rows.map((row) => row.map(() => '999')) } }
        : each,
    );
  }
}

describe('a statement and the states that it may have seen', () => {
  it.each(['read-committed', 'snapshot', 'serializable'] as const)('finds plain reads of the model on one state: %s', async (rule) => {
    const catalogue = catalogueOf(`states ${rule}`);
    let judged = 0;
    for (const _ of within(200, { least: 40 })) {
      const program = catalogue.next()!;
      const { violations, statements } = await explore(new ModelRunner(modelOf(rule)), program);
      judged += statements.judged;
      expect(
        violations.filter(({ violation }) => violation.reading !== 'locking').map(({ violation }) => violation.seen),
        JSON.stringify(program.made),
      ).toEqual([]);
    }
    expect(judged > 0).toBe(rule !== 'serializable');
  });

  it('finds a reply that nobody is given alone, and finds it again', async () => {
    const program = catalogueOf('mixed').program({ skeleton: 'read skew', world: 'two rows', 'reads 1': 'point', 'writes 2': 'set' });
    const runner = new MixingRunner(modelOf('read-committed'));
    const { violations } = await explore(runner, program);
    expect(violations.map(({ violation }) => [violation.kind, violation.reading])).toEqual([['part of a transaction', 'plain']]);
    const [{ violation, played } = { violation: undefined, played: undefined }] = violations;
    expect(violation!.seen[0]).toMatch(/^session 1, statement [12]: \(999, 999, 999\)$/);
    expect(violation!.seen[1]).toMatch(/^alone, (before any other|after session)/);
    const confirmed = await confirmViolation(runner, program, played!, violation!);
    expect([confirmed.times, confirmed.of]).toEqual([5, 5]);
    const whole = new ModelRunner(modelOf('read-committed'));
    expect((await confirmViolation(whole, program, played!, violation!)).times).toBe(0);
  });

  it('counts as possible what may have committed before the reply, and as certain what was heard before the sending', () => {
    const said = (session: number, step: number, state: TranscriptStep['state'], ended?: 'committed'): TranscriptStep => ({
      session,
      step,
      state,
      ...(state !== 'waits' && { reply: { rows: [], affected: 0, ...(ended && { ended }) } }),
    });
    // Session 1 commits, 0 waits for 2, which commits and lets it go on; 3 commits behind it.
    const transcript = [
      said(1, 0, 'replies'),
      said(1, 1, 'replies', 'committed'),
      said(2, 0, 'replies'),
      said(3, 0, 'replies'),
      said(0, 0, 'waits'),
      said(0, 0, 'replies late'),
      said(2, 1, 'replies', 'committed'),
      said(3, 1, 'replies', 'committed'),
      said(0, 1, 'replies', 'committed'),
    ];
    const played: Played = {
      transcript,
      choices: [1, 1, 2, 3, 0, 2, 3, 0],
      outcome: { transactions: [0, 1, 2, 3].map(() => ({ replies: [], end: 'committed' })), state: {} },
    };
    expect(besideIn(played, () => 1).find(({ session }) => session === 0)).toEqual({
      session: 0,
      step: 0,
      sent: 4,
      before: [1],
      meanwhile: [2],
      waited: true,
      alone: false,
    });
  });

  describe('what a statement can have seen', () => {
    type Told = readonly [number, number, TranscriptStep['state'], ('committed' | 'aborted')?];
    const playedOf = (told: readonly Told[], choices: readonly number[], aborted: readonly number[] = []): Played => ({
      transcript: told.map(([session, step, state, ended]) => ({
        session,
        step,
        state,
        ...(state !== 'waits' && { reply: { rows: [], affected: 0, ...(ended && { ended }) } }),
      })),
      choices,
      outcome: {
        transactions: [0, 1, 2, 3].map((session) => ({ replies: [], end: aborted.includes(session) ? 'aborted' : 'committed' })),
        state: {},
      },
    });
    const of = (played: Played, session: number): ReturnType<typeof besideIn> =>
      besideIn(played, () => 1).filter((each) => each.session === session);

    it('is surely what committed before the sending before its own, and perhaps what was heard with it', () => {
      // 1's commit is heard, then 0 is sent: its reply to the commit came before that sending.
      const apart = playedOf(
        [
          [1, 0, 'replies'],
          [1, 1, 'replies', 'committed'],
          [0, 0, 'replies'],
          [0, 1, 'replies', 'committed'],
        ],
        [1, 1, 0, 0],
      );
      expect(of(apart, 0)).toEqual([{ session: 0, step: 0, sent: 2, before: [1], meanwhile: [], waited: false, alone: true }]);
      // The commit of 1 goes on late, beside the sending of 0: nobody knows which was first.
      const late = playedOf(
        [
          [2, 0, 'replies'],
          [1, 0, 'replies'],
          [1, 1, 'waits'],
          [2, 1, 'replies', 'committed'],
          [1, 1, 'replies late', 'committed'],
          [0, 0, 'replies'],
          [0, 1, 'replies', 'committed'],
        ],
        [2, 1, 1, 2, 0, 0],
      );
      expect(of(late, 0)).toEqual([{ session: 0, step: 0, sent: 4, before: [2], meanwhile: [1], waited: false, alone: false }]);
    });

    it('is nothing of others where it is the first one', () => {
      const first = playedOf(
        [
          [0, 0, 'replies'],
          [0, 1, 'replies', 'committed'],
          [1, 0, 'replies'],
          [1, 1, 'replies', 'committed'],
        ],
        [0, 0, 1, 1],
      );
      expect(of(first, 0)).toEqual([{ session: 0, step: 0, sent: 0, before: [], meanwhile: [], waited: false, alone: true }]);
    });

    it('is not what was sent behind its reply, though it committed', () => {
      const behind = playedOf(
        [
          [1, 0, 'replies'],
          [0, 0, 'replies'],
          [1, 1, 'replies', 'committed'],
          [0, 1, 'replies', 'committed'],
        ],
        [1, 0, 1, 0],
      );
      // 1 was open beside it, so it was not alone.
      expect(of(behind, 0)).toEqual([{ session: 0, step: 0, sent: 1, before: [], meanwhile: [], waited: false, alone: false }]);
    });

    it('may be what committed at last, where nothing was sent behind it', () => {
      const last = playedOf(
        [
          [0, 0, 'replies'],
          [1, 0, 'waits'],
          [0, 1, 'replies', 'committed'],
          [1, 0, 'replies late'],
          [1, 1, 'replies', 'committed'],
        ],
        [0, 1, 0, 1],
      );
      expect(of(last, 1)).toEqual([{ session: 1, step: 0, sent: 1, before: [], meanwhile: [0], waited: true, alone: false }]);
    });

    it('may be what committed while a last statement waited, whoever was open', () => {
      const last = playedOf(
        [
          [0, 0, 'replies'],
          [1, 0, 'waits'],
          [0, 1, 'replies', 'committed'],
          [1, 0, 'replies late', 'committed'],
        ],
        [0, 1, 0],
      );
      expect(of(last, 1)).toEqual([{ session: 1, step: 0, sent: 1, before: [], meanwhile: [0], waited: true, alone: false }]);
      const nobody = playedOf(
        [
          [1, 0, 'waits'],
          [2, 0, 'replies', 'committed'],
          [1, 0, 'replies late', 'committed'],
        ],
        [1, 2],
      );
      expect(of(nobody, 1)).toEqual([{ session: 1, step: 0, sent: 0, before: [], meanwhile: [2], waited: true, alone: false }]);
    });

    it('is asked of statements of committed transactions alone, and of no end', () => {
      const rolledBack = playedOf(
        [
          [0, 0, 'replies'],
          [0, 1, 'replies', 'aborted'],
          [1, 0, 'replies'],
          [1, 1, 'replies', 'committed'],
        ],
        [0, 0, 1, 1],
        [0],
      );
      expect(besideIn(rolledBack, () => 1).map(({ session, step }) => [session, step])).toEqual([[1, 0]]);
      // A transaction that was rolled back never committed before.
      expect(of(rolledBack, 1)).toMatchObject([{ before: [], alone: false }]);
    });
  });
});
