// What of a run of a .spec is compared with serial orders, and why the rest is not.
import { describe, expect, it } from 'vitest';
import type { TransactionStatus } from '../../../../../core/dialect/index.ts';
import type { FixtureState } from '../../../../../core/program/index.ts';
import { postgres } from '../../../../../dialects/index.ts';
import { parseSpec } from '../../../../../src/replay/index.ts';
import { RunComparer } from '../../../../../src/replay/raw/compare-run.ts';
import type { ComparedRun } from '../../../../../src/replay/raw/compare-run.ts';
import type { RunItem, SpecRun } from '../../../../../src/replay/spec/spec-runner.ts';
import { scriptedRun } from '../spec/scripted-run.ts';
import type { ScriptedStep } from '../spec/scripted-run.ts';

const SPEC = parseSpec(
  `setup { CREATE TABLE t (k int); }
session a setup { BEGIN; } step a1 { UPDATE t SET k = 1; } step a2 { COMMIT; }
session b setup { BEGIN; } step b1 { UPDATE t SET k = 2; } step b2 { COMMIT; }
session c step c1 { SELECT k FROM t; } step c2 { SELECT k FROM t LIMIT 1; }`,
  'a.spec',
);
const SQL: Readonly<Record<string, string>> = Object.fromEntries(
  SPEC.sessions.flatMap(({ steps }) => steps.map(({ name, sql }) => [name, sql])),
);
const left = (k: string): FixtureState => ({ t: [[k]] });

/** `name`, with `!` behind it: the step fails. */
const stepOf = (word: string): ScriptedStep => {
  const name = word.replace('!', '');
  const inside: TransactionStatus = word.endsWith('!') ? 'failed' : 'inside';
  return {
    name,
    session: 'abc'.indexOf(name[0]!),
    sql: SQL[name]!,
    status: name.startsWith('c') || name.endsWith('2') ? 'outside' : inside,
    ...(word.endsWith('!') && { reply: { error: { class: 'serialization', code: '40001', message: 'no' } } }),
  };
};
const runOf = (steps: string, tables: FixtureState, setups: SpecRun['setups'] = ['inside', 'inside', undefined]): SpecRun =>
  scriptedRun(steps.split(' ').map(stepOf), setups, tables);

interface Server {
  /** The tables after a serial order, by the names of its steps. */
  readonly after?: (order: string, time: number) => FixtureState;
  /** The server's word for the level of a session, a = 0. */
  readonly level?: (session: number) => string;
}

/** Returns what the comparison says, and the orders that it ran. */
async function compared(run: SpecRun, { after = () => left('0'), level = () => 'serializable' }: Server, asked?: string) {
  const ran: string[] = [];
  const runner = {
    run: (items: readonly RunItem[]): Promise<SpecRun> => {
      const last = items.at(-1)!;
      const own = items.filter(({ does }) => does === undefined);
      const steps = own.map(({ name }) => stepOf(name));
      if (last.does === 'level')
        return Promise.resolve(
          scriptedRun(
            [
              ...steps,
              {
                name: 'level',
                session: last.session,
                sql: last.sql,
                status: last.session === 2 ? 'outside' : 'inside',
                reply: { rows: [[level(last.session)]] },
              },
            ],
            [],
          ),
        );
      const order = own.map(({ name }) => name).join(' ');
      ran.push(order);
      return Promise.resolve(
        scriptedRun(
          items.map(({ name, session, sql, does }) => (does === 'setup' ? { name, session, sql, status: 'inside' } : stepOf(name))),
          [],
          after(order, ran.length),
        ),
      ).then((each) => ({ ...each, steps: each.steps.map((step, i) => ({ ...step, item: items[i]! })) }));
    },
  };
  const comparer = new RunComparer(runner, SPEC, { dialect: postgres, asked: postgres.levels.find((each) => each.level === asked) });
  const result: ComparedRun = await comparer.compared(run);
  return { result, ran };
}

const BESIDE = 'a1 b1 a2 b2';

describe('a run is compared', () => {
  it('until a serial order gives it, which may be that of a later transaction first', async () => {
    const after = (order: string): FixtureState => left(order.startsWith('b1') ? '1' : '2');
    const { result, ran } = await compared(runOf('a1 a2 b1 b2', left('1')), { after });
    expect(result).toMatchObject({ is: 'explained', level: { level: 'serializable' } });
    expect(ran).toEqual(['a1 a2 b1 b2', 'b1 b2 a1 a2']);
  });

  it('and differs if none does, in answers that are the same each time', async () => {
    const { result, ran } = await compared(runOf(BESIDE, left('9')), { level: () => 'REPEATABLE READ' });
    expect(result).toMatchObject({ is: 'different', level: { level: 'repeatable-read' } });
    expect(ran).toHaveLength(3);
  });

  it('without the transactions that did not commit', async () => {
    const { result, ran } = await compared(runOf('a1 b1! a2 b2', left('1')), { after: () => left('1') });
    expect([result.is, ran]).toEqual(['explained', ['a1 a2']]);
  });

  it('with a statement outside of any transaction, which is one', async () => {
    const { result } = await compared(runOf('a1 c1 a2', left('0')), {});
    expect(result.is).toBe('explained');
  });
});

describe('a run is not compared', () => {
  it.each<[string, SpecRun, Server, string | undefined, object]>([
    ['with two transactions in a session', runOf('c1 a1 a2 c1', left('9')), {}, undefined, { code: 'several-transactions', session: 'c' }],
    ['with none that committed', runOf('a1! a2', left('9')), {}, undefined, { code: 'nothing-committed' }],
    [
      'with a setup beside an open transaction',
      runOf('a1 a2 c1', left('9'), ['inside', undefined, 'outside']),
      {},
      undefined,
      { code: 'setup-beside-open', session: 'c' },
    ],
    [
      'at another level than the one in question',
      runOf(BESIDE, left('9')),
      { level: (session) => (session === 1 ? 'read committed' : 'serializable') },
      'serializable',
      { code: 'other-level', session: 'b', level: 'read committed', asked: 'serializable' },
    ],
    [
      'at two levels',
      runOf(BESIDE, left('9')),
      { level: (session) => (session === 1 ? 'read committed' : 'serializable') },
      undefined,
      { code: 'levels-differ', levels: ['read committed', 'serializable'] },
    ],
    [
      'at a level that nobody knows',
      runOf(BESIDE, left('9')),
      { level: () => 'chaos' },
      undefined,
      { code: 'level-unknown', session: 'a' },
    ],
    ['where a step leaves its answer open', runOf('a1 c2 a2', left('9')), {}, undefined, { code: 'open-words', word: 'limit' }],
    [
      'where a serial order answers otherwise each time',
      runOf(BESIDE, left('9')),
      { after: (_, time) => left(String(time)) },
      undefined,
      { code: 'serial-order-unstable' },
    ],
  ])('%s', async (_, run, server, asked, reason) => {
    const { result } = await compared(run, server, asked);
    expect(result).toEqual({ is: 'not compared', reason });
  });

  it('for words of steps that it did not send', async () => {
    expect((await compared(runOf(BESIDE, left('9')), {})).result.is).toBe('different');
  });
});
