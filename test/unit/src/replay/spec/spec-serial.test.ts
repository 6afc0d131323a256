// Serial orders of a run's transactions: each session's own order is kept, a last look stays last, and answers are compared.
import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../../../../src/replay/index.ts';
import type { Spec } from '../../../../../src/replay/spec/parse-spec.ts';
import { SerialRuns, explains, serialOrders } from '../../../../../src/replay/spec/spec-serial.ts';
import type { RunItem, SpecRun } from '../../../../../src/replay/spec/spec-runner.ts';
import { transactionsOfRun } from '../../../../../src/replay/spec/spec-transactions.ts';
import type { SpecTransaction } from '../../../../../src/replay/spec/spec-transactions.ts';
import { scriptedRun } from './scripted-run.ts';
import type { ScriptedStep } from './scripted-run.ts';

const specOf = (setups: readonly (string | undefined)[]): Spec =>
  parseSpec(
    setups.map((setup, s) => `session s${s}\n${setup === undefined ? '' : `setup { ${setup} }\n`}step x${s} { SELECT 1 }`).join('\n'),
    'a.spec',
  );
const alone = (session: number, name: string, more: Partial<ScriptedStep> = {}): ScriptedStep => ({
  session,
  name,
  sql: 'SELECT 1',
  status: 'outside',
  ...more,
});
const transactions = (run: SpecRun): readonly SpecTransaction[] => transactionsOfRun(run) as readonly SpecTransaction[];
const names = (run: SpecRun, spec: Spec): readonly string[] =>
  serialOrders(transactions(run), spec).map((order) => order.map(({ steps }) => steps.map(({ item }) => item.name).join('+')).join(' '));

describe('serial orders', () => {
  it('keep the order of each session, the order in which they ended first', () => {
    const run = scriptedRun(
      [alone(1, 'b1', { repliedBefore: 3 }), alone(0, 'a1'), alone(0, 'a2'), alone(1, 'b2', { repliedBefore: 5 }), alone(0, 'a3')],
      [undefined, undefined],
    );
    const orders = names(run, specOf([undefined, undefined]));
    expect(orders).toHaveLength(10);
    expect(orders[0]).toBe('a1 a2 b1 a3 b2');
    expect(new Set(orders).size).toBe(10);
  });

  it('have what began after all others had ended at their end, however many these are', () => {
    const run = scriptedRun(
      [alone(0, 'a', { repliedBefore: 2 }), alone(1, 'b'), alone(2, 'look'), alone(2, 'again')],
      [undefined, undefined, undefined],
    );
    expect(names(run, specOf([undefined, undefined, undefined]))).toEqual(['b a look again', 'a b look again']);
  });

  it('do not where it began before, be it by a setup that may have taken a snapshot', () => {
    const open = (setup: string): readonly string[] =>
      names(
        scriptedRun(
          [alone(0, 'a', { repliedBefore: 2 }), alone(1, 'b'), alone(2, 'look', { status: 'inside' }), alone(2, 'end', { sql: 'COMMIT' })],
          [undefined, undefined, 'inside'],
        ),
        specOf([undefined, undefined, setup]),
      );
    for (const plain of [
      'BEGIN;',
      'BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY;',
      'SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE; START TRANSACTION;',
    ])
      expect(open(plain), plain).toEqual(['b a look+end', 'a b look+end']);
    for (const early of ['BEGIN; SELECT 1;', 'START TRANSACTION WITH CONSISTENT SNAPSHOT;', 'SELECT 1; BEGIN;'])
      expect(open(early), early).toHaveLength(6);
  });

  it('are given up where there are too many', () => {
    const many = Array.from({ length: 14 }, (_, i) => alone(i % 2, `t${i}`, i < 12 ? { repliedBefore: 14 } : { repliedBefore: 15 }));
    expect(() => serialOrders(transactions(scriptedRun(many, [undefined, undefined])), specOf([undefined, undefined]))).toThrow(
      'not judged: its transactions have 3432 serial orders; expected at most 1000',
    );
  });
});

/** Each run is answered by the script; what was asked is kept. */
class ScriptedRunner {
  readonly asked: { readonly items: readonly string[]; readonly first: readonly number[] }[] = [];
  private readonly answer: (items: readonly RunItem[], n: number) => SpecRun;

  constructor(answer: (items: readonly RunItem[], n: number) => SpecRun) {
    this.answer = answer;
  }

  run(items: readonly RunItem[], first: readonly number[]): Promise<SpecRun> {
    this.asked.push({ items: items.map(({ name, does }) => (does === undefined ? name : `${does}${items.length}`)), first });
    return Promise.resolve(this.answer(items, this.asked.length));
  }
}

const OK: ScriptedStep['reply'] = {};
const answered = (
  items: readonly RunItem[],
  reply: (item: RunItem) => ScriptedStep['reply'] = () => OK,
  tables: SpecRun['tables'] = {},
): SpecRun => {
  const run = scriptedRun(
    items.map((item) => ({ session: item.session, name: item.name, sql: item.sql, status: 'outside', reply: reply(item)! })),
    [],
    tables,
  );
  return { ...run, steps: run.steps.map((step, i) => ({ ...step, item: items[i]! })) };
};
const failed = (errorClass: 'syntax' | 'constraint', code = '1'): ScriptedStep['reply'] => ({
  error: { class: errorClass, code, message: 'no' },
});

async function serialOf(runner: ScriptedRunner, run: SpecRun, spec: Spec): Promise<readonly string[]> {
  const orders: string[] = [];
  for await (const { order } of new SerialRuns(runner, spec).of(transactions(run), run.setups))
    orders.push(order.map(({ session }) => session).join(''));
  return orders;
}

describe('a serial run', () => {
  const spec = specOf(['BEGIN;', 'SET x = 1;']);
  const run = scriptedRun(
    [
      { session: 0, name: 'r', sql: 'SELECT 1', status: 'inside', reply: { rows: [['1']] } },
      { session: 1, name: 'w', sql: 'UPDATE 1', status: 'outside', reply: { affected: 1 } },
      { session: 0, name: 'c', sql: 'COMMIT', status: 'outside' },
    ],
    ['inside', 'outside'],
    { t: [['1'], ['2']] },
  );

  it('has the setup that opens a transaction right before it, and all others first', async () => {
    const runner = new ScriptedRunner((items) => answered(items));
    expect(await serialOf(runner, run, spec)).toEqual(['10', '01']);
    expect(runner.asked).toEqual([
      { items: ['w', 'setup4', 'r', 'c'], first: [1] },
      { items: ['setup4', 'r', 'c', 'w'], first: [1] },
    ]);
  });

  it.each([
    [
      'waits',
      (items: readonly RunItem[]) => ({ ...answered(items), steps: answered(items).steps.map((step) => ({ ...step, waited: true })) }),
    ],
    ['fails: no', (items: readonly RunItem[]) => answered(items, ({ name }) => (name === 'w' ? failed('syntax') : OK))],
  ])('in which a step %s is not judged', async (words, answer) => {
    await expect(serialOf(new ScriptedRunner(answer), run, spec)).rejects.toThrow(`not judged: in a serial order step w ${words}`);
  });

  it('may hold an error of data', async () => {
    const runner = new ScriptedRunner((items) => answered(items, ({ name }) => (name === 'w' ? failed('constraint') : OK)));
    expect(await serialOf(runner, run, spec)).toHaveLength(2);
  });

  it('explains a run with the same answers and the same rows, in any order of rows', async () => {
    const same = (item: RunItem): ScriptedStep['reply'] =>
      item.name === 'r' ? { rows: [['1']] } : item.name === 'w' ? { affected: 1 } : OK;
    const explained = async (reply: typeof same, tables: SpecRun['tables']): Promise<readonly boolean[]> => {
      const all: boolean[] = [];
      const serial = new SerialRuns(new ScriptedRunner((items) => answered(items, reply, tables)), spec);
      for await (const each of serial.of(transactions(run), run.setups)) all.push(explains(run, each));
      return all;
    };
    expect(await explained(same, { t: [['2'], ['1']] })).toEqual([true, true]);
    expect(await explained(same, { t: [['2']] })).toEqual([false, false]);
    expect(await explained((item) => (item.name === 'w' ? { affected: 2 } : same(item)), { t: [['2'], ['1']] })).toEqual([false, false]);
    expect(await explained((item) => (item.name === 'r' ? { rows: [['2']] } : same(item)), { t: [['2'], ['1']] })).toEqual([false, false]);
  });

  it('that is kept answers alike if a fresh one does', async () => {
    const alike = (answer: ConstructorParameters<typeof ScriptedRunner>[0]): Promise<boolean> =>
      new SerialRuns(new ScriptedRunner(answer), spec).answersAlike(transactions(run), run.setups);
    expect(await alike((items) => answered(items))).toBe(true);
    expect(await alike((items, n) => answered(items, () => ({ affected: n })))).toBe(false);
    expect(await alike((items, n) => answered(items, () => OK, { t: [[`${n}`]] }))).toBe(false);
  });
});

describe('an error of a run', () => {
  const spec = specOf(['BEGIN;', undefined]);
  const run = scriptedRun(
    [
      { session: 0, name: 'w', sql: 'UPDATE 1', status: 'failed', reply: failed('constraint', '23505')! },
      { session: 1, name: 'v', sql: 'UPDATE 2', status: 'outside' },
    ],
    ['inside', undefined],
  );
  const inTurn = (runner: ScriptedRunner): Promise<boolean> => new SerialRuns(runner, spec).failsInTurn(run.steps[0]!, run);

  it('is raised in turn if the same step raises it in every order of the sessions, each ended by a rollback', async () => {
    const runner = new ScriptedRunner((items) => answered(items, ({ name }) => (name === 'w' ? failed('constraint', '23505') : OK)));
    expect(await inTurn(runner)).toBe(true);
    expect(runner.asked.map(({ items }) => items)).toEqual([
      ['setup5', 'w', 'rollback5', 'v', 'rollback5'],
      ['v', 'rollback5', 'setup5', 'w', 'rollback5'],
    ]);
  });

  it.each<[string, (items: readonly RunItem[], n: number) => SpecRun]>([
    [
      'one order does without it',
      (items, n) => answered(items, ({ name }) => (name === 'w' && n === 1 ? failed('constraint', '23505') : OK)),
    ],
    ['another step raises it', (items) => answered(items, ({ name }) => (name === 'v' ? failed('constraint', '23505') : OK))],
    ['the step raises another one', (items) => answered(items, ({ name }) => (name === 'w' ? failed('constraint', '23503') : OK))],
  ])('is not where %s', async (_, answer) => {
    expect(await inTurn(new ScriptedRunner(answer))).toBe(false);
  });
});
