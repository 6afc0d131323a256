/**
 * Where a capture differs from what was written (docs/EXACT-READS.md), on live servers: a row that several partners join, more rows
 * captured than deleted, an upsert that meets one row twice, a subquery that becomes a join, two transactions that wait.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decodeCapture, decodeObservations } from '../../core/history/index.ts';
import type { Expression, Insert, Schema, Statement, Table } from '../../core/sql/index.ts';
import type { Connection } from '../../core/dialect/index.ts';
import type { ProbedStatement } from '../../core/program/index.ts';
import { instrument } from '../../instrument/index.ts';
import { exactTargets, sent } from './exact-target.ts';
import type { ExactTarget, Seen } from './exact-target.ts';

const int = (value: number | null): Expression => ({ kind: 'literal', type: 'integer', value });
const col = (table: string, column: string): Expression => ({ kind: 'column', table, column });
const same = (left: Expression, right: Expression): Expression => ({ kind: 'compare', op: '=', left, right });
const make = (name: string, rows: Table['rows'], primaryKey: string[]): Table => ({
  name,
  columns: ['k', 'a'].map((column) => ({ name: column, type: { kind: 'integer' }, nullable: !primaryKey.includes(column) })),
  primaryKey,
  uniques: [],
  checks: [],
  foreignKeys: [],
  indexes: [],
  rows,
});
/** Quotes, a backslash, and characters that the auxiliary columns cannot hold. */
const ODD = 'ü"\\\'漢';
const S = { kind: 'table', table: 's', alias: 's' } as const;
const T = { kind: 'table', table: 't', alias: 't' } as const;
const SCHEMA: Schema = {
  tables: [
    make(
      't',
      [
        [1, 10],
        [2, 20],
        [3, null],
      ],
      ['k'],
    ),
    make(
      's',
      [
        [1, 1],
        [1, 2],
        [2, 3],
        [9, 4],
      ],
      [],
    ),
    make(
      ODD,
      [
        [1, 1],
        [2, 2],
      ],
      ['k'],
    ),
  ],
  views: [
    {
      name: 'v',
      query: { kind: 'select', items: [{ expression: { kind: 'aggregate', name: 'max', operand: col('t', 'k') }, alias: 'k' }], from: T },
    },
  ],
};
const insert = (rest: Partial<Insert>): Insert => ({ kind: 'insert', table: 't', columns: ['k', 'a'], rows: [], ...rest });

const targets = exactTargets().filter(({ dialect }) => dialect.capabilities.capture !== undefined);
if (targets.length === 0) describe.skip('captures: no server without RETURNING at hand', () => test('', () => {}));

describe.each(targets.map((target) => [target.target, target] as const))('%s', (_target, { dialect, start }) => {
  const NAMESPACE = 'exact_traps';
  let server: Awaited<ReturnType<ExactTarget['start']>>;
  let control: Connection;
  let one: Connection;

  beforeAll(async () => {
    server = await start();
    control = await dialect.connect(server.url, {});
  });
  beforeEach(async () => {
    await one?.end();
    await dialect.dropNamespace(control, NAMESPACE);
    const { schema } = instrument({ seed: '', schema: SCHEMA, sessions: [] }, { mode: 'exact', capabilities: dialect.capabilities });
    for (const { sql } of dialect.namespaceScript(NAMESPACE, schema)) await control.query(sql);
    one = await dialect.connect(server.url, { namespace: NAMESPACE });
  });
  afterAll(async () => {
    await one?.end();
    await dialect.dropNamespace(control, NAMESPACE);
    await control.end();
    await server.stop();
  });

  const planned = (statement: Statement): ProbedStatement => {
    const testCase = {
      seed: '',
      schema: SCHEMA,
      sessions: [{ transactions: [{ id: 7, statements: [statement], end: 'commit', autocommit: false }] }],
    } as const;
    return instrument(testCase, { mode: 'exact', capabilities: dialect.capabilities, images: true }).sessions[0]!.transactions[0]!
      .statements[0]!;
  };
  const run = (statement: Statement): Promise<Seen> => sent(one, dialect, planned(statement));

  test('an UPDATE that joins a row with two partners writes it once, and has read both', async () => {
    const seen = await run({
      kind: 'update',
      table: 't',
      set: [{ column: 'a', value: int(5) }],
      from: S,
      where: same(col('s', 'k'), col('t', 'k')),
    });
    expect(seen.inconclusive).toBeUndefined();
    expect(seen.triples).toEqual(['t', 'r0.0_0', ',0.0,7.1', 't', 'r0.0_1', ',0.0,7.1']);
    expect(rids(seen.auxiliaryReads)).toEqual(['r0.0_3', 'r0.0_4', 'r0.0_5']);
  });

  test('a DELETE that joins a row with two partners removes it once, at the list that it had', async () => {
    const seen = await run({ kind: 'delete', table: 't', using: S, where: same(col('s', 'k'), col('t', 'k')) });
    expect([seen.inconclusive, seen.result.affected]).toEqual([undefined, 2]);
    expect(seen.triples).toEqual(['t', 'r0.0_0', ',0.0', 't', 'r0.0_1', ',0.0']);
  });

  test('rows that a view has read are removed too, each for itself', async () => {
    const seen = await run({
      kind: 'delete',
      table: 't',
      using: { kind: 'view', view: 'v', alias: 'v' },
      where: { kind: 'compare', op: '<', left: col('t', 'k'), right: col('v', 'k') },
    });
    expect([seen.inconclusive, seen.result.affected]).toEqual([undefined, 2]);
    expect(seen.triples).toEqual(['t', 'r0.0_0', ',0.0', 't', 'r0.0_1', ',0.0']);
  });

  test('a table of any name is read, joined, written and removed from', async () => {
    const odd = { kind: 'table', table: ODD, alias: ODD } as const;
    const join = {
      kind: 'join',
      type: 'left',
      left: odd,
      right: { ...odd, alias: 'b' },
      on: { kind: 'compare', op: '<', left: col(ODD, 'k'), right: col('b', 'k') },
    } as const;
    const items = [{ expression: col(ODD, 'k'), alias: 'k' }];
    const initial = [ODD, 'r0.0_7', ',0.0', ODD, 'r0.0_8', ',0.0'];
    expect((await run({ kind: 'select', items, from: join })).triples).toEqual(initial);
    expect(
      rids((await run({ kind: 'select', items: [{ expression: { kind: 'aggregate', name: 'count' }, alias: 'n' }], from: join })).triples),
    ).toEqual(['r0.0_7', 'r0.0_8']);
    expect(
      (
        await run({
          kind: 'select',
          items,
          from: odd,
          where: {
            kind: 'inQuery',
            operand: col(ODD, 'k'),
            negated: false,
            query: { kind: 'select', items: [{ expression: col('b', 'k'), alias: 'k' }], from: { ...odd, alias: 'b' } },
          },
        })
      ).triples,
    ).toEqual(initial);
    const updated = await run({
      kind: 'update',
      table: ODD,
      set: [{ column: 'a', value: int(5) }],
      from: S,
      where: same(col('s', 'k'), col(ODD, 'k')),
    });
    expect([updated.inconclusive, updated.triples]).toEqual([undefined, [ODD, 'r0.0_7', ',0.0,7.1', ODD, 'r0.0_8', ',0.0,7.1']]);
    const removed = await run({ kind: 'delete', table: ODD, using: S, where: same(col('s', 'k'), col(ODD, 'k')) });
    expect([removed.inconclusive, removed.triples]).toEqual([undefined, [ODD, 'r0.0_7', ',0.0,7.1', ODD, 'r0.0_8', ',0.0,7.1']]);
  });

  test('a DELETE by a subquery that may become a join names the rows removed and no others', async () => {
    const seen = await run({
      kind: 'delete',
      table: 't',
      where: {
        kind: 'inQuery',
        operand: col('t', 'k'),
        negated: false,
        query: {
          kind: 'select',
          items: [{ expression: col('s', 'k'), alias: 'k' }],
          from: S,
          where: { kind: 'compare', op: '>', left: col('s', 'a'), right: int(2) },
        },
      },
    });
    expect(seen.inconclusive).toBeUndefined();
    expect(seen.triples).toEqual(['t', 'r0.0_1', ',0.0']);
  });

  test('more rows captured than deleted by ORDER BY and LIMIT are a doubt, not a delete', async () => {
    const { capture } = dialect.capabilities;
    const where = `CASE WHEN (@iso_c := CONCAT(@iso_c, JSON_ARRAY('t', iso_rid, iso_w), ',')) IS NULL THEN TRUE ELSE TRUE END`;
    const [, result, variable] = await one.queryAll!([capture!.before, `DELETE FROM t WHERE ${where} ORDER BY a LIMIT 1`, capture!.after]);
    const decoded = decodeCapture({ own: true }, result!, variable!.rows[0]![0]);
    expect([result!.affected, decoded.triples]).toEqual([1, []]);
    expect(rids(decoded.inconclusive!.triples)).toEqual(['r0.0_0', 'r0.0_1', 'r0.0_2']);
  });

  test('an upsert with two proposed rows on one row leaves one version with its entry twice', async () => {
    const seen = await run(
      insert({
        rows: [
          [int(1), int(5)],
          [int(1), int(6)],
          [int(8), int(7)],
        ],
        conflict: { action: 'update', columns: ['k'], set: [{ column: 'a', value: { kind: 'proposed', column: 'a' } }] },
      }),
    );
    expect(seen.inconclusive).toBeUndefined();
    const last = new Map(Array.from({ length: seen.triples.length / 3 }, (_, i) => [seen.triples[3 * i + 1], seen.triples[3 * i + 2]]));
    expect(Object.fromEntries(last)).toEqual({ 'r0.0_0': ',0.0,7.1,7.1', 'r7.1_2': ',7.1' });
  });

  test('an upsert that leaves a row as it is has not inserted it', async () => {
    const seen = await run(
      insert({
        rows: [
          [int(1), int(5)],
          [int(8), int(7)],
        ],
        conflict: {
          action: 'update',
          columns: ['k'],
          set: [{ column: 'a', value: { kind: 'proposed', column: 'a' } }],
          where: { kind: 'compare', op: '>', left: col('t', 'a'), right: int(15) },
        },
      }),
    );
    expect(seen.inconclusive).toBeUndefined();
    expect(seen.triples).toEqual(['t', 'r7.1_1', ',7.1']);
  });

  test('a REPLACE names the rows that it removed, as they were read before it', async () => {
    const each = planned(
      insert({
        rows: [
          [int(1), int(5)],
          [int(8), int(7)],
        ],
        conflict: { action: 'replace' },
      }),
    );
    await one.query('BEGIN');
    const met = decodeObservations(each.before!.probe, await one.query(dialect.print(each.before!.statement))).triples;
    const { capture } = dialect.capabilities;
    const [, result, variable] = await one.queryAll!([capture!.before, dialect.print(each.statement), capture!.after]);
    const seen = decodeCapture(each.probe.captured!, result!, variable!.rows[0]![0], met);
    const left = (await one.query('SELECT iso_rid FROM t ORDER BY k')).rows.flat();
    await one.query('ROLLBACK');
    expect([met, seen.inconclusive, seen.triples]).toEqual([
      ['t', 'r0.0_0', ',0.0'],
      undefined,
      ['t', 'r7.1_0', ',7.1', 't', 'r7.1_1', ',7.1'],
    ]);
    expect(left).toEqual(['r7.1_0', 'r0.0_1', 'r0.0_2', 'r7.1_1']);
  });

  test('an UPDATE that changes nothing of the user is a write all the same', async () => {
    const seen = await run({ kind: 'update', table: 't', set: [{ column: 'a', value: col('t', 'a') }] });
    expect([seen.inconclusive, seen.triples.length / 3]).toEqual([undefined, 3]);
  });

  test('a left join keeps its rows without a partner', async () => {
    const join = {
      kind: 'join',
      type: 'left',
      left: S,
      right: { kind: 'table', table: 't', alias: 'y' },
      on: same(col('y', 'k'), col('s', 'a')),
    } as const;
    const seen = await run({ kind: 'delete', table: 't', using: join, where: same(col('s', 'k'), col('t', 'k')) });
    expect([seen.inconclusive, seen.result.affected]).toEqual([undefined, 2]);
    expect(rids(seen.auxiliaryReads)).toEqual(['r0.0_0', 'r0.0_1', 'r0.0_2', 'r0.0_3', 'r0.0_4', 'r0.0_5']);
  });

  test('a row that the DELETE waited for is captured as it is when it is removed', async () => {
    const two = await dialect.connect(server.url, { namespace: NAMESPACE });
    try {
      await two.query('BEGIN');
      await two.query(`UPDATE t SET a = 11, iso_w = CONCAT(iso_w, ',8.1') WHERE k = 1`);
      await one.query('BEGIN');
      const deleted = run({ kind: 'delete', table: 't', where: { kind: 'compare', op: '<=', left: col('t', 'k'), right: int(2) } });
      await two.query('SELECT SLEEP(0.2)');
      await two.query('COMMIT');
      const seen = await deleted;
      await one.query('ROLLBACK');
      expect([seen.inconclusive, seen.triples]).toEqual([undefined, ['t', 'r0.0_0', ',0.0,8.1', 't', 'r0.0_1', ',0.0']]);
    } finally {
      await two.end();
    }
  });
});

function rids(triples: readonly string[]): readonly string[] {
  return [...new Set(triples.filter((_, i) => i % 3 === 1))].toSorted();
}
