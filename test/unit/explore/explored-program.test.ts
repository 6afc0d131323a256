/** What is said of the orders of one program: whether they were all, how many of how many, and why none was run. */
import { describe, expect, it } from 'vitest';
import { firstState } from '../../../core/program/index.ts';
import type { Statement } from '../../../core/sql/index.ts';
import type { Program, ProgramTxn } from '../../../core/program/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import type { Alone } from '../../../src/explore/alone.ts';
import type { Reply } from '../../../src/explore/program-runner.ts';
import { exploreProgram, uselessness } from '../../../src/explore/explore-program.ts';
import type { ExploreOptions, ExploredProgram } from '../../../src/explore/explore-program.ts';
import { MODEL_CAPABILITIES } from '../../model/capabilities.ts';
import { ModelRunner } from '../../model/model-runner.ts';

const SIMPLE = { world: 'two rows', 'reads 1': 'point', 'writes 1': 'set', 'reads 2': 'point', 'writes 2': 'set' };
const catalogue = new Catalogue(createRandom('whole'), { capabilities: MODEL_CAPABILITIES, canForceIndexes: false });
const lostUpdate = catalogue.program({ ...SIMPLE, skeleton: 'lost update' });

function explore(options: Partial<ExploreOptions>, program: Program = lostUpdate): Promise<ExploredProgram> {
  return exploreProgram(new ModelRunner({ rule: 'read-committed', random: () => createRandom('model') }), program, {
    orders: 'pruned',
    most: 1_000,
    samples: 7,
    random: createRandom('orders'),
    beginsCommute: false,
    ...options,
  });
}

describe('the orders of a program', () => {
  it('are all of them where they are few enough, and then none is drawn', async () => {
    const { possible } = await explore({});
    expect(possible).toBe(20);
    for (const most of [1_000, possible]) {
      const all = await explore({ most });
      expect([all.whole, all.sampled]).toEqual([true, false]);
      // Those that wait have fewer.
      expect(all.orders).toBeLessThanOrEqual(possible);
    }
  });

  it('are drawn where they are too many, and never called all', async () => {
    for (const [options, orders] of [
      [{ most: 19 }, 7],
      [{ orders: 9 as const }, 9],
      [{ orders: 9 as const, tries: 1_000 }, 9],
    ] as const) {
      const drawn = await explore(options);
      expect([drawn.whole, drawn.sampled, drawn.orders, drawn.possible]).toEqual([false, true, orders, 20]);
    }
  });

  it('are all of them where trying one after the other came to an end in time, and else drawn behind that', async () => {
    const tried = await explore({ most: 19, tries: 1_000 });
    expect([tried.whole, tried.sampled]).toEqual([true, false]);
    expect(tried.orders).toBe((await explore({})).orders);
    const cut = await explore({ most: 19, tries: 3 });
    expect([cut.whole, cut.sampled, cut.orders]).toEqual([false, true, 3 + 7]);
  });

  it('are not all of them where it was enough before, nor one after the other', async () => {
    for (const options of [{}, { orders: 'all' as const }, { most: 19 }, { most: 19, tries: 5 }]) {
      let runs = 0;
      const early = await explore({ ...options, enough: () => ++runs >= 2 });
      expect([early.whole, early.orders < 3, early.sampled], JSON.stringify(options)).toEqual([false, true, 'most' in options]);
    }
    const serial = await explore({ orders: 'serial' });
    expect([serial.whole, serial.sampled, serial.orders]).toEqual([false, false, 4]);
  });

  it('are each one where none is left out, however many', async () => {
    const skew = catalogue.program({ ...SIMPLE, skeleton: 'write skew' });
    const pruned = await explore({ beginsCommute: true }, skew);
    const all = await explore({ orders: 'all', most: 1, beginsCommute: true }, skew);
    expect([all.whole, all.sampled]).toEqual([true, false]);
    expect(all.orders).toBeGreaterThan(pruned.orders);
    expect(all.outcomes).toBe(pruned.outcomes);
  });
});

const plain: Statement = { kind: 'savepoint', name: 's' };
const txn = (end: ProgramTxn['end'] = 'commit'): ProgramTxn => ({ steps: [{ statement: plain, tables: [], plainRead: false }], end });
const told = (more: Partial<Reply> = {}): Reply => ({ rows: [], affected: 0, ...more });
const failing = told({ error: { class: 'constraint', code: '1', message: 'taken' } });

describe('a program', () => {
  const asked = (transactions: readonly ProgramTxn[], alone: Alone): Promise<string | undefined> =>
    uselessness({ ...lostUpdate, transactions }, alone);
  const ends =
    (...all: readonly ('committed' | 'aborted')[]) =>
    (replies: readonly Reply[] = [told()]): Alone =>
    (session, from) =>
      Promise.resolve({ result: { replies, end: all[session]! }, state: from });

  it('shows something where two transactions come to their end, alone or behind one another', async () => {
    expect(await asked([txn(), txn()], ends('committed', 'committed')())).toBeUndefined();
    expect(await asked([txn(), txn('rollback')], ends('committed', 'aborted')())).toBeUndefined();
    const first = firstState(lostUpdate.fixture);
    const behind: Alone = (session, from) =>
      Promise.resolve({ result: { replies: [], end: session === 0 || from !== first ? 'committed' : 'aborted' }, state: { ...from } });
    const passes = { ...lostUpdate, fixture: { ...lostUpdate.fixture, first }, transactions: [txn(), txn()] };
    expect(await uselessness(passes, behind)).toBeUndefined();
  });

  it('shows nothing where fewer do, and it says which way', async () => {
    expect(await asked([txn(), txn()], ends('committed', 'aborted')([failing]))).toBe('its transactions fail even alone');
    expect(await asked([txn(), txn()], ends('committed', 'aborted')([told({ stops: 'rollback' })]))).toBe(
      'its transactions end by an IF, or fail, even alone',
    );
    const refused = told({ error: { class: 'syntax', code: '1', message: 'no such thing' } });
    expect(await asked([txn(), txn()], ends('committed', 'committed')([refused]))).toBe('the server refuses a statement: no such thing');
  });

  it('counts the transactions that fail in turn, over all serial orders', async () => {
    // The second INSERT of 1 meets the key; two UPDATEs do not fail.
    const { fixture } = lostUpdate;
    const { name, columns, rows } = fixture.tables[0]!;
    const insert: ProgramTxn = {
      steps: [
        {
          statement: {
            kind: 'insert',
            table: name,
            columns: columns.map((column) => column.name),
            rows: [rows[0]!.map((value, i) => ({ kind: 'literal', type: columns[i]!.type.kind, value: i === 0 ? 77 : value }))],
          },
          tables: [name],
          plainRead: false,
        },
      ],
      end: 'commit',
    };
    expect((await explore({}, { ...lostUpdate, transactions: [insert, insert] })).failedInTurn).toBe(2);
    expect((await explore({})).failedInTurn).toBe(0);
    // A failure on the way is one too, though its transaction commits; an end that takes everything back is none.
    const step = (statement: Statement): ProgramTxn['steps'][number] => ({ statement, tables: [name], plainRead: false });
    const meets = {
      ...insert.steps[0]!.statement,
      rows: [rows[0]!.map((value, i) => ({ kind: 'literal', type: columns[i]!.type.kind, value }))],
    };
    const undone: ProgramTxn = { steps: [step(plain), step(meets as Statement), step({ kind: 'rollbackTo', name: 's' })], end: 'commit' };
    const { failedInTurn, dropped } = await explore({}, { ...lostUpdate, transactions: [undone, lostUpdate.transactions[1]!] });
    expect([failedInTurn, dropped]).toEqual([2, undefined]);
    expect(
      (await explore({}, { ...lostUpdate, transactions: [{ ...insert, end: 'rollback' }, lostUpdate.transactions[1]!] })).failedInTurn,
    ).toBe(0);
  });
});
