/** A cause of a broken invariant is proven by runs of its transactions alone; what cannot be run or asked proves nothing. */
import { describe, expect, it } from 'vitest';
import type { TestCase, TxnPlan } from '../../../../../core/program/index.ts';
import { inTurn, invariantProof, isBroken } from '../../../../../src/judge/assess/invariant-proof.ts';
import type { ProofSetup } from '../../../../../src/judge/assess/invariant-proof.ts';

const plan = (id: number): TxnPlan => ({ id, statements: [], end: 'commit', autocommit: false });

/** Each transaction in a session of its own; `seed` names the case in the scripts. */
const caseOf = (seed: string, count = 2): TestCase => ({
  seed,
  schema: { tables: [] },
  schedule: [0, 1],
  sessions: Array.from({ length: count }, (_, n) => ({ transactions: [plan(n + 1)] })),
});

/** `observed`, `observed other`, `first rows`, or `observed 1 2` and `observed 2 1` for those in turn. */
function nameOf({ seed, sessions }: TestCase): string {
  return sessions.length > 1 ? seed : `${seed} ${sessions[0]!.transactions.map(({ id }) => id).join(' ')}`;
}

/** Runs in the order in which they were asked for, by what the script says of each; several answers are given one after the other. */
async function proven(
  script: Readonly<Record<string, boolean | undefined | readonly (boolean | undefined)[]>>,
  others: readonly string[] = [],
) {
  const ran: string[] = [];
  const breaks: ProofSetup['breaks'] = async (testCase) => {
    const name = nameOf(testCase);
    ran.push(name);
    if (!(name in script)) throw new Error(`nothing is scripted for ${name}`);
    const answers = script[name];
    return Array.isArray(answers) ? (answers[ran.filter((each) => each === name).length - 1] as boolean | undefined) : (answers as boolean);
  };
  const proof = await invariantProof({
    observed: caseOf('observed'),
    fromFirstRows: caseOf('first rows'),
    ordersOf: (testCase) => [testCase, ...others.map((seed) => ({ ...testCase, seed: `${testCase.seed} ${seed}` }))],
    breaks,
  });
  return { proof, ran };
}

const KEPT = { 'observed 1 2': false, 'observed 2 1': false };

describe('the proof of a cause', () => {
  it('is a break in the observed order, and none in every order one after the other', async () => {
    const { proof, ran } = await proven({ observed: true, ...KEPT });
    expect(proof).toEqual({ replayed: { tries: 3, seen: 3 }, inTurn: 2 });
    expect(ran).toEqual(['observed', 'observed 1 2', 'observed 2 1', 'observed', 'observed']);
  });

  it.each([
    ['the first order in turn breaks it', { 'observed 1 2': true, 'observed 2 1': false }],
    ['the last order in turn breaks it', { 'observed 1 2': false, 'observed 2 1': true }],
    ['an order in turn could not be run or asked', { 'observed 1 2': undefined, 'observed 2 1': false }],
    ['the last one could not', { 'observed 1 2': false, 'observed 2 1': undefined }],
  ])('is none where %s', async (_, turns) => {
    expect((await proven({ observed: true, ...turns })).proof).toBeUndefined();
  });

  it('is none where the observed order keeps it, and counts how often it comes again', async () => {
    expect((await proven({ observed: false, ...KEPT })).proof).toBeUndefined();
    expect((await proven({ observed: [true, false, true], ...KEPT })).proof).toMatchObject({ replayed: { tries: 3, seen: 2 } });
    expect((await proven({ observed: [true, undefined, undefined], ...KEPT })).proof).toMatchObject({ replayed: { tries: 3, seen: 1 } });
  });

  it('takes another order that the record allows, where the first one keeps it', async () => {
    const { proof, ran } = await proven({ observed: false, 'observed other': true, ...KEPT }, ['other']);
    expect(proof).toEqual({ replayed: { tries: 3, seen: 3 }, inTurn: 2 });
    expect(ran.slice(0, 2)).toEqual(['observed', 'observed other']);
  });

  it('begins with the first rows where the rows as they were cannot be used, and says so', async () => {
    const first = { 'first rows': true, 'first rows 1 2': false, 'first rows 2 1': false };
    expect((await proven({ observed: undefined, ...first })).proof).toEqual({
      fromFirstRows: true,
      replayed: { tries: 3, seen: 3 },
      inTurn: 2,
    });
    expect((await proven({ observed: undefined, 'first rows': undefined })).proof).toBeUndefined();
    expect((await proven({ observed: undefined, ...first, 'first rows 2 1': true })).proof).toBeUndefined();
    // Other rows are not asked for what they were seen not to do there.
    expect((await proven({ observed: false })).ran).toEqual(['observed']);
  });

  it('runs three transactions in all orders, more of them in one and its reverse, each in one session without a schedule', () => {
    const orders = (count: number) =>
      inTurn(caseOf('observed', count)).map(({ sessions }) => sessions.map(({ transactions }) => transactions.map(({ id }) => id)));
    expect(orders(1)).toEqual([[[1]]]);
    expect(orders(3)).toEqual([[[1, 2, 3]], [[1, 3, 2]], [[2, 1, 3]], [[2, 3, 1]], [[3, 1, 2]], [[3, 2, 1]]]);
    expect(orders(4)).toEqual([[[1, 2, 3, 4]], [[4, 3, 2, 1]]]);
    expect(inTurn(caseOf('observed'))[0]).not.toHaveProperty('schedule');
  });
});

describe('an invariant of a round', () => {
  const answer = { name: 'sums', count: 0, rows: [], columns: [] };
  const of = (complete: boolean, ...invariants: readonly object[]) =>
    isBroken({ complete, invariants } as unknown as Parameters<typeof isBroken>[0]);

  it('is broken or kept by a count, and neither without an answer', () => {
    expect(of(true, { ...answer, count: 2 })).toBe(true);
    expect(of(true, answer)).toBe(false);
    expect(of(false, answer)).toBeUndefined();
    expect(of(false, { ...answer, count: 2 })).toBeUndefined();
    expect(of(true, { ...answer, failed: 'timeout' })).toBeUndefined();
    expect(of(true)).toBeUndefined();
  });
});
