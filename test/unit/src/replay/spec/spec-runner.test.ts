// Runs of a .spec on a server of a few lines: a session that is lost is no error, and every column that is left is read.
import { describe, expect, it } from 'vitest';
import type { Connection, Dialect, QueryResult, ResultRow } from '../../../../../core/dialect/index.ts';
import { postgres } from '../../../../../dialects/index.ts';
import { parseSpec } from '../../../../../src/replay/index.ts';
import { SpecRunner } from '../../../../../src/replay/spec/spec-runner.ts';
import type { SpecRun } from '../../../../../src/replay/spec/spec-runner.ts';
import { specOrders } from '../../../../../src/replay/spec/spec-orders.ts';

const SPEC = parseSpec('session a step a1 { ONE } step a2 { TWO }\nsession b step b1 { THREE }\npermutation a1 b1 a2\n', 'a.spec');
const TABLES = `information_schema.columns`;

/** An error of the server with this code; FATAL: it ends the session. */
const failing = (code: string, severity: 'ERROR' | 'FATAL' = 'ERROR'): Error => Object.assign(new Error('the words'), { code, severity });

interface Script {
  /** The text of a statement -> its error, or its rows; a function: so at its n-th time, from 1 on. */
  readonly [sql: string]: Answer | ((time: number) => Answer | Promise<Answer>);
}

type Answer = Error | readonly ResultRow[];

interface Ran {
  readonly run: Promise<SpecRun>;
  readonly sent: string[];
}

async function ran(script: Script, blocked: () => Promise<ReadonlySet<string>> = () => Promise.resolve(new Set())): Promise<Ran> {
  const sent: string[] = [];
  let made = 0;
  const query = async (sql: string): Promise<QueryResult> => {
    sent.push(sql);
    const [part, given] = Object.entries(script).find(([each]) => sql.includes(each)) ?? ['', []];
    const answer = typeof given === 'function' ? await given(sent.filter((each) => each.includes(part)).length) : given;
    if (answer instanceof Error) throw answer;
    return { columns: [], rows: answer, affected: answer.length };
  };
  const connect = (): Promise<Connection> => {
    const backend = String(++made);
    const connection = { backend, query, rollback: () => Promise.resolve(), end: () => Promise.resolve(), destroy: () => undefined };
    return Promise.resolve({ ...connection, transactionStatus: () => 'outside' } as unknown as Connection);
  };
  const dialect: Dialect = {
    ...postgres,
    connect,
    watchBlocked: () => ({ blocked }),
    assertFree: () => Promise.resolve(),
    createNamespace: () => [],
    dropNamespace: () => Promise.resolve(),
  };
  const level = dialect.levels[0]!;
  const runner = await SpecRunner.open({ dialect, url: 'postgres://h/db', level, spec: SPEC, statementMs: 1_000 });
  const run = runner.run(specOrders(SPEC)[0]!, []);
  return { run, sent };
}

describe('a step', () => {
  it.each([
    ['a session that the server ended', failing('57P01', 'FATAL')],
    ['a socket that broke', Object.assign(new Error('the words'), { code: 'ECONNRESET' })],
    ['a commit of which nobody knows', failing('40003')],
  ])('loses the run by %s', async (_, error) => {
    const { run } = await ran({ TWO: error });
    await expect(run).rejects.toMatchObject({ otherwise: { code: 'lost', outcome: 'lost: session a was lost in step a2: the words' } });
  });

  it('is lost with all sessions where the others still answer for a moment', async () => {
    const gone = failing('57P02', 'FATAL');
    const { run } = await ran({ TWO: gone, 'SELECT 1': (time) => (time > 5 ? gone : []) });
    await expect(run).rejects.toMatchObject({
      otherwise: { outcome: 'lost: session a was lost in step a2: the words; the server ended all sessions' },
    });
  });

  it('names its session where the connection that looks who waits is lost first', async () => {
    const gone = failing('57P02', 'FATAL');
    let crashed = false;
    const later = (): Promise<Error> => {
      crashed = true;
      return new Promise((resolve) => {
        setTimeout(() => resolve(gone), 200);
      });
    };
    const { run } = await ran({ TWO: later, 'SELECT 1': () => (crashed ? gone : []) }, () =>
      crashed ? Promise.reject(gone) : Promise.resolve(new Set()),
    );
    await expect(run).rejects.toMatchObject({
      otherwise: { outcome: 'lost: session a was lost in step a2: the words; the server ended all sessions' },
    });
  });

  it('that fails otherwise is answered so, and the others go on', async () => {
    const { run } = await ran({ ONE: failing('40001'), THREE: [['1']] });
    expect((await run).steps.map(({ item, reply }) => [item.name, reply.error?.code ?? reply.rows])).toEqual([
      ['a1', '40001'],
      ['b1', [['1']]],
      ['a2', []],
    ]);
  });
});

describe('the end of a run', () => {
  it('is a loss where a session was ended meanwhile, and none where its transaction had failed', async () => {
    const { run } = await ran({ 'SELECT 1': failing('57P01', 'FATAL') });
    await expect(run).rejects.toMatchObject({ otherwise: { code: 'lost' } });
    await expect((await ran({ 'SELECT 1': failing('25P02') })).run).resolves.toMatchObject({ tables: {} });
  });

  it('reads every column of every table', async () => {
    const columns = [
      ['t', 'k'],
      ['t', 'v'],
      ['u', 'w'],
    ];
    const { run, sent } = await ran({ [TABLES]: columns, '"k"': [['1', '10']], '"w"': [['7']] });
    expect((await run).tables).toEqual({ t: [['1', '10']], u: [['7']] });
    expect(sent.filter((sql) => sql.includes('"k"') && sql.includes('"v"'))).toHaveLength(1);
  });
});
