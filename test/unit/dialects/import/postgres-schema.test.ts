/** Schemas in PostgreSQL's grammar: what becomes of each definition, and what is refused, with its line. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '../../../../core/sql/index.ts';
import type { ImportedSchema } from '../../../../core/dialect/index.ts';
import { cockroachdb, postgres } from '../../../../dialects/index.ts';
import { BANK, linesOf } from './postgres-bank.ts';

const T = 'create table t (a int primary key, b varchar(5), c numeric(5,2) default 1)';

/** Each alone behind `T`. */
const REFUSED: readonly (readonly [written: string, reason: RegExp])[] = [
  ['create table t (a int)', /two tables or views t/],
  [String.raw`create table u (U&"iso\005fw" int)`, /iso_w has a name that the tool itself adds/],
  ['create table u (a int, a int)', /two columns a/],
  ['create table u (a int default now())', /no value of the type integer/],
  ['create table u (a int default 1 + 1)', /DEFAULT of the column a is no literal/],
  ["create table u (a int default 'x')", /'x' is no value of type integer/],
  ['create table u (a int generated always as (1) stored)', /is used before the table has a column/],
  ['create table u (a int references w)', /table w, which the file does not create/],
  ['create table u (a varchar(5) references t (b))', /refers to t \(b\), which is no primary key or UNIQUE/],
  ['create table u (a int check (b > 0))', /no column b/],
  ['create table u (a int check (a > random()))', /random\(\) is not supported/],
  ['create temp table u (a int)', /temporary and unlogged/],
  ['create unlogged table u (a int)', /temporary and unlogged/],
  ['create table u (like t)', /LIKE in CREATE TABLE/],
  ['create table u (b int) inherits (t)', /INHERITS is not supported/],
  ['create table u (a int) partition by range (a)', /PARTITION BY is not supported/],
  ['create table u (a int, exclude using gist (a with =))', /exclusion constraint/],
  ['create table other.u (a int)', /names with a schema/],
  ['create table "u.v" (a int)', /has a dot/],
  ['create index on t (nope)', /no column nope in t/],
  ['create index on nope (a)', /no table nope above/],
  ['create view v as select a + 1 from t', /column 1 of the view v has no name/],
  ['create view v (x, x) as select a, b from t', /two columns x/],
  ['create view v as select a from nope', /no table nope/],
  ['create materialized view v as select a from t', /materialized views/],
  ['alter table t add column z int', /ADD COLUMN is not supported/],
  ['create trigger x before insert on t execute function f()', /the call of f\(\) is not supported: the trigger x makes it/],
  ["create procedure p() language sql as 'select 1'", /a procedure is not supported/],
  ['alter table t drop column b', /ALTER TABLE is supported for constraints/],
  ['alter table t alter column b drop default', /DROP DEFAULT is not supported/],
  ['begin', /BEGIN, COMMIT and ROLLBACK are not supported/],
  ['select * from t', /not supported in a schema/],
  ['insert into t (a) values (:a)', /parameter :a is used in the schema/],
  ['insert into t (a) values (1 + 1)', /no literal/],
  ['insert into t (a) select a from t', /literals only/],
  ["insert into t (b) values ('x')", /a is NOT NULL/],
  ['insert into t (a) values (99999999999)', /99999999999, which is no value of the type integer/],
  ["insert into t values (1, 'too long')", /longer than varchar\(5\)/],
  ["insert into t values (1, 'x', 1.234)", /1.234, which does not fit/],
  ['insert into t (a) values (1), (1)', /two initial rows of t have the same a/],
];

describe("PostgreSQL's importer of schemas", () => {
  let schema: (texts: readonly string[]) => ImportedSchema;
  beforeAll(async () => {
    const importer = await postgres.importer!();
    schema = (texts) => importer.schema(linesOf(texts));
  });
  const table = (texts: readonly string[]): Table => {
    const { schema: imported, refused } = schema(texts);
    expect(refused).toEqual([]);
    return imported.tables.at(-1)!;
  };

  it.each(REFUSED)('refuses %s', (written, reason) => {
    const { refused, schema: imported } = schema([T, written]);
    expect(refused).toMatchObject([{ line: 2, reason: expect.stringMatching(reason) as string }]);
    // What could be read of it is kept, so that what follows is not refused for it.
    expect(imported.tables.filter(({ name }) => name !== 'u')).toEqual(schema([T]).schema.tables);
  });

  it('names each refused line and goes on behind it', () => {
    const { refused, schema: imported } = schema([
      'create tabel x (a int)',
      T,
      'create trigger t1 before insert on t execute function f()',
      'insert into t (a) values (1)',
      'create rule r as on insert to t do nothing',
    ]);
    expect(refused.map(({ line }) => line)).toEqual([1, 3, 5]);
    expect(imported.tables[0]!.rows).toEqual([[1, null, '1.00']]);
  });

  it('takes the types of the IR under all their names', () => {
    const { columns } = table([
      'create table t (a int, b smallint, c int8, d text, e character varying, f varchar(7), g decimal(4), h bool, i date, j timestamp without time zone, k serial, l bigserial)',
    ]);
    expect(columns.map(({ type }) => type)).toEqual([
      { kind: 'integer' },
      { kind: 'integer' },
      { kind: 'bigint' },
      { kind: 'text' },
      { kind: 'text' },
      { kind: 'varchar', length: 7 },
      { kind: 'decimal', precision: 4, scale: 0 },
      { kind: 'boolean' },
      { kind: 'date' },
      { kind: 'timestamp' },
      { kind: 'integer' },
      { kind: 'bigint' },
    ]);
    expect(columns.filter(({ identity }) => identity).map(({ name }) => name)).toEqual(['k', 'l']);
  });

  it('makes canonical values of defaults and initial rows', () => {
    const { columns, rows } = table([
      "create table t (a int default '7', b bigint default 8, c numeric(6,2) default .5, d date default '2024-02-29', e timestamp default '2024-01-01T05:06', f boolean default true, g varchar(9) default 'x'::character varying)",
      'insert into t values (default, default, -0.0, default), (-1, 9007199254740993, 12.3400, null)',
    ]);
    expect(columns.map((column) => column.default)).toEqual([7, '8', '0.50', '2024-02-29', '2024-01-01 05:06:00', true, 'x']);
    expect(rows).toEqual([
      [7, '8', '0.00', '2024-02-29', '2024-01-01 05:06:00', true, 'x'],
      [-1, '9007199254740993', '12.34', null, '2024-01-01 05:06:00', true, 'x'],
    ]);
  });

  it('takes keys, checks and foreign keys beside a column, in the table and behind it', () => {
    const imported = table([
      T,
      'create table public.u (a int generated always as identity primary key, b int unique check (b > 0), c int, constraint pair unique (b, c), foreign key (c) references t on delete set null on update cascade)',
      'alter table u add constraint x unique (a)',
      'create unique index on u (c)',
      'create index if not exists by_b on u using btree (b, c)',
      "comment on table u is 'nothing'",
    ]);
    expect(imported).toMatchObject({
      primaryKey: ['a'],
      uniques: [['b'], ['b', 'c'], ['a'], ['c']],
      checks: [{ name: 'u_check_1', expression: { kind: 'compare', op: '>', left: { kind: 'column', table: 'u', column: 'b' } } }],
      foreignKeys: [{ name: 'u_fk_1', columns: ['c'], table: 't', references: ['a'], onDelete: 'set null', onUpdate: 'cascade' }],
      indexes: [{ name: 'by_b', columns: ['b', 'c'] }],
    });
    expect(imported.columns.map(({ nullable }) => nullable)).toEqual([false, true, true]);
  });

  it('numbers the rows of an identity column as the server will, and refuses other numbers', () => {
    const texts = ['create table t (a serial primary key, b int)', 'insert into t (b) values (5)', 'insert into t values (default, 6)'];
    expect(table(texts).rows).toEqual([
      [1, 5],
      [2, 6],
    ]);
    expect(schema([...texts, 'insert into t values (3, 8)']).refused).toEqual([
      { line: 4, reason: expect.stringContaining('do one of the two') as string },
    ]);
    const given = [texts[0]!, 'insert into t values (1, 5), (2, 6)'];
    expect(table(given).rows).toEqual([
      [1, 5],
      [2, 6],
    ]);
    expect(schema([...given, 'insert into t values (9, 8)']).refused).toEqual([
      { line: 3, reason: expect.stringContaining('its row 3 is given 9') as string },
    ]);
  });

  it('refuses an initial row whose parent is not there', () => {
    const texts = [
      'create table p (a int primary key)',
      'create table c (a int references p, b int)',
      'insert into p values (1)',
      'insert into c values (1, 1), (null, 2)',
    ];
    expect(schema(texts).refused).toEqual([]);
    expect(schema([...texts, 'insert into c values (2, 3)']).refused).toHaveLength(1);
  });

  it('tells a view that an UPDATE can go through from one that it cannot', () => {
    const { schema: imported } = schema([
      T,
      'create view own as select b, a from t where a > 0',
      'create view renamed as select a as x from t',
      'create view counted as select count(*) from t',
      'create view named (n) as select a from t union select 1 from t',
      'create view nested as select * from own',
    ]);
    expect(imported.views!.map(({ name, updates }) => [name, updates])).toEqual([
      ['own', 't'],
      ['renamed', undefined],
      ['counted', undefined],
      ['named', undefined],
      ['nested', undefined],
    ]);
  });

  it('is made on a server with the rows of the file', () => {
    const { schema: imported, refused } = schema(BANK);
    expect(refused).toEqual([]);
    expect(postgres.namespaceScript('n', imported).map(({ sql }) => sql)).toContain(
      'insert into "link" ("line", "order_id") values (1, 1), (3, 1), (1, 2)',
    );
  });

  it('refuses for CockroachDB what CockroachDB lacks', async () => {
    const importer = await cockroachdb.importer!();
    const { schema: imported } = importer.schema(linesOf([T, 'create view own as select a, b from t']));
    const read = (sql: string): unknown => importer.statement({ sql, line: 1 }, imported, new Map());
    expect(read('select b, count(*) from t group by rollup (b)')).toMatchObject({
      reason: expect.stringContaining('CockroachDB') as string,
    });
    expect(read("update own set b = 'x'")).toMatchObject({ reason: expect.stringContaining('CockroachDB') as string });
    expect(read("update t set b = 'x'")).toMatchObject({ kind: 'update' });
  });
});
