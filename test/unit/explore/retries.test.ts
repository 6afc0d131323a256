/** A transaction that is refused and begun again: within every order, each attempt a transaction, the last one compared. */
import { describe, expect, it } from 'vitest';
import { firstState } from '../../../core/index.ts';
import type { Program } from '../../../core/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import { aloneIn } from '../../../src/explore/alone.ts';
import { differenceOf } from '../../../src/explore/difference.ts';
import { enumerate } from '../../../src/explore/enumerate.ts';
import { NONE, independence } from '../../../src/explore/independent.ts';
import { countOrders } from '../../../src/explore/orders.ts';
import { outcomeKey } from '../../../src/explore/outcome.ts';
import { again, play } from '../../../src/explore/play.ts';
import type { Played } from '../../../src/explore/play.ts';
import { caseOf } from '../../../src/explore/program-case.ts';
import { MODEL_CAPABILITIES } from '../../model/capabilities.ts';
import { ModelArena } from '../../model/model-arena.ts';
import type { Rule } from '../../model/rules.ts';

function withRetries(program: Program, retries: number): Program {
  return { ...program, transactions: program.transactions.map((each) => ({ ...each, retries })) };
}

/** Pairs of the catalogue that have few orders; alike for the same seed. */
function programs(seed: string, count: number): readonly Program[] {
  const catalogue = new Catalogue(createRandom(seed), { capabilities: MODEL_CAPABILITIES, canForceIndexes: false });
  const small: Program[] = [];
  while (small.length < count) {
    const program = catalogue.next()!;
    if (program.transactions.length === 2 && countOrders(program) <= 70) small.push(program);
  }
  return small;
}

async function runsOf(program: Program, rule: Rule, pruned = false): Promise<readonly Played[]> {
  const arena = new ModelArena({ rule, random: () => createRandom('model') });
  await arena.load(program);
  const runs: Played[] = [];
  const { whole } = await enumerate(
    arena,
    program,
    firstState(program.fixture),
    pruned ? independence(program, { beginsCommute: true }) : NONE,
    (played) => runs.push(played) > 0,
  );
  expect(whole).toBe(true);
  return runs;
}

function refusedIn({ outcome }: Played): number {
  return outcome.transactions.filter(
    ({ end, replies }) => end === 'aborted' && replies.some(({ error }) => error?.class === 'serialization'),
  ).length;
}

describe('a transaction that is tried again', () => {
  it('goes through where it was refused without, beside what the others have left; its refused attempts are told and not compared', async () => {
    let [refused, triedAgain, beside] = [0, 0, 0];
    for (const program of programs('retries', 60)) {
      const before = await runsOf(program, 'snapshot');
      const after = await runsOf(withRetries(program, 3), 'snapshot');
      refused += before.reduce((sum, played) => sum + refusedIn(played), 0);
      expect(before.every(({ begunAgain }) => begunAgain === undefined)).toBe(true);
      for (const played of after) {
        expect(refusedIn(played), JSON.stringify(program.made)).toBe(0);
        const { transcript, begunAgain = [], choices, outcome } = played;
        const begun = transcript.filter(({ step, attempt, state }) => step === 0 && attempt !== undefined && state !== 'replies late');
        expect(begun.map(({ session }) => session)).toEqual(begunAgain.map((at) => choices[at]));
        for (const { session, attempt } of begun) {
          const own = transcript.filter((entry) => entry.session === session);
          expect(own.some((entry) => (entry.attempt ?? 1) === attempt! - 1 && entry.reply?.ended === 'aborted')).toBe(true);
          expect(outcome.transactions[session]!.replies.length).toBeLessThanOrEqual(program.transactions[session]!.steps.length);
        }
        if (begunAgain.length > 0) triedAgain++;
        if (begunAgain.some((at) => choices.slice(at).some((session) => session !== choices[at]))) beside++;
      }
    }
    expect(refused).toBeGreaterThan(20);
    expect(triedAgain).toBeGreaterThan(20);
    expect(beside).toBeGreaterThan(0);
  });

  it('leaves nothing that a serial order does not explain at SERIALIZABLE, pruned and not, and each run comes again', async () => {
    let triedAgain = 0;
    for (const once of programs('serial retries', 24)) {
      const program = withRetries(once, 2);
      const all = await runsOf(program, 'serializable');
      const pruned = await runsOf(program, 'serializable', true);
      const keys = (runs: readonly Played[]): ReadonlySet<string> => new Set(runs.map(({ outcome }) => outcomeKey(outcome)));
      expect(keys(pruned)).toEqual(keys(all));
      const arena = new ModelArena({ rule: 'serializable', random: () => createRandom('model') });
      await arena.load(program);
      const alone = aloneIn(arena, program);
      for (const played of all) {
        expect(await differenceOf(played, firstState(program.fixture), alone, program), JSON.stringify(program.made)).toBeUndefined();
        if (played.begunAgain === undefined) continue;
        triedAgain++;
        const repeated = await play(arena, program, firstState(program.fixture), again(played.choices));
        expect(repeated!.transcript).toEqual(played.transcript);
      }
    }
    expect(triedAgain).toBeGreaterThan(20);
  });

  it('is so many transactions of a case, each begun where it was', async () => {
    const [program] = programs('retries', 1);
    const { sessions, schedule } = caseOf(withRetries(program!, 2), { choices: [0, 1, 0, 1, 1, 1], begunAgain: [4] });
    expect(schedule).toEqual([0, 0, 1, 1, 0, 1, 1, 1, 1]);
    expect(sessions.map(({ transactions }) => transactions.map(({ id, retryOf }) => [id, retryOf]))).toEqual([
      [
        [1, undefined],
        [3, 1],
        [4, 3],
      ],
      [
        [2, undefined],
        [5, 2],
        [6, 5],
      ],
    ]);
  });
});
