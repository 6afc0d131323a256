// What a control says of a level where some of its tries were cut short.
import { describe, expect, it } from 'vitest';
import type { ErrorClass } from '../../../../core/dialect/index.ts';
import type { TestCase } from '../../../../core/program/index.ts';
import type { History } from '../../../../core/history/index.ts';
import type { Control } from '../../../../core/verdict/index.ts';
import { DatabaseError } from '../../../../core/base/index.ts';
import { control, sought } from '../../../../src/reproduce/controls.ts';
import { historyFromText } from '../../history-text.ts';
import { caseNamed, ScriptedLab, wantedAt } from './scripted-replayer.ts';
import type { Execution } from './scripted-replayer.ts';

function tried(...executions: readonly Execution[]): Promise<Control> {
  const wanted = wantedAt('serializable', 'bug');
  return control(new ScriptedLab((_, n) => executions[n - 1]!), caseNamed('s'), sought(wanted), wanted.level, { own: true, times: 3 });
}

describe('a control', () => {
  it.each<[string, Execution]>([
    ['cut short', 'cut'],
    ['refused', new DatabaseError('no more space')],
  ])('whose second try is %s still says what the first one showed', async (_, execution) => {
    expect(await tried('skew', execution)).toMatchObject({ outcome: 'occurs', rate: { tries: 1, seen: 1 }, judgement: { verdict: 'bug' } });
  });

  it('counts the tries that ran, and says why there were no more', async () => {
    expect(await tried('nothing', 'cut')).toMatchObject({ code: 'lost', outcome: 'lost: session 1 was lost', rate: { tries: 1, seen: 0 } });
    expect(await tried(new DatabaseError('no more space'))).toMatchObject({
      outcome: 'not run: no more space',
      rate: { tries: 0, seen: 0 },
    });
    expect(await tried('nothing', 'skew', 'nothing')).toMatchObject({ outcome: 'occurs', rate: { tries: 3, seen: 1 } });
  });
});

/** Two transactions; the UPDATE of the second fails so, if it does. */
function failing(error: { readonly class: ErrorClass; readonly code: string } | undefined, failed = 't2'): History {
  const written = (txn: string, ok: string): string => (error && txn === failed ? 'f2' : ok);
  const one = `t1: r x ,0.0; ${written('t1', 'w x ,0.0,1.1')}; commit`;
  const history = historyFromText(`${one}\nt2: r y ,0.0; ${written('t2', 'w y ,0.0,2.1')}; commit`, { level: 'serializable' });
  const { statements, transactions } = history;
  const hit = statements.kind.findIndex((kind, s) => kind === 'update' && `t${transactions.id[statements.txn[s]!]}` === failed);
  return {
    ...history,
    statements: {
      ...statements,
      error: statements.error.map((_, s) => (s === hit && error ? { ...error, message: 'the words' } : undefined)),
    },
  };
}

const PAIR: TestCase = {
  seed: 'pair',
  schema: { tables: [] },
  sessions: [1, 2].map((id) => ({ transactions: [{ id, statements: [], end: 'commit' as const, autocommit: false }] })),
  schedule: [],
};
const idsOf = ({ sessions }: TestCase): string => sessions.flatMap(({ transactions }) => transactions.map(({ id }) => id)).join('');

function triedPair(execution: (testCase: TestCase, n: number) => Execution, times = 2): Promise<Control> {
  const wanted = wantedAt('serializable', 'bug');
  return control(new ScriptedLab(execution), PAIR, sought(wanted), wanted.level, { own: true, times });
}

describe('an error in a control', () => {
  const SYNTAX = { class: 'syntax', code: '42601' } as const;
  const TAKEN = { class: 'constraint', code: '23505' } as const;

  it.each([SYNTAX, TAKEN])('that the same statement raises in every serial order makes the case unusable: $class', async (error) => {
    expect(await triedPair(() => ({ history: failing(error) }))).toMatchObject({
      code: 'unusable',
      outcome: `unusable: T2 fails when the transactions run one after the other too: the words (${error.code})`,
      rate: { tries: 1, seen: 0 },
    });
  });

  it('that one serial order does without prevents', async () => {
    // The replay is the first execution; then the serial orders T1 T2 and T2 T1.
    const orders: string[] = [];
    const seen = await triedPair((testCase, n) => {
      orders.push(idsOf(testCase));
      return { history: failing(n < 3 ? TAKEN : undefined) };
    }, 1);
    expect(orders).toEqual(['12', '12', '21']);
    expect(seen).toMatchObject({ code: 'error', outcome: 'prevented by error 23505' });
  });

  it('that serial orders raise with another code, or in another transaction, prevents', async () => {
    for (const inTurn of [failing({ ...TAKEN, code: '23503' }), failing(TAKEN, 't1')])
      expect(await triedPair((_, n) => ({ history: n === 1 ? failing(TAKEN) : inTurn }), 1)).toMatchObject({ code: 'error' });
  });

  it('that another statement of the transaction raises in turn prevents', async () => {
    const { statements: planned, ...rest } = failing(TAKEN);
    const statements = { ...planned, plan: planned.plan.map((_, s) => s) };
    const hit = statements.error.findIndex((error) => error !== undefined);
    const read = statements.kind.findIndex((kind, s) => kind === 'select' && statements.txn[s] === statements.txn[hit]);
    const inTurn = {
      ...rest,
      statements: { ...statements, error: statements.error.with(hit, undefined).with(read, statements.error[hit]) },
    };
    const first = { ...rest, statements };
    expect(await triedPair((_, n) => ({ history: n === 1 ? first : inTurn }), 1)).toMatchObject({ code: 'error' });
    expect(await triedPair(() => ({ history: first }), 1)).toMatchObject({ code: 'unusable' });
  });

  it.each(['deadlock', 'serialization', 'lock timeout', 'aborted transaction'] as const)(
    'of concurrency prevents, and no serial order is asked: %s',
    async (errorClass) => {
      let executions = 0;
      const seen = await triedPair(() => {
        executions++;
        return { history: failing({ class: errorClass, code: 'X' }) };
      });
      expect(seen.outcome).toBe('prevented by error X');
      expect(executions).toBe(2);
    },
  );

  it('whose serial order loses its session is a loss', async () => {
    const seen = await triedPair((_, n) => (n === 1 ? { history: failing(TAKEN) } : 'cut'));
    expect(seen).toMatchObject({ code: 'lost', outcome: 'lost: session 1 was lost' });
  });

  it('of a lost connection is a loss, another one of the schema is none', async () => {
    const refused = (code: string): Error => new DatabaseError('gone', { cause: Object.assign(new Error('gone'), { code }) });
    expect((await triedPair(() => refused('57P01'))).outcome).toBe('lost: gone');
    expect((await triedPair(() => refused('42501'))).outcome).toBe('not run: gone');
  });
});
