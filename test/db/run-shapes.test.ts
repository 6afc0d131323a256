/** The instrumented statement must give the user's own result, to the letter and in order, in every mode and on every server at hand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isQuery } from '../../core/sql/index.ts';
import type { Expression, From, Select, Statement } from '../../core/sql/index.ts';
import type { Connection } from '../../core/dialect/index.ts';
import type { ProbedStatement } from '../../core/program/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { describeEachServer } from './each-server.ts';
import { sent } from './exact-target.ts';
import { column, equals, insert, integer, probed, remove, SCHEMA, txn, write } from './run-case.ts';

const table = (name: string, alias = name): From => ({ kind: 'table', table: name, alias });
const above = (alias: string, name: string, value: number): Expression => ({
  kind: 'compare',
  op: '>',
  left: column(alias, name),
  right: integer(value),
});
const select = (from: From, alias: string, rest: Partial<Select> = {}): Select => ({
  kind: 'select',
  items: ['k', 'v'].map((name) => ({ expression: column(alias, name), alias: name })),
  from,
  orderBy: [{ expression: column(alias, 'k'), descending: true }],
  ...rest,
});
const arm = (name: string): Select => ({
  kind: 'select',
  items: [{ expression: column(name, 'v'), alias: 'v' }],
  from: table(name),
  where: above(name, 'k', 1),
});
const sameKey: Expression = { kind: 'compare', op: '=', left: column('a', 'k'), right: column('b', 'k') };
const join = (type: 'inner' | 'left', right: From, on = sameKey): From => ({ kind: 'join', type, left: table('t', 'a'), right, on });
const derived = (query: Select | Extract<Statement, { kind: 'unionAll' }>, alias: string): From => ({ kind: 'derived', query, alias });
const inner = select(table('u'), 'u', { where: above('u', 'v', 10) });

const QUERIES: readonly (readonly [string, Statement, number])[] = [
  ['a plain select', select(table('t'), 't', { where: above('t', 'v', 10) }), 2],
  ['ORDER BY and LIMIT', select(table('t'), 't', { limit: 2 }), 2],
  ['FOR UPDATE', select(table('t'), 't', { lock: { strength: 'update' } }), 3],
  ['FOR SHARE with ORDER BY and LIMIT', select(table('t'), 't', { limit: 1, lock: { strength: 'share' } }), 1],
  ['an inner join', select(join('inner', table('u', 'b')), 'a'), 6],
  [
    'a left join with a missing side',
    select(join('left', table('u', 'b'), { kind: 'compare', op: '>', left: column('b', 'k'), right: integer(9) }), 'a'),
    3,
  ],
  ['a cross join', select({ kind: 'join', type: 'cross', left: table('t', 'a'), right: table('u', 'b') }, 'a'), 6],
  ['three tables', select({ kind: 'join', type: 'cross', left: join('inner', table('u', 'b')), right: table('t', 'c') }, 'b'), 6],
  ['a derived table', select(derived(inner, 'd'), 'd'), 2],
  ['a derived table with an outer WHERE', select(derived(inner, 'd'), 'd', { where: equals('d', 'k', 3) }), 1],
  ['a left join that brings a derived table', select(join('left', derived(inner, 'b')), 'a'), 5],
  ['UNION ALL', { kind: 'unionAll', arms: [arm('t'), arm('u')] }, 4],
  [
    'a derived UNION ALL',
    {
      ...select(derived({ kind: 'unionAll', arms: [arm('t'), arm('u')] }, 'd'), 'd'),
      items: [{ expression: column('d', 'v'), alias: 'v' }],
      orderBy: [],
    },
    4,
  ],
  [
    'a derived join in a derived table',
    select(derived(select(derived(select(join('inner', table('u', 'b')), 'a'), 'd'), 'd'), 'e'), 'e'),
    6,
  ],
];

/** What the exact form shows where the rows of the result do not show all that was read. */
const READ: ReadonlyMap<string, number> = new Map([['a derived table with an outer WHERE', 2]]);

const WRITES: readonly (readonly [string, Statement])[] = [
  ['an insert', insert('t', 9)],
  ['an update', { ...(write('t', 1, 5) as Extract<Statement, { kind: 'update' }>), where: above('t', 'k', 1) }],
  ['an update of nothing', write('t', 77, 5)],
  ['a delete', remove('t', 1)],
];

describeEachServer('shapes', ({ dialect, start }) => {
  let server: StartedServer;
  let connection: Connection;

  beforeAll(async () => {
    server = await start();
    connection = await dialect.connect(server.url, {});
    const { schema } = probed([], { mode: 'exact', capabilities: dialect.capabilities });
    for (const { sql } of dialect.namespaceScript('shapes', schema)) await connection.query(sql);
  });
  afterAll(async () => {
    await connection?.end();
    await server?.stop();
  });

  test.each(QUERIES)('%s', async (name, statement, versions) => {
    const plain = await connection.query(dialect.print(statement));
    expect(plain.rows.length).toBeGreaterThan(0);
    for (const mode of ['exact', 'paper', 'none'] as const) {
      const probe = only(statement, mode);
      const got = await sent(connection, dialect, probe);

      expect(isQuery(probe.statement)).toBe(true);
      expect(got.userRows).toEqual(plain.rows);
      expect(got.triples.length / 3).toBe({ none: 0, paper: versions, exact: READ.get(name) ?? versions }[mode]);
      for (let i = 0; i < got.triples.length; i += 3)
        expect([got.triples[i], got.triples[i + 2]]).toEqual([expect.stringMatching(/^[tu]?$/), ',0.0']);
    }
  });

  test.each(WRITES)('%s affects as many rows and leaves the same user columns', async (_name, statement) => {
    const after = async (send: () => Promise<number>): Promise<unknown> => {
      await connection.query('BEGIN');
      const affected = await send();
      const { rows } = await connection.query('SELECT k, v FROM t ORDER BY k');
      await connection.query('ROLLBACK');
      return { affected, rows };
    };
    const plain = await after(async () => (await connection.query(dialect.print(statement))).affected);

    for (const mode of ['exact', 'paper'] as const)
      expect(await after(async () => (await sent(connection, dialect, only(statement, mode))).rows)).toEqual(plain);
  });

  test('a list grows by one entry a write and stays within its window', async () => {
    await connection.query('BEGIN');
    let last = '';
    for (let i = 1; i <= 200; i++) {
      const probe = only(write('u', 1, i), 'exact', 100 + i);
      [, , last = ''] = (await sent(connection, dialect, probe)).triples;
    }
    await connection.query('ROLLBACK');

    expect(last).toHaveLength(480);
    expect(last.endsWith(',299.1,300.1')).toBe(true);
  });

  function only(statement: Statement, mode: 'exact' | 'paper' | 'none', id = 1): ProbedStatement {
    const plan = probed([[txn(id, statement)]], { mode, capabilities: dialect.capabilities });
    expect(plan.schema.tables).toHaveLength(SCHEMA.tables.length);
    return plan.sessions[0]!.transactions[0]!.statements[0]!;
  }
});
