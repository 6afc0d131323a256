/** What schemas of applications hold beyond the IR's types: what stands for it, and what is said of it. */
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../../../core/sql/index.ts';
import type { ImportedSchema, SqlText } from '../../../../core/dialect/index.ts';
import { isRefusal } from '../../../../core/dialect/index.ts';
import { mariadb, mysql, postgres } from '../../../../dialects/index.ts';

const ON = { postgres: await postgres.importer!(), mysql: await mysql.importer!(), mariadb: await mariadb.importer!() };

function texts(sql: readonly string[]): readonly SqlText[] {
  return sql.map((each, i) => ({ sql: each, line: i + 1 }));
}

/** A new one each time: it knows the types of its file. */
async function imported(dialect: typeof postgres, ...sql: readonly string[]): Promise<ImportedSchema> {
  return (await dialect.importer!(dialect.capabilities)).schema(texts(sql));
}

const TYPES: readonly (readonly [dialect: 'postgres' | 'mysql', type: string, as: string, said: RegExp])[] = [
  ['postgres', 'timestamptz', 'timestamp', /UTC, to the second/],
  ['postgres', 'timestamp(3)', 'timestamp', /to the second/],
  ['postgres', 'uuid', 'varchar(36)', /lower case/],
  ['postgres', 'jsonb', 'text', /compared as it is written/],
  ['postgres', 'citext', 'text', /both cases are different/],
  ['postgres', 'tsvector', 'text', /one value/],
  ['postgres', 'int4range', 'text', /one value/],
  ['mysql', 'point', 'text', /one value/],
  ['mysql', 'bit(1)', 'boolean', /shown as 0 and 1/],
  ['postgres', 'text[]', 'text', /an array is one value/],
  ['postgres', 'char(3)', 'varchar(3)', /not padded/],
  ['postgres', 'double precision', 'numeric(30, 10)', /exact here/],
  ['postgres', 'numeric', 'numeric(30, 10)', /so many digits/],
  ['mysql', 'timestamp', 'timestamp', /UTC/],
  ['mysql', 'datetime(6)', 'timestamp', /to the second/],
  ['mysql', 'int unsigned', 'bigint', /not below 0/],
  ['mysql', "enum('p', 'qq')", 'varchar(2)', /CHECK of its values/],
  ['mysql', "set('p', 'q')", 'varchar(255)', /one value/],
  ['mysql', 'json', 'text', /compared as it is written/],
  ['mysql', 'longtext', 'text', /length of its own/],
  ['mysql', 'mediumblob', 'text', /bytes/],
  ['mysql', 'double', 'numeric(30, 10)', /exact/],
];

describe('a type that the IR has not', () => {
  it.each(TYPES)('%s: %s is imported as %s, which is said', async (name, type, as, said) => {
    const { schema, refused, approximated } = await imported({ postgres, mysql }[name], `create table t (k int primary key,\n  a ${type})`);
    expect(refused).toEqual([]);
    expect(spelled(schema.tables[0]!.columns[1]!.type)).toBe(as);
    expect(approximated).toEqual([{ line: 2, what: expect.stringMatching(said) as string }]);
  });

  function spelled(type: {
    readonly kind: string;
    readonly length?: number;
    readonly precision?: number;
    readonly scale?: number;
  }): string {
    if (type.kind === 'decimal') return `numeric(${type.precision}, ${type.scale})`;
    return type.length === undefined ? type.kind : `${type.kind}(${type.length})`;
  }

  it('has a CHECK of what it allows: an enum, a domain, a number without a sign', async () => {
    const ours = await imported(
      postgres,
      "create type mood as enum ('sad', 'glad')",
      'create domain cents as int not null check (value >= 0) check (value < 100)',
      "create table t (k int primary key, a mood not null default 'sad'::mood, b cents)",
    );
    expect(ours.refused).toEqual([]);
    const table = ours.schema.tables[0]!;
    expect(table.columns.map(({ nullable }) => nullable)).toEqual([false, false, false]);
    expect(table.columns[1]!.default).toBe('sad');
    expect(table.checks.map(({ name }) => name)).toEqual(['t_a_values', 't_b_values']);
    const theirs = await imported(
      mysql,
      "create table t (k int unsigned not null auto_increment primary key, a enum('x', 'y'), b int unsigned)",
    );
    expect(theirs.schema.tables[0]!.checks.map(({ name }) => name)).toEqual(['t_a_values', 't_b_values']);
  });
});

describe('keys and indexes beyond whole columns of all rows', () => {
  const T = 'create table t (k int primary key, a int not null, b varchar(20) not null, c text)';

  it.each<readonly ['postgres' | 'mysql', string, unknown]>([
    ['postgres', 'create unique index i on t (a) where b = $$x$$', { columns: ['a'], shape: { kind: 'partial' }, unique: true }],
    [
      'postgres',
      'create unique index i on t (lower(b)) where c is null',
      { columns: ['b', 'c'], shape: { kind: 'expression' }, unique: true },
    ],
    ['postgres', 'create index i on t using hash (a)', { columns: ['a'], shape: { kind: 'hash' } }],
    ['postgres', 'create index i on t (a desc)', { columns: ['a'], shape: { kind: 'descending' } }],
    ['mysql', 'create index i on t (c(10))', { columns: ['c'], shape: { kind: 'prefix', length: 10 } }],
    ['mysql', 'create unique index i on t (b(3))', { columns: ['b'], shape: { kind: 'prefix', length: 3 }, unique: true }],
    ['mysql', 'create index i on t ((a + 1))', { columns: ['a'], shape: { kind: 'expression' } }],
  ])('%s: %s', async (name, sql, index) => {
    const { schema, refused } = await imported({ postgres, mysql }[name], T, sql);
    expect(refused).toEqual([]);
    expect(schema.tables[0]!.indexes).toMatchObject([{ name: 'i', ...(index as object) }]);
  });

  it('a length of the whole column is none, and a unique index over whole columns is a key', async () => {
    const { schema } = await imported(mysql, T, 'create unique index i on t (b(20), a)');
    expect(schema.tables[0]!).toMatchObject({ uniques: [['b', 'a']], indexes: [] });
  });

  it.each<readonly ['postgres' | 'mysql' | 'mariadb', string, RegExp]>([
    ['postgres', 'create index i on t using gin (c)', /one of gin/],
    ['postgres', 'create index i on t (a, lower(b))', /several values of which one is an expression/],
    ['mysql', 'alter table t add fulltext key i (c)', /FULLTEXT/],
    ['mariadb', 'create index i on t ((a + 1))', /does not have here/],
  ])('%s: %s is left out, which is said', async (name, sql, said) => {
    const { schema, refused, approximated } = await imported({ postgres, mysql, mariadb }[name], T, sql);
    expect(refused).toEqual([]);
    expect(schema.tables[0]!.indexes).toEqual([]);
    expect(approximated).toEqual([{ line: 2, what: expect.stringMatching(said) as string }]);
  });

  it('what rows hang on is not left out: it is refused with what to do', async () => {
    const { refused } = await imported(mariadb, T, 'create unique index i on t ((a + 1))');
    expect(refused).toEqual([{ line: 2, reason: expect.stringContaining('make that UNIQUE') as string }]);
  });

  it('an INSERT that keeps what is there is refused where a key beyond columns may be what it meets', async () => {
    const importer = await postgres.importer!(postgres.capabilities);
    const { schema } = importer.schema(texts([T, 'create unique index i on t (a) where a > 0']));
    const read = (sql: string): Statement | { readonly reason: string } => importer.statement({ sql, line: 1 }, schema, new Map());
    expect(read("insert into t (k, a, b) values (1, 1, 'x') on conflict do nothing")).toMatchObject({
      reason: expect.stringContaining('unique index i') as string,
    });
    expect(read("insert into t (k, a, b) values (1, 1, 'x') on conflict (k) do nothing")).not.toHaveProperty('reason');
  });
});

describe('what a server makes anew each time', () => {
  const T = 'create table t (k varchar(36) primary key default gen_random_uuid(), a int, made timestamp not null default now())';

  it('is a parameter of the statement, where it is left out too', () => {
    const { schema } = ON.postgres.schema(texts([T]));
    const read = (sql: string): string => {
      const statement = ON.postgres.statement({ sql, line: 1 }, schema, new Map());
      return isRefusal(statement) ? statement.reason : postgres.print(statement);
    };
    expect(read('insert into t (a) values (1), (2)')).toBe(
      'INSERT INTO "t" ("a", "k", "made") VALUES (1, :drawn_uuid_1, :drawn_now), (2, :drawn_uuid_3, :drawn_now)',
    );
    expect(read('update t set made = current_timestamp where made < now()')).toMatch(/SET "made" = :drawn_now WHERE .* < :drawn_now/);
    expect(read('insert into t (a) select a from t')).toMatch(/select a parameter for it/);
  });

  it('ON UPDATE CURRENT_TIMESTAMP sets the column where the statement does not', () => {
    const { schema } = ON.mysql.schema(texts(['create table t (k int primary key, a int, at datetime default now() on update now())']));
    const read = (sql: string): string => {
      const statement = ON.mysql.statement({ sql, line: 1 }, schema, new Map());
      return isRefusal(statement) ? statement.reason : mysql.print(statement);
    };
    expect(read('update t set a = 1 where k = 1')).toContain('`at` = :drawn_now');
    expect(read("update t set at = '2026-01-01 00:00:00' where k = 1")).not.toContain('drawn');
  });

  it('rows of the data have the same moment in every run', async () => {
    const { schema } = await imported(postgres, T, 'insert into t (a) values (1), (2)');
    expect(schema.tables[0]!.rows.map(([, , made]) => made)).toEqual(['2026-01-01 00:00:00', '2026-01-01 00:00:00']);
    expect(new Set(schema.tables[0]!.rows.map(([key]) => key)).size).toBe(2);
  });
});

describe('a generated column', () => {
  const T = 'create table t (k int primary key, double int generated always as (a * 2) stored, a int not null)';

  it.each([postgres, mysql, mariadb])('$name: is computed by the server, stands last, and nobody gives it a value', async (dialect) => {
    const importer = await dialect.importer!(dialect.capabilities);
    const { schema, refused, approximated } = importer.schema(texts([T.replace('double', 'twice'), 'insert into t (k, a) values (1, 2)']));
    expect(refused).toEqual([]);
    expect(schema.tables[0]!.columns.map(({ name }) => name)).toEqual(['k', 'a', 'twice']);
    expect(approximated).toEqual([{ line: 1, what: expect.stringContaining('shows them last') as string }]);
    const read = (sql: string): unknown => importer.statement({ sql, line: 1 }, schema, new Map());
    expect(read('update t set twice = 3')).toMatchObject({ reason: expect.stringContaining('computed by the server') as string });
    expect(read('insert into t (k, a, twice) values (2, 1, 5)')).toMatchObject({
      reason: expect.stringContaining('leave it out') as string,
    });
    expect(read('select twice from t where twice > 2')).not.toHaveProperty('reason');
  });
});

describe('all faults of a schema', () => {
  it('are told at once, each with its line, and nothing is refused for what another one took away', async () => {
    const { refused } = await imported(
      postgres,
      'create table a (\n  k int primary key,\n  place regclass,\n  during oid,\n  b int references later (k),\n  check (place is not null and b > 0)\n)',
      'create table c (k int primary key) partition by range (k)',
      'create table d (k int primary key, c_k int references c (k))',
    );
    expect(refused.map(({ line }) => line).sort((x, y) => x - y)).toEqual([2, 3, 4, 5]);
    expect(refused.map(({ reason }) => reason).sort()).toEqual([
      expect.stringMatching(/PARTITION BY/),
      expect.stringMatching(/refers to the table later/),
      expect.stringMatching(/type oid /),
      expect.stringMatching(/type regclass /),
    ]);
  });

  it('say what is missing, by which it is known that the loss of a table was told', async () => {
    const { refused } = await imported(
      postgres,
      'create table "order items" (k int primary key) partition by range (k)',
      'create table d (k int primary key, i int references "order items" (k))',
      'create index on later (k)',
    );
    expect(refused).toEqual([
      { line: 1, reason: expect.stringMatching(/PARTITION BY/) },
      { line: 3, reason: expect.stringMatching(/no table later/), missing: { code: 'no-table', name: 'later' } },
    ]);
  });

  it('the same of MySQL', async () => {
    const { refused } = await imported(
      mysql,
      'create table a (\n  k int primary key,\n  place vector(3),\n  bits bit(3),\n  n varchar,\n  half int as (k / 2),\n  m int default 0x41,\n  foreign key (n) references later (k)\n)',
    );
    expect(refused.map(({ line }) => line).sort((x, y) => x - y)).toEqual([3, 4, 5, 6, 7, 8]);
  });
});
