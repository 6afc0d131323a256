/** Ranges that overlap, OVERLAPS, and exclusion constraints, as PostgreSQL's importer takes them and as they are sent. */
import { beforeAll, describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../core/index.ts';
import type { ImportedSchema, SqlImporter, TypeKind } from '../../../../core/index.ts';
import { cockroachdb, postgres } from '../../../../dialects/index.ts';
import { instrument } from '../../../../instrument/index.ts';
import { linesOf } from './postgres-bank.ts';

const TABLE =
  'create table stay (id int primary key, room int, guest varchar(20), a timestamptz not null, b timestamptz, d date, n bigint, x numeric(9,2), paid boolean, span tsrange)';
const PARAMETERS: ReadonlyMap<string, TypeKind> = new Map<string, TypeKind>([
  ['from', 'timestamp'],
  ['to', 'timestamp'],
  ['n', 'integer'],
  ['big', 'bigint'],
  ['text', 'text'],
]);

let importer: SqlImporter;
let schema: ImportedSchema['schema'];
beforeAll(async () => {
  importer = await postgres.importer!(postgres.capabilities);
  ({ schema } = importer.schema(linesOf([TABLE])));
});

/** A condition as it is printed after import, or the reason why it is refused. */
function condition(sql: string): string {
  const read = importer.statement({ sql: `select id from stay where ${sql}`, line: 1 }, schema, PARAMETERS);
  return isRefusal(read) ? read.reason : postgres.print(read).replace(/^.* WHERE /, '');
}

describe('spans that overlap', () => {
  it.each([
    ['tstzrange(a, b) && tstzrange(:from, :to)', '(tsrange("stay"."a", "stay"."b") && tsrange(:from, :to))'],
    [
      `tsrange(a, b, '[]') && tsrange(:from, null, '(]')`,
      `(tsrange("stay"."a", "stay"."b", '[]') && tsrange(:from, CAST(NULL AS timestamp), '(]'))`,
    ],
    [
      `tsrange(a, b, '[)'::text) && tsrange('2026-01-01', d)`,
      `(tsrange("stay"."a", "stay"."b") && tsrange(timestamp '2026-01-01 00:00:00', "stay"."d"))`,
    ],
    ['int4range(id, :n) && int4range(1, 5)', '(int4range("stay"."id", :n) && int4range(1, 5))'],
    ['int8range(id, n) && int8range(:big, 5)', `(int8range("stay"."id", "stay"."n") && int8range(:big, bigint '5'))`],
    ['numrange(id, x) && pg_catalog.numrange(:n, 1.5)', `(numrange("stay"."id", "stay"."x") && numrange(:n, numeric '1.5'))`],
    [
      `not daterange(d, '2026-02-01') && daterange(d, d)`,
      `(NOT (daterange("stay"."d", date '2026-02-01') && daterange("stay"."d", "stay"."d")))`,
    ],
    ['(a, b) overlaps (:from, :to)', '(("stay"."a", "stay"."b") OVERLAPS (:from, :to))'],
    [
      `(a, interval '2 hours') overlaps ('2026-01-01 10:00', null)`,
      `(("stay"."a", ("stay"."a" + INTERVAL '7200 seconds')) OVERLAPS (timestamp '2026-01-01 10:00:00', CAST(NULL AS timestamp)))`,
    ],
    ['(d, d) overlaps (:text, :to)', '(("stay"."d", "stay"."d") OVERLAPS (:text, :to))'],
  ])('are sent as they are written: %s', (written, printed) => {
    expect(condition(written)).toBe(printed);
  });

  it.each([
    ['int4range(id, n) && int4range(1, 5)', /an end of a range of integer is of the type bigint/],
    ['daterange(a, b) && daterange(d, d)', /an end of a range of date is of the type timestamp: write one of date/],
    ['(id, 5) overlaps (1, 2)', /an end of OVERLAPS is of the type integer/],
    ['tsrange(a, b) && daterange(d, d)', /of two types/],
    ['tsrange(a, b) && span', /&& is supported only between ranges of two ends/],
    [`tsrange(a, b) && '[2026-01-01, 2026-01-02)'`, /&& is supported only between ranges of two ends/],
    ['tsrange(a, b, :text) && tsrange(a, b)', /the bounds of a range are one of/],
    [`tsrange(a, b, '][') && tsrange(a, b)`, /the bounds of a range are one of/],
    ['tsrange(a) && tsrange(a, b)', /tsrange\(\) takes two ends/],
    ['tsrange(a, b) @> a', /the function tsrange\(\) is not supported: a range is supported only beside &&/],
    ['public.tsrange(a, b) && tsrange(a, b)', /&& is supported only between ranges of two ends/],
    [`(a, interval '1 month') overlaps (a, b)`, /month has no one length/],
  ])('are refused where the server would refuse them, or where they mean something else: %s', (written, reason) => {
    expect(condition(written)).toMatch(reason);
  });

  it('are refused for a relative of PostgreSQL of which nothing is known', async () => {
    const other = await cockroachdb.importer!(cockroachdb.capabilities);
    const made = other.schema(linesOf([TABLE])).schema;
    const read = other.statement({ sql: 'select id from stay where (a, b) overlaps (a, b)', line: 1 }, made, PARAMETERS);
    expect(isRefusal(read) && read.reason).toMatch(/not supported for CockroachDB: compare the ends/);
    const { refused } = other.schema(linesOf([TABLE, 'alter table stay add exclude using gist (tsrange(a, b) with &&)']));
    expect(refused.map(({ reason }) => reason)).toEqual([expect.stringMatching(/not supported for CockroachDB/)]);
  });
});

describe('an exclusion constraint', () => {
  /** Each text has an importer of its own, since one that has refused something no longer knows the types. */
  const excluded = async (constraint: string): Promise<ImportedSchema> =>
    (await postgres.importer!(postgres.capabilities)).schema(linesOf([TABLE, `alter table stay add ${constraint}`]));

  it('is made as it is written, and values that are equal as ranges of one value, which need no extension', async () => {
    const {
      schema: made,
      refused,
      approximated,
    } = await excluded(`constraint "One guest" exclude using gist (room with =, d with =, tstzrange(a, b) with &&) where (paid)`);
    expect(refused).toEqual([]);
    expect(made.tables[0]!.exclusions).toMatchObject([
      { name: 'One guest', parts: [{ meets: 'equal', column: 'room' }, {}, { meets: 'overlapping' }] },
    ]);
    expect(approximated.filter(({ line }) => line === 2).map(({ what }) => what)).toEqual([
      'room WITH = of an exclusion constraint is imported as ranges of one value, which overlap where the values are equal',
      'd WITH = of an exclusion constraint is imported as ranges of one value, which overlap where the values are equal',
    ]);
    const own = postgres.createNamespace('n', made).filter((sql) => sql.includes('EXCLUDE'));
    expect(own).toEqual([
      'ALTER TABLE "n"."stay" ADD CONSTRAINT "One guest" EXCLUDE USING gist (' +
        `(CASE WHEN "stay"."room" IS NOT NULL THEN numrange("stay"."room", "stay"."room", '[]') END) WITH &&, ` +
        `(CASE WHEN "stay"."d" IS NOT NULL THEN daterange("stay"."d", "stay"."d", '[]') END) WITH &&, ` +
        '(tsrange("stay"."a", "stay"."b")) WITH &&) WHERE ("stay"."paid")',
    ]);
  });

  it('is told to need an extension where a column has no range, and is one of the columns beside a table too', () => {
    const { schema: made, approximated } = importer.schema(
      linesOf(["create table t (k varchar(9), a int, b int, exclude using gist (k with =, int4range(a, b, '[]') with &&))"]),
    );
    expect(approximated.map(({ what }) => what)).toEqual([
      'k WITH = of an exclusion constraint needs the extension btree_gist in the database that is tested',
    ]);
    expect(postgres.createNamespace('n', made).at(-1)).toBe(
      `ALTER TABLE "n"."t" ADD CONSTRAINT "t_excl_1" EXCLUDE USING gist ("k" WITH =, (int4range("t"."a", "t"."b", '[]')) WITH &&)`,
    );
  });

  it.each([
    ['exclude using gist (room with =)', /of equal values is not supported: write UNIQUE/],
    ['exclude (room with =)', /USING gist only/],
    ['exclude using spgist (tsrange(a, b) with &&)', /USING gist only/],
    ['exclude using gist (span with &&)', /store the ends as two columns/],
    ['exclude using gist (tsrange(a, b) with -|-)', /store the ends as two columns/],
    ['exclude using gist (tsrange(a, b) with &&) deferrable', /DEFERRABLE constraints are not supported/],
    ['exclude using gist (nowhere with =, tsrange(a, b) with &&)', /no column nowhere/],
    ['exclude using gist (daterange(a, b) with &&)', /an end of a range of date is of the type timestamp/],
    ['constraint stay exclude using gist (tsrange(a, b) with &&)', /has the name of a table/],
  ])('is refused in another form: %s', async (constraint, reason) => {
    expect((await excluded(constraint)).refused.map((each) => each.reason)).toEqual([expect.stringMatching(reason)]);
  });

  it('is nothing that an upsert may meet without it being told', async () => {
    const { schema: made } = await excluded('constraint alone exclude using gist (tsrange(a, b) with &&)');
    const upsert = (target: string): unknown =>
      importer.statement(
        { sql: `insert into stay (id, a) values (1, '2026-01-01') on conflict ${target} do nothing`, line: 1 },
        made,
        PARAMETERS,
      );
    expect(upsert('')).toMatchObject({
      reason: expect.stringMatching(/the exclusion constraint alone\. It cannot be decided whether the inserted row conflicts with it/),
    });
    expect(upsert('(id)')).toMatchObject({ kind: 'insert' });
  });

  it('is kept by the tables that are instrumented', async () => {
    const { schema: made } = await excluded('exclude using gist (tsrange(a, b) with &&)');
    const { schema: probed } = instrument(
      { seed: '1', schema: made, sessions: [] },
      { mode: 'exact', capabilities: postgres.capabilities, level: 'read-committed' },
    );
    expect(probed.tables[0]!.exclusions).toEqual(made.tables[0]!.exclusions);
  });
});
