/** UNIQUE ... USING HASH: MariaDB makes an index over a hash of the values, MySQL a B-tree. Any other key with it is a B-tree. */
import { expect, it } from 'vitest';
import type { Table } from '../../../../core/sql/index.ts';
import type { SqlImporter } from '../../../../core/dialect/index.ts';
import { mariadb, mysql } from '../../../../dialects/index.ts';

type SchemaImport = ReturnType<SqlImporter['schema']>;

const importers = { mariadb: await mariadb.importer!(), mysql: await mysql.importer!() };

function imported(name: keyof typeof importers, ...definitions: readonly string[]): SchemaImport {
  return importers[name].schema(definitions.map((sql, i) => ({ sql, line: i + 1 })));
}

function tableOf({ schema, refused }: SchemaImport): Table {
  expect(refused).toEqual([]);
  return schema.tables[0]!;
}

const COLUMNS = 'k int primary key, a int, b int';

const HASHED: readonly (readonly [string, readonly string[], readonly (readonly string[])[]])[] = [
  ['before the columns', [`create table t (${COLUMNS}, unique using hash (a))`], [['a']]],
  ['behind the columns', [`create table t (${COLUMNS}, unique key n (a) using hash)`], [['a']]],
  ['of a constraint', [`create table t (${COLUMNS}, constraint c unique index n using hash (b, a))`], [['b', 'a']]],
  ['of an index, before its table', [`create table t (${COLUMNS})`, 'create unique index n using hash on t (a)'], [['a']]],
  ['of an index, behind its columns', [`create table t (${COLUMNS})`, 'create unique index n on t (a) using hash comment "c"'], [['a']]],
  ['of a change', [`create table t (${COLUMNS})`, 'alter table t add unique n using hash (a)'], [['a']]],
  ['two', [`create table t (${COLUMNS}, unique using hash (a), unique (b) using hash, unique (a, b))`], [['a'], ['b']]],
];

it.each(HASHED)('%s is kept on MariaDB, and left out on MySQL with a word', (_, sql, hashed) => {
  const made = imported('mariadb', ...sql);
  expect(made.approximated).toEqual([]);
  expect(tableOf(made).hashed).toEqual(hashed);
  expect(tableOf(made).uniques).toEqual(expect.arrayContaining([...hashed]));

  const plain = imported('mysql', ...sql);
  expect(tableOf(plain).hashed).toBeUndefined();
  expect(tableOf(plain).uniques).toEqual(tableOf(made).uniques);
  expect(plain.approximated.map(({ what }) => what)).toContain('USING HASH is left out: the server makes a B-tree of this key');
});

it.each([
  ['a plain key', 'create table t (k int primary key, a int, key (a) using hash)'],
  ['a primary key', 'create table t (k int, a int, primary key using hash (k))'],
  ['a key over first characters', 'create table t (k int primary key, a varchar(20), unique (a(3)) using hash)'],
])('%s is a B-tree on both, which is said', (_, sql) => {
  for (const name of ['mariadb', 'mysql'] as const) {
    const made = imported(name, sql);
    expect(tableOf(made).hashed).toBeUndefined();
    expect(made.approximated.map(({ what }) => what)).toEqual(['USING HASH is left out: the server makes a B-tree of this key']);
  }
});

it('is made by the last statement of its table, since MariaDB makes a B-tree of it when the table is altered later', () => {
  const { schema } = imported(
    'mariadb',
    `create table t (k int auto_increment primary key, a int, b int, unique using hash (a), unique (b), unique using hash (b, a), unique (a, k), key (a desc))`,
    'create table u (k int primary key, a int, foreign key (k) references t (k))',
    'insert into t (k, a, b) values (7, 1, 2)',
  );
  const made = mariadb.createNamespace('n', schema);
  const ofT = made.filter((sql) => /`n`\.`t`/.test(sql) && !/`n`\.`u`/.test(sql));
  expect(ofT.filter((sql) => /hash/i.test(sql))).toEqual([
    'ALTER TABLE `n`.`t` ADD UNIQUE INDEX `t_unique_1` USING HASH (`a`), ADD UNIQUE INDEX `t_unique_3` USING HASH (`b`, `a`)',
  ]);
  expect(ofT.at(-1)).toMatch(/USING HASH/);
  expect(ofT.filter((sql) => /add unique `t_unique_[24]`/.test(sql))).toHaveLength(2);

  // The printed schema is read again as the same schema.
  const again = imported(
    'mariadb',
    ...mariadb
      .namespaceScript('n', { tables: [schema.tables[0]!] })
      .slice(3)
      .map(({ sql }) => sql),
  );
  const { uniques, hashed } = tableOf(again);
  expect(new Set(uniques)).toEqual(new Set(schema.tables[0]!.uniques));
  expect(hashed).toEqual(schema.tables[0]!.hashed);
});
