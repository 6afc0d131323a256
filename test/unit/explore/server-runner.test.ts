/** A server's runner leaves nothing open behind a failed connection or COMMIT. */
import { describe, expect, it } from 'vitest';
import type { ClassifiedError, Connection, Dialect, IndexPlan, TransactionStatus } from '../../../core/dialect/index.ts';
import type { Program, ProgramTxn, Fixture } from '../../../core/program/index.ts';
import { mysql } from '../../../dialects/index.ts';
import { ServerRunner } from '../../../src/explore/server-runner.ts';
import { schemaOf, statementOf } from '../../sql.ts';

/** A server that answers nothing and everything, and what it was told. */
interface Scripted {
  readonly dialect: Dialect;
  readonly ended: number[];
  readonly rolledBack: number[];
  /** Statements of the sessions that run programs, with how they came. */
  readonly sent: string[];
}

const STATEMENT_ERROR: ClassifiedError = { class: 'other', code: '1180', scope: 'statement', message: 'Got error 5 during COMMIT' };

interface Script {
  readonly connect?: number;
  readonly commit?: true;
  /** What the protocol says after the session's statements, its ends included, one after the other; then nothing. */
  readonly told?: readonly TransactionStatus[];
}

function scripted(fails: Script): Scripted {
  const told = [...(fails.told ?? [])];
  const ended: number[] = [];
  const rolledBack: number[] = [];
  const sent: string[] = [];
  let made = 0;
  const connect = (): Promise<Connection> => {
    const number = ++made;
    if (number === fails.connect) return Promise.reject(new Error('too many connections'));
    return Promise.resolve({
      backend: String(number),
      query: (sql) => {
        if (number > 2) sent.push(sql);
        return Promise.resolve({ columns: [], rows: [], affected: 0 });
      },
      queryAll: (all) => {
        sent.push(...all);
        return Promise.resolve(all.map(() => ({ columns: [], rows: [], affected: 0 })));
      },
      queryProtocol: (sql) => {
        sent.push(`by protocol: ${sql}`);
        return Promise.resolve({ columns: [], rows: [], affected: 0 });
      },
      begin: ({ inForce }) => Promise.resolve({ inForce }),
      beginSql: () => [],
      commit: () => (fails.commit ? Promise.reject(new Error('COMMIT failed')) : Promise.resolve({ tag: 'commit' })),
      rollback: () => Promise.resolve(void rolledBack.push(number)),
      end: () => Promise.resolve(void ended.push(number)),
      destroy: () => undefined,
      transactionStatus: () => told.shift(),
    });
  };
  const dialect: Dialect = {
    ...mysql,
    connect,
    assertFree: () => Promise.resolve(),
    dropNamespace: () => Promise.resolve(),
    classifyError: () => STATEMENT_ERROR,
  };
  return { dialect, ended, rolledBack, sent };
}

const SCHEMA = schemaOf('CREATE TABLE t (k int PRIMARY KEY)');
const FIXTURE: Fixture = { ...SCHEMA, name: 'one', byIndex: false };
const PROGRAM: Program = {
  number: 0,
  made: {},
  fixture: FIXTURE,
  transactions: [{ steps: [{ statement: statementOf(SCHEMA, 'DELETE FROM t'), tables: ['t'], plainRead: false }], end: 'commit' }],
};

const open = (dialect: Dialect): Promise<ServerRunner> =>
  ServerRunner.open({
    dialect,
    url: 'mysql://127.0.0.1/',
    level: dialect.levels.find(({ level }) => level === 'serializable')!,
    namespace: 'anomalist_x',
    fixtures: [FIXTURE],
  });

describe("a server's runner", () => {
  const text = 'DELETE FROM `anomalist_x`.`t`';
  it.for([
    ['prepared by text', [`PREPARE iso_0 FROM '${text}'`, 'EXECUTE iso_0']],
    ['prepared by protocol', [`by protocol: ${text}`]],
    [undefined, [text]],
  ] as const)('sends queries and writes as the program says (%s), and no savepoint so', async ([send, first]) => {
    const { dialect, sent } = scripted({});
    const steps = [
      ...PROGRAM.transactions[0]!.steps,
      { statement: { kind: 'savepoint', name: 's' }, tables: ['t'], plainRead: false } as const,
    ];
    const transaction: ProgramTxn = { steps, end: 'commit', ...(send && { send }) };
    const runner = await open(dialect);
    await runner.load({ ...PROGRAM, transactions: [transaction, { ...transaction, steps: steps.slice(0, 1), autocommit: true }] });
    for (const step of [0, 1, 2]) await runner.step(0, step);
    await runner.step(1, 0);
    expect(sent).toEqual([...first, 'SAVEPOINT `s`', ...first]);
    await runner.close();
  });

  it('tells the planner what a fixture says, and takes back what the fixture before it said', async () => {
    const { dialect, sent } = scripted({});
    const runner = await open({ ...dialect, indexPlans: { on: { index: ['one'], bitmap: ['two', 'three'] }, off: ['none'] } });
    const told = async (byIndex: IndexPlan | false): Promise<readonly string[]> => {
      sent.length = 0;
      await runner.load({ ...PROGRAM, fixture: { ...FIXTURE, byIndex } });
      return [...sent];
    };
    await told(false);
    expect(await told('index')).toEqual(['one']);
    expect(await told('index')).toEqual([]);
    expect(await told('bitmap')).toEqual(['none', 'two', 'three']);
    expect(await told(false)).toEqual(['none']);
    await runner.close();
  });

  it.for([1, 2])('that cannot be had its connection %i leaves no other one open', async (connect) => {
    const { dialect, ended } = scripted({ connect });
    await expect(open(dialect)).rejects.toThrow('too many connections');
    expect(ended).toEqual([3 - connect]);
  });

  it('rolls back where COMMIT fails, whatever the error says of the transaction', async () => {
    const { dialect, rolledBack } = scripted({ commit: true });
    const runner = await open(dialect);
    await runner.load(PROGRAM);
    expect((await runner.step(0, 0))[0]!.reply.error).toBeUndefined();
    const [{ reply } = { reply: undefined }] = await runner.step(0, 1);
    expect(reply).toMatchObject({ ended: 'aborted', error: { code: '1180' } });
    expect(rolledBack).toEqual([3]);
    await runner.close();
  });

  it('hears from the protocol that a transaction is gone, or still there: then it is over, and rolled back', async () => {
    for (const [told, steps] of [
      [['outside'], 1],
      [['inside', 'inside'], 2],
    ] as const) {
      const { dialect, rolledBack } = scripted({ told });
      const runner = await open(dialect);
      await runner.load(PROGRAM);
      for (let step = 0; step < steps; step++) {
        const [{ reply } = { reply: undefined }] = await runner.step(0, step);
        expect(reply?.ended).toBe(step === steps - 1 ? 'aborted' : undefined);
        expect(reply?.mismatch).toEqual(step === steps - 1 ? expect.stringMatching(/^the protocol says/) : undefined);
      }
      expect(rolledBack).toEqual([3]);
      await runner.close();
    }
  });

  it('finds nothing in what the protocol confirms, or does not say', async () => {
    for (const told of [['inside', 'outside'], []] as const) {
      const { dialect, rolledBack } = scripted({ told });
      const runner = await open(dialect);
      await runner.load(PROGRAM);
      for (const step of [0, 1]) expect((await runner.step(0, step))[0]!.reply.mismatch).toBeUndefined();
      expect(rolledBack).toEqual([]);
      await runner.close();
    }
  });
});
