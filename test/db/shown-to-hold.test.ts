/**
 * Histories of REPEATABLE READ that are not serializable and in which the overwriter, or what was looked for, is not to be
 * seen: none of them may be called serializable. Each is a write skew: both transactions look, then both write. What ON
 * DELETE CASCADE did follows from the foreign keys, so that one is named.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judge, readHistories } from '../../check/index.ts';
import type { RelationalVerdict } from '../../check/index.ts';
import type { Expression, ForeignKey, From, Query, Schema, Statement, Table } from '../../core/sql/index.ts';
import type { Level } from '../../core/level/index.ts';
import type { TestCase, TxnPlan } from '../../core/program/index.ts';
import type { UnobservedName, History } from '../../core/history/index.ts';
import type { Certificate } from '../../core/verdict/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { assessHistory } from '../../src/judge/assess/graph.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';
import { certificateOf } from '../../src/judge/findings/certificate.ts';
import { verifyFinding } from '../../src/judge/findings/verify/verify-finding.ts';
import { describeEachServer } from './each-server.ts';
import { column, equals, insert, integer, read, remove, txn, write } from './run-case.ts';

function table(name: string, foreignKeys: readonly ForeignKey[] = []): Table {
  return {
    name,
    columns: ['k', 'v'].map((c) => ({ name: c, type: { kind: 'integer' }, nullable: c === 'v' })),
    primaryKey: ['k'],
    uniques: [],
    checks: [],
    foreignKeys,
    indexes: [],
    rows: [
      [1, 1],
      [2, 2],
    ],
  };
}

const PLAIN: Schema = { tables: [table('u'), table('t'), table('x')] };
const child = (onDelete: ForeignKey['onDelete']): Schema => ({
  tables: [
    table('u'),
    table('t', [{ name: 'f', columns: ['v'], table: 'u', references: ['k'], onDelete, onUpdate: 'no action' }]),
    table('x'),
  ],
});
const GRANDCHILD: Schema = {
  tables: [
    ...child('cascade').tables,
    table('g', [{ name: 'h', columns: ['v'], table: 't', references: ['k'], onDelete: 'cascade', onUpdate: 'no action' }]),
  ],
};

const from = (name: string, alias = name): From => ({ kind: 'table', table: name, alias });
const item = (name: string): Pick<Extract<Query, { kind: 'select' }>, 'kind' | 'items'> => ({
  kind: 'select',
  items: [{ expression: column(name, 'k'), alias: 'k' }],
});
const sameKey: Expression = { kind: 'compare', op: '=', left: column('t', 'k'), right: column('u', 'v') };
const noRowWith = (k: number): Expression => ({
  kind: 'exists',
  negated: true,
  query: { ...item('t'), from: from('t'), where: equals('t', 'k', k) },
});

type Ran = RelationalVerdict & { readonly history: History };

const LOOKS: readonly { readonly name: string; readonly look: Statement; readonly gap: UnobservedName }[] = [
  {
    name: 'a JOIN',
    gap: 'join',
    look: {
      ...item('t'),
      from: {
        kind: 'join',
        type: 'inner',
        left: from('t'),
        right: from('u'),
        on: { kind: 'compare', op: '>', left: column('t', 'k'), right: integer(10) },
      },
    },
  },
  {
    name: 'LEFT JOIN ... IS NULL',
    gap: 'join',
    look: {
      ...item('u'),
      from: {
        kind: 'join',
        type: 'left',
        left: from('u'),
        right: from('t'),
        on: {
          kind: 'logic',
          op: 'and',
          operands: [
            { kind: 'not', operand: sameKey },
            { kind: 'compare', op: '>', left: column('t', 'k'), right: integer(10) },
          ],
        },
      },
      where: { kind: 'isNull', operand: column('t', 'k'), negated: false },
    },
  },
  {
    name: 'LIMIT 1',
    gap: 'limit',
    look: { ...item('t'), from: from('t'), where: { kind: 'compare', op: '>', left: column('t', 'k'), right: integer(10) }, limit: 1 },
  },
  {
    name: 'two subqueries under AND',
    gap: 'subquery',
    look: { ...item('u'), from: from('u'), where: { kind: 'logic', op: 'and', operands: [noRowWith(11), noRowWith(12)] } },
  },
];

describeEachServer('what is shown to hold', ({ dialect, start }) => {
  let server: StartedServer;
  let folder: string;
  let rounds = 0;

  beforeAll(async () => {
    server = await start();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'anomalist-shown-'));
  });

  afterAll(async () => {
    await server?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Live, and from the file: both must say the same. */
  async function run(
    schema: Schema,
    sessions: readonly (readonly TxnPlan[])[],
    order: string,
    level: Level = 'repeatable-read',
  ): Promise<Ran> {
    const testCase: TestCase = {
      seed: 'shown',
      schema,
      sessions: sessions.map((transactions) => ({ transactions })),
      schedule: order.split(' ').map((session) => Number(session) - 1),
    };
    const file = path.join(folder, `${++rounds}.ndjson`);
    const recorder = new Recorder(file, { tool: 'test', seed: 'shown' });
    const outcome = await runRound({
      round: 0,
      probedCase: instrument(testCase, { mode: 'exact', capabilities: dialect.capabilities, images: true, level }),
      dialect,
      urls: [server.url],
      mode: 'schedule',
      level: dialect.levels.find((each) => each.level === level)!,
      namespace: `shown_${rounds}`,
      recorder,
    });
    recorder.end();
    expect(outcome.complete, outcome.reason).toBe(true);
    expect(outcome.history.notes).toEqual([]);
    const { verdict } = assessHistory(outcome.history);
    const fd = fs.openSync(file, 'r');
    const [again] = [...readHistories((buffer) => fs.readSync(fd, buffer), { file })];
    fs.closeSync(fd);
    expect(assessHistory(again!).verdict.levels).toEqual(verdict.levels);
    expect(verdict.defects).toEqual([]);
    return { ...verdict, history: outcome.history };
  }

  const answerTo = ({ levels }: RelationalVerdict, level: Level) => levels.find((each) => each.level === level)!;

  /** Session 1 looks and then writes x; session 2 read x and then removes what the other saw. */
  const skew = (look: Statement, overwrite: Statement): Promise<readonly (readonly TxnPlan[])[]> =>
    Promise.resolve([[txn(1, look, write('x', 1, 5))], [txn(2, read('x', 1), overwrite)]]);
  const ORDER = '1 1 2 2 1 1 2 2';

  test('write skew whose overwriter is ON DELETE CASCADE: false, and the cycle names the row that went along', async () => {
    const verdict = await run(child('cascade'), await skew(read('t', 2), remove('u', 2)), ORDER);
    expect(answerTo(verdict, 'serializable').answer).toBe(false);
    expect(answerTo(verdict, 'snapshot-isolation').answer).not.toBe(false);
    const [anomaly] = verdict.anomalies;
    expect(anomaly).toMatchObject({ class: 'G2-item', shapes: ['write skew'] });
    expect(anomaly!.cycle.find((step) => step.table === 't')).toMatchObject({ from: 1, to: 2, rel: 'rw' });
    expect(anomaly!.cycle.map(({ explanation }) => explanation).join(' ')).toMatch(/ON DELETE CASCADE/);
    const { statements, transactions } = verdict.history;
    const numbered = statements.kind.map((_, index) => ({
      index,
      txn: transactions.id[statements.txn[index]!]!,
      number: statements.index[index]!,
    }));
    const verified = verifyFinding(anomaly!, numbered, JSON.parse(JSON.stringify(certificateOf(verdict.history, anomaly!))) as Certificate);
    expect(verified.lines.join('\n')).toMatch(/of the run's word: that ON DELETE CASCADE removed the row/);
    expect(verified.holds, verified.lines.join('\n')).toBe(true);
  });

  test('a cascade of a cascade is found too', async () => {
    const verdict = await run(GRANDCHILD, await skew(read('g', 2), remove('u', 2)), ORDER);
    expect(answerTo(verdict, 'serializable').answer).toBe(false);
    expect(verdict.anomalies[0]!.cycle.find((step) => step.table === 'g')).toMatchObject({ from: 1, to: 2, rel: 'rw' });
  });

  test('write skew whose overwriter is ON DELETE SET NULL is not called serializable', async () => {
    const verdict = await run(child('set null'), await skew(read('t', 2), remove('u', 2)), ORDER);
    const serializable = answerTo(verdict, 'serializable');
    expect(serializable.answer).not.toBe(true);
    if (serializable.answer === 'unknown')
      expect(serializable).toMatchObject({ code: 'unseen', gaps: { action: 1 }, shown: { transactions: 1, of: 2 } });
  });

  test.each(LOOKS)('check by $name, then insert: not called serializable', async ({ look, gap }) => {
    const verdict = await run(PLAIN, [[txn(1, look, insert('t', 11))], [txn(2, look, insert('t', 12))]], ORDER);
    const serializable = answerTo(verdict, 'serializable');
    expect(serializable.answer).not.toBe(true);
    if (serializable.answer === 'unknown') {
      expect(serializable).toMatchObject({ code: 'unseen', shown: { transactions: 0, of: 2 } });
      expect(serializable.gaps).toHaveProperty([gap], 2);
    }
  });

  const lastCommits = ({ history }: Ran): boolean => history.transactions.status[1] === 1 && history.transactions.status[2] === 1;
  const unseen = (k: number): Statement => ({
    kind: 'insert',
    table: 't',
    columns: ['k', 'v'],
    rows: [],
    query: {
      kind: 'select',
      items: [integer(k), integer(1)].map((expression, i) => ({ expression, alias: `c${i}` })),
      from: from('u'),
      where: { kind: 'logic', op: 'and', operands: [equals('u', 'k', 1), noRowWith(k === 11 ? 12 : 11)] },
    },
  });
  const updateIf = (k: number, other: number): Statement => ({
    kind: 'update',
    table: 'u',
    set: [{ column: 'v', value: integer(k) }],
    where: {
      kind: 'logic',
      op: 'and',
      operands: [
        equals('u', 'k', k),
        {
          kind: 'exists',
          negated: false,
          query: {
            ...item('t'),
            from: from('t'),
            where: {
              kind: 'logic',
              op: 'and',
              operands: [equals('t', 'k', other), { kind: 'compare', op: '<', left: column('t', 'v'), right: integer(5) }],
            },
          },
        },
      ],
    },
  });
  const insertOnce: Statement = {
    ...(insert('t', 11) as Extract<Statement, { kind: 'insert' }>),
    conflict: { action: 'nothing', columns: ['k'] },
  };
  const referring: Statement = { kind: 'insert', table: 't', columns: ['k', 'v'], rows: [[integer(7), integer(11)]] };

  /** Each a cycle of true dependencies, of which the last one leads through what no result shows. */
  const MISSED: readonly {
    readonly name: string;
    readonly level: Level;
    readonly schema?: Schema;
    readonly sessions: readonly (readonly TxnPlan[])[];
    readonly order: string;
  }[] = [
    {
      name: 'INSERT ... SELECT ... WHERE NOT EXISTS',
      level: 'read-committed',
      sessions: [[txn(1, unseen(11), write('x', 1, 5))], [txn(2, unseen(12), write('x', 2, 6))]],
      order: '1 1 2 2 1 1 2 2',
    },
    {
      name: 'UPDATE ... WHERE EXISTS',
      level: 'read-committed',
      sessions: [[txn(1, updateIf(1, 2), write('t', 1, 50))], [txn(2, updateIf(2, 1), write('t', 2, 50))]],
      order: '1 1 2 2 1 1 2 2',
    },
  ];

  test.each(MISSED)('$name: not called serializable', async ({ level, schema = PLAIN, sessions, order }) => {
    const ran = await run(schema, sessions, order, level);
    if (lastCommits(ran)) expect(answerTo(ran, 'serializable').answer).not.toBe(true);
    else expect(ran.history.transactions.status[2], 'the server let one of them fail').not.toBe(0);
  });

  /** Session 1 reads what session 2 overwrites, then meets the row that this one put in: the reply says no more than that. */
  const MET: readonly { readonly name: string; readonly schema: Schema; readonly of: string; readonly look: Statement }[] = [
    { name: 'an upsert that does nothing', schema: PLAIN, of: 't', look: insertOnce },
    { name: 'a foreign key that meets a row of another', schema: child('no action'), of: 'u', look: referring },
  ];
  const meeting = ({ schema, of, look }: (typeof MET)[number], level: Level): Promise<Ran> =>
    run(schema, [[txn(1, read('x', 1), look)], [txn(2, insert(of, 11), write('x', 1, 5))]], '1 1 2 2 2 2 1 1', level);

  test.each(MET)('$name has read it: a cycle, which verify derives again', async (each) => {
    const ran = await meeting(each, 'read-committed');
    expect(lastCommits(ran)).toBe(true);
    expect(answerTo(ran, 'serializable').answer).toBe(false);
    const [anomaly] = ran.anomalies;
    expect(anomaly).toMatchObject({ class: 'G-single-item' });
    expect(anomaly!.cycle.map(({ from, to, rel, table: on, readPoint }) => `${from} ${rel} ${to} ${on} ${readPoint}`).sort()).toEqual([
      '1 rw 2 x snapshot',
      `2 wrp 1 ${each.of} current`,
    ]);
    const { statements, transactions } = ran.history;
    const numbered = statements.kind.map((_, index) => ({
      index,
      txn: transactions.id[statements.txn[index]!]!,
      number: statements.index[index]!,
    }));
    const certificate = JSON.parse(JSON.stringify(certificateOf(ran.history, anomaly!))) as Certificate;
    const verified = verifyFinding(anomaly!, numbered, certificate);
    expect(verified.lines.join('\n')).toMatch(/of the run's: .* this row met/);
    expect(verified.holds, verified.lines.join('\n')).toBe(true);
    const otherwise = { ...certificate, predicates: certificate.predicates.map((each) => ({ ...each, met: false })) };
    expect(verifyFinding(anomaly!, numbered, otherwise).holds).toBe(false);
  });

  test.each(MET)('$name looks at the newest rows: at REPEATABLE READ that is no bug', async (each) => {
    const ran = await meeting(each, 'repeatable-read');
    const judged = ran.anomalies.map((anomaly) =>
      judge(anomaly, 'repeatable-read', ran.history.round.configuration, dialect.promises, dialect),
    );
    console.log(
      `${each.name}: committed ${lastCommits(ran)}, ${ran.anomalies.map((a, i) => `${a.class} ${judged[i]!.verdict}`).join(', ')}`,
    );
    expect(judged.filter(({ verdict }) => verdict === 'bug')).toEqual([]);
  });

  test('a row that is absent since another deleted it in vain: not called read committed', async ({ skip }) => {
    if (
      dialect.levels.find(({ level }) => level === 'read-uncommitted')?.aliasOf !== undefined ||
      !dialect.levels.some(({ level }) => level === 'read-uncommitted')
    )
      skip('no READ UNCOMMITTED of its own');
    const all: Statement = { ...item('t'), from: from('t') };
    const inVain: TxnPlan = { ...txn(2, remove('t', 2)), end: 'rollback' };
    const ran = await run(
      PLAIN,
      [[txn(1, all, write('x', 1, 5))], [inVain], [txn(3, read('x', 1), write('x', 1, 7))]],
      '3 3 3 3 2 2 1 1 2 1 1',
      'read-uncommitted',
    );
    expect(
      ran.history.statements.result.some((rows) => rows?.length === 1 && rows[0]?.[0] === '1'),
      'the reader does not see the row',
    ).toBe(true);
    expect(answerTo(ran, 'read-committed')).toMatchObject({ answer: 'unknown', gaps: { evaluation: 1 } });
  });

  test('where nobody else wrote what was looked for, nothing can be missed: true', async () => {
    for (const { look } of LOOKS.filter(({ gap }) => gap !== 'limit')) {
      const verdict = await run(PLAIN, [[txn(1, look, write('x', 1, 5))], [txn(2, write('x', 1, 6))]], '1 1 1 1 2 2 2');
      expect(answerTo(verdict, 'strict-serializable')).toEqual({
        level: 'strict-serializable',
        answer: true,
        shown: { transactions: 2, of: 2 },
      });
    }
  });
});
