/** MERGE and a WITH whose parts write: what is added to them, and what is said of what they show. */
import { expect, test } from 'vitest';
import type { Expression, From, Merge, Schema, Select, Statement, WithWrites } from '../../../core/sql/index.ts';
import type { ProbedStatement } from '../../../core/program/index.ts';
import { decodeObservations } from '../../../core/history/index.ts';
import { postgres } from '../../../dialects/index.ts';
import { instrument } from '../../../instrument/index.ts';
import { literal, schemaOf } from '../../sql.ts';

const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
const one = literal(1);
const table = (name: string): From => ({ kind: 'table', table: name, alias: name });
const same = (a: string, b: string): Expression => ({ kind: 'compare', op: '=', left: column(a, 'c'), right: column(b, 'c') });
const select = (from: From, alias: string, rest: Partial<Select> = {}): Select => ({
  kind: 'select',
  items: [{ expression: column(alias, 'c'), alias: 'x' }],
  from,
  ...rest,
});

const SCHEMA = schemaOf('CREATE TABLE t (c int); CREATE TABLE u (c int)');

const MERGE: Merge = {
  kind: 'merge',
  table: 't',
  source: table('u'),
  on: same('t', 'u'),
  branches: [
    { when: 'matched', and: same('t', 'u'), action: 'delete' },
    { when: 'matched', action: 'update', set: [{ column: 'c', value: one }] },
    { when: 'not matched', action: 'insert', columns: ['c'], values: [column('u', 'c')] },
  ],
};

const WITH: WithWrites = {
  kind: 'withWrites',
  writes: [
    {
      name: 'w',
      write: { kind: 'insert', table: 't', columns: ['c'], rows: [[one]], returning: [{ expression: column('t', 'c'), alias: 'x' }] },
    },
  ],
  last: { kind: 'insert', table: 'u', columns: ['c'], rows: [[one]] },
};

function probe(
  statement: Statement,
  more: Partial<Parameters<typeof instrument>[1]> = {},
  schema = SCHEMA,
): ProbedStatement & { readonly sql: string } {
  const probed = instrument(
    { seed: 's', schema, sessions: [{ transactions: [{ id: 7, statements: [statement], end: 'commit', autocommit: false }] }] },
    { mode: 'exact', capabilities: postgres.capabilities, ...more },
  );
  const each = probed.sessions[0]!.transactions[0]!.statements[0]!;
  return { ...each, sql: postgres.print(each.statement) };
}

const seen = ({ probe: each }: ProbedStatement, ...values: readonly unknown[]): ReturnType<typeof decodeObservations> =>
  decodeObservations(each, {
    columns: [],
    rows: values.map((value) => [...Array.from({ length: each.userColumns }, () => null), JSON.stringify(value)]),
    affected: values.length,
  });

test('a MERGE numbers what it inserts by its source, and shows each row by what its list says', () => {
  const each = probe(MERGE, { images: true });
  expect(each).toMatchObject({ seq: 1, probe: { role: 'change', entry: ',7.1', reads: 'exact', userColumns: 0 } });
  expect(each.sql).toContain(
    'USING (SELECT "u"."c" AS "c", (row_number() OVER () - 1) AS "iso_n" FROM "u" AS "u") AS "u" ON ("t"."c" = "u"."c") ' +
      'WHEN MATCHED AND ("t"."c" = "u"."c") THEN DELETE ' +
      `WHEN MATCHED THEN UPDATE SET "c" = 1, "iso_w" = right(("t"."iso_w" || ',7.1'), 480) ` +
      `WHEN NOT MATCHED THEN INSERT ("c", "iso_rid", "iso_w") VALUES ("u"."c", ('r7.1_' || CAST("u"."iso_n" AS text)), ',7.1') RETURNING`,
  );
  expect(each.sql).toContain(`FROM "u" AS "u"))), iso_q`);
  expect(
    seen(
      each,
      ['t', 'r0.0_1', ',0.0,7.1', ['', '1']],
      ['t', 'r0.0_2', ',0.0', ['', '2']],
      ['t', 'r7.1_0', ',7.1', ['', '3']],
      [false, [['u', 'r0.0_3', ',0.0']]],
    ),
  ).toMatchObject({
    triples: ['t', 'r0.0_1', ',0.0,7.1', 't', 'r7.1_0', ',7.1'],
    removed: ['t', 'r0.0_2', ',0.0'],
    images: [['1'], ['3']],
    auxiliaryReads: ['u', 'r0.0_3', ',0.0'],
    rows: 3,
  });
});

test('a MERGE whose source nothing is inserted from keeps it', () => {
  const { sql } = probe({ ...MERGE, branches: MERGE.branches.slice(0, 2) });
  expect(sql).toContain('USING "u" AS "u" ON');
  expect(sql).not.toContain('row_number');
});

test('what a MERGE shows is not all, or nothing, where that is so', () => {
  const whole = postgres.capabilities;
  const asks: Merge = {
    ...MERGE,
    branches: [{ when: 'matched', and: { kind: 'exists', negated: false, query: select(table('u'), 'u') }, action: 'delete' }],
  };
  const locked: Merge = {
    ...MERGE,
    source: {
      kind: 'derived',
      query: { ...select(table('u'), 'u'), items: [{ expression: column('u', 'c'), alias: 'c' }], lock: { strength: 'update' } },
      alias: 'u',
    },
  };
  const tags = [
    probe(asks),
    probe(locked),
    probe(MERGE, { capabilities: { ...whole, merge: 'plain' } }),
    probe(MERGE, { mode: 'paper' }),
    probe(MERGE, { mode: 'none' }),
  ].map(({ probe: { reads, role, layout } }) => `${reads} ${role} ${layout.kind}`);
  expect(tags).toEqual(['partial change json', 'partial change json', 'none change none', 'none change none', 'none change none']);
  expect(probe(MERGE, { capabilities: { ...whole, merge: 'plain' } }).sql).toMatch(/"iso_rid".*',7\.1'\)$/);
});

test('a WITH shows what its parts wrote behind its own rows, each part with rows of its own numbers', () => {
  const each = probe(WITH, { images: true });
  expect(each).toMatchObject({ seq: 1, probe: { role: 'change', entry: ',7.1', reads: 'exact', userColumns: 0 } });
  expect(each.sql).toMatch(
    /^WITH "w" AS \(INSERT INTO "t" .* VALUES \(1, 'r7\.1_0', ',7\.1'\) RETURNING "t"\."c" AS "x", json_build_array/,
  );
  expect(each.sql).toMatch(/, iso_q \("iso_reads"\) AS \(INSERT INTO "u" .* VALUES \(1, 'r7\.1_1000000', ',7\.1'\) RETURNING /);
  expect(each.sql).toMatch(
    / FROM iso_q UNION ALL SELECT json_build_array\(FALSE, .*json_build_array\(1, \(SELECT json_agg\("w"\."iso_reads"\)/,
  );
  expect(
    seen(
      each,
      ['u', 'r7.1_1000000', ',7.1', ['', '1']],
      [
        false,
        [
          ['t', 'r0.0_9', ',0.0'],
          [
            1,
            [
              ['t', 'r7.1_0', ',7.1', ['', '1']],
              ['t', 'r0.0_1', ',0.0', ['', '5']],
            ],
            null,
          ],
        ],
      ],
    ),
  ).toMatchObject({
    triples: ['u', 'r7.1_1000000', ',7.1', 't', 'r7.1_0', ',7.1'],
    removed: ['t', 'r0.0_1', ',0.0'],
    images: [['1'], ['1']],
    auxiliaryReads: ['t', 'r0.0_9', ',0.0'],
    rows: 1,
  });
});

test('what a trigger writes is shown by the list of what it changed alone, and the write names its table too', () => {
  const triggered: Schema = {
    tables: SCHEMA.tables.map((each) => (each.name === 't' ? { ...each, trigger: { does: 'tallies', table: 'u', column: 'c' } } : each)),
  };
  expect(probe(MERGE, {}, triggered)).toMatchObject({
    alsoWrites: ['u'],
    probe: { reads: 'partial', reason: 'a trigger writes what the statement does not show' },
  });
  expect(probe({ kind: 'delete', table: 'u' }, {}, triggered)).not.toHaveProperty('alsoWrites');
  const { schema } = instrument({ seed: 's', schema: triggered, sessions: [] }, { mode: 'exact', capabilities: postgres.capabilities });
  expect(schema.tables[0]!.trigger).toEqual({ does: 'tallies', table: 'u', column: 'c', lists: true });
});

test('the query behind a WITH keeps its columns, and what was locked in it is not told', () => {
  const asked = probe({ ...WITH, last: select({ kind: 'cte', name: 'w', alias: 'w' }, 'w') });
  expect(asked.sql).toContain('SELECT iso_q."iso_c0" AS "x", json_build_array() AS "iso_reads" FROM iso_q UNION ALL SELECT NULL, ');
  expect(asked.probe).toMatchObject({ reads: 'exact', userColumns: 1 });
  expect(probe({ ...WITH, last: select(table('u'), 'u', { lock: { strength: 'update' } }) }).probe.reads).toBe('partial');
  for (const mode of ['paper', 'none'] as const) expect(probe(WITH, { mode }).probe).toMatchObject({ reads: 'none', role: 'change' });
});
