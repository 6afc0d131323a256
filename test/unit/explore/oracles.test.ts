/**
 * The oracles with the model as the server: nothing is found of a rule that excludes it, what a rule allows is found, and
 * each way in which the model can be broken is found.
 */
import { describe, expect, it } from 'vitest';
import { firstState } from '../../../core/program/index.ts';
import type { Statement } from '../../../core/sql/index.ts';
import type { Program, ProgramTxn, FixtureState } from '../../../core/program/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import { aloneIn } from '../../../src/explore/alone.ts';
import type { Replied, Reply } from '../../../src/explore/program-runner.ts';
import { confirm } from '../../../src/explore/confirm.ts';
import type { DifferenceKind } from '../../../src/explore/difference-kinds.ts';
import { differenceOf } from '../../../src/explore/difference.ts';
import type { Difference } from '../../../src/explore/difference.ts';
import { explainedRun } from '../../../src/explore/explained-run.ts';
import { exploreProgram } from '../../../src/explore/explore-program.ts';
import type { ExploredProgram } from '../../../src/explore/explore-program.ts';
import { isAnswer } from '../../../src/explore/oracles/serial.ts';
import { permutations } from '../../../core/base/index.ts';
import { oneByOne, play } from '../../../src/explore/play.ts';
import { within } from '../../budget.ts';
import { MODEL_CAPABILITIES } from '../../model/capabilities.ts';
import { ModelRunner } from '../../model/model-runner.ts';
import { BREAKAGES } from '../../model/rules.ts';
import type { Rule } from '../../model/rules.ts';

const catalogueOf = (seed: string): Catalogue =>
  new Catalogue(createRandom(seed), { capabilities: MODEL_CAPABILITIES, canForceIndexes: false });
const options = { orders: 'pruned', most: 100, samples: 40, random: createRandom('orders'), beginsCommute: true } as const;
const SIMPLE = { world: 'two rows', 'reads 1': 'point', 'writes 1': 'set', 'reads 2': 'point', 'writes 2': 'set' };

async function differencesOf(program: Program, rule: Rule): Promise<readonly Difference[]> {
  const explored = await exploreProgram(new ModelRunner({ rule, random: () => createRandom('model') }), program, options);
  return explored.found.map(({ difference }) => difference);
}

async function kindsOf(program: Program, rule: Rule): Promise<ReadonlySet<DifferenceKind>> {
  return new Set((await differencesOf(program, rule)).map(({ kind }) => kind));
}

describe('the oracles', () => {
  it('find nothing where the model is serializable', async () => {
    const catalogue = catalogueOf('serializable');
    let outcomes = 0;
    for (const _ of within(400, { least: 60 })) {
      const program = catalogue.next()!;
      const explored = await exploreProgram(
        new ModelRunner({ rule: 'serializable', random: () => createRandom('model') }),
        program,
        options,
      );
      expect(
        explored.found.map(({ difference, played }) => [difference.kind, played.choices]),
        JSON.stringify(program.made),
      ).toEqual([]);
      outcomes += explored.outcomes;
    }
    expect(outcomes).toBeGreaterThan(100);
  });

  it('find of snapshot isolation what snapshots explain and no serial order does, and nothing else', async () => {
    const catalogue = catalogueOf('snapshot');
    let skewed = 0;
    for (const _ of within(300, { least: 60 })) {
      const program = catalogue.next()!;
      const found = await differencesOf(program, 'snapshot');
      expect(
        // Keys are checked against the newest rows, in PostgreSQL too.
        found.filter(({ kind, freedKey }) => kind === 'no snapshot' && freedKey !== true),
        JSON.stringify(program.made),
      ).toEqual([]);
      if (found.some(({ kind }) => kind === 'skew')) skewed++;
    }
    expect(skewed).toBeGreaterThan(5);
  });

  it('tell write skew from lost update, by what explains them', async () => {
    const catalogue = catalogueOf('classes');
    const skew = catalogue.program({ ...SIMPLE, skeleton: 'write skew' });
    const lost = catalogue.program({ ...SIMPLE, skeleton: 'lost update' });
    expect([...(await kindsOf(skew, 'snapshot'))]).toEqual(['skew']);
    expect([...(await kindsOf(lost, 'snapshot'))]).toEqual([]);
    expect([...(await kindsOf(lost, 'read-committed'))]).toEqual(['no snapshot']);
    expect([...(await kindsOf(skew, 'serializable'))]).toEqual([]);
  });

  it('find nothing of serial orders alone, each run twice, where other orders lose updates', async () => {
    const catalogue = catalogueOf('control');
    let lost = 0;
    for (let i = 0; i < 40; i++) {
      const program = catalogue.next()!;
      const runner = new ModelRunner({ rule: 'read-committed', random: () => createRandom('model') });
      const control = await exploreProgram(runner, program, { ...options, orders: 'serial' });
      expect(control).toMatchObject({ whole: false, sampled: false, found: [] });
      if (control.dropped === undefined) expect(control.orders).toBe(2 * permutations(program.transactions).length);
      if ((await exploreProgram(runner, program, options)).found.length > 0) lost++;
    }
    expect(lost).toBeGreaterThan(5);
  });

  it.each(BREAKAGES)('find a serializable model that is broken by a %s', async (how) => {
    const catalogue = catalogueOf(`broken by ${how}`);
    let programs = 0;
    let found = 0;
    while (found === 0 && programs < 2_000) {
      const program = catalogue.next()!;
      const explored = await exploreProgram(
        new ModelRunner({ rule: 'serializable', broken: { how, chance: 0.5 }, random: () => createRandom(`${how} ${program.number}`) }),
        program,
        options,
      );
      found += explored.found.length;
      programs++;
    }
    console.log(`${how}: found in program ${programs}`);
    expect(found).toBeGreaterThan(0);
  });

  it('say of serial orders that they are serial orders', async () => {
    const catalogue = catalogueOf('serial');
    for (const _ of within(400, { least: 60 })) {
      const program = catalogue.next()!;
      const runner = new ModelRunner({ rule: 'read-committed', random: () => createRandom('model') });
      await runner.load(program);
      const alone = aloneIn(runner, program);
      for (const order of permutations(program.transactions.map((__, session) => session))) {
        const played = await play(runner, program, firstState(program.fixture), oneByOne(order));
        expect(await differenceOf(played!, firstState(program.fixture), alone, program), JSON.stringify(program.made)).toBeUndefined();
      }
    }
  });

  it('ask of transactions of which one makes room for the other, and of none that never come to their end', async () => {
    const { fixture, ...program } = catalogueOf('room').program({ ...SIMPLE, skeleton: 'lost update' });
    const { name, columns, rows } = fixture.tables[0]!;
    const txn = (statement: Statement): ProgramTxn => ({ steps: [{ statement, tables: [name], plainRead: false }], end: 'commit' });
    const remove = txn({ kind: 'delete', table: name });
    const insert = txn({
      kind: 'insert',
      table: name,
      columns: columns.map((column) => column.name),
      rows: [rows[0]!.map((value, i) => ({ kind: 'literal', type: columns[i]!.type.kind, value }))],
    });
    const asked = async (...transactions: readonly ProgramTxn[]): Promise<Partial<ExploredProgram>> =>
      exploreProgram(
        new ModelRunner({ rule: 'serializable', random: () => createRandom('model') }),
        { ...program, fixture, transactions },
        options,
      );
    expect(await asked(remove, insert)).toMatchObject({ outcomes: 2, found: [] });
    expect(await asked(insert, insert)).toMatchObject({ dropped: 'its transactions fail even alone' });
  });

  it('confirm a difference by its choices, and none where there is none', async () => {
    const program = catalogueOf('confirm').program({
      skeleton: 'write skew',
      world: 'two rows',
      'reads 1': 'point',
      'writes 1': 'set',
      'reads 2': 'point',
      'writes 2': 'set',
    });
    const snapshot = new ModelRunner({ rule: 'snapshot', random: () => createRandom('model') });
    const { found } = await exploreProgram(snapshot, program, options);
    const [first] = found;
    const confirmed = await confirm(snapshot, program, first!.played, 'skew');
    expect([confirmed.times, confirmed.of, confirmed.answers.length]).toEqual([5, 5, 2]);
    expect(confirmed.difference).toMatchObject({ kind: 'skew', codes: [] });
    expect((await confirm(snapshot, program, first!.played, 'no snapshot')).times).toBe(0);
    const serializable = new ModelRunner({ rule: 'serializable', random: () => createRandom('model') });
    expect((await confirm(serializable, program, first!.played, 'skew')).times).toBe(0);
  });

  it('show of an order that a serial order explained a run which one explains, or none', async () => {
    const program = catalogueOf('confirm').program({ ...SIMPLE, skeleton: 'write skew' });
    const runner = new ModelRunner({ rule: 'snapshot', random: () => createRandom('model') });
    const inTurn = { choices: [0, 0, 0, 1, 1, 1] };
    expect((await explainedRun(runner, program, inTurn))?.choices).toEqual(inTurn.choices);
    expect(await explainedRun(runner, program, { choices: [0, 1, 0, 1, 0, 1] })).toBeUndefined();
  });

  it('say apart what serial orders give too: a transaction that reads what was there before the one that committed before it', async () => {
    const program = catalogueOf('confirm').program({
      skeleton: 'lost update',
      world: 'two rows',
      'reads 1': 'point',
      'writes 1': 'set',
      'reads 2': 'point',
      'writes 2': 'set',
    });
    const runner = new StaleRunner({ rule: 'serializable', random: () => createRandom('model') });
    const { found } = await exploreProgram(runner, program, options);
    const first = found.find(({ difference }) => difference.kind === 'no snapshot')!;
    const confirmed = await confirm(runner, program, first.played, 'no snapshot');
    expect(confirmed).toMatchObject({ times: 5, of: 5, serially: true });
    expect(confirmed.answers).toHaveLength(2);
    expect(confirmed.answers.some((answer) => isAnswer(confirmed.played!.outcome, answer))).toBe(false);
  });
});

/** The second transaction after a reset is told by its first statement what the first one was told. */
class StaleRunner extends ModelRunner {
  private begun: { readonly session: number; readonly reply: Reply } | undefined;

  override reset(state: FixtureState): Promise<void> {
    this.begun = undefined;
    return super.reset(state);
  }

  override async step(session: number, step: number): Promise<readonly Replied[]> {
    const replied = await super.step(session, step);
    const own = replied.find((each) => each.session === session);
    if (step !== 0 || own === undefined) return replied;
    this.begun ??= { session, reply: own.reply };
    const { reply } = this.begun;
    return replied.map((each) => (each === own ? { session, reply } : each));
  }
}
