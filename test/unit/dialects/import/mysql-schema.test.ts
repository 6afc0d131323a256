/** The schemas that the MySQL family's importer makes. */
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../../core/sql/index.ts';
import { mariadb, mysql, postgres, tidb } from '../../../../dialects/index.ts';
import { BANK } from './mysql-bank.ts';

const importer = await mysql.importer!();

function schemaOf(...definitions: readonly string[]): Schema {
  const { schema, refused } = importer.schema(definitions.map((sql, i) => ({ sql, line: i + 1 })));
  expect(refused).toEqual([]);
  return schema;
}

describe('schemas of users of the MySQL family', () => {
  it('has columns, keys, checks, foreign keys, indexes and rows', () => {
    const [customer, account, transfer] = importer.schema(BANK).schema.tables;
    expect(customer).toMatchObject({
      primaryKey: ['id'],
      uniques: [['email']],
      columns: [
        { name: 'id', type: { kind: 'integer' }, nullable: false },
        { type: { kind: 'varchar', length: 40 }, nullable: false },
        { nullable: true },
        { type: { kind: 'boolean' }, default: true },
        { type: { kind: 'date' } },
      ],
    });
    expect(customer!.rows[1]).toEqual([2, 'Bob', null, false, null]);
    expect(account).toMatchObject({
      columns: [
        { identity: true, nullable: false },
        {},
        { type: { kind: 'decimal', precision: 12, scale: 2 }, default: '0.00' },
        { type: { kind: 'timestamp' } },
        { type: { kind: 'text' } },
      ],
      foreignKeys: [
        { name: 'owner', columns: ['customer_id'], table: 'customer', references: ['id'], onDelete: 'cascade', onUpdate: 'no action' },
      ],
      indexes: [{ name: 'by_customer', columns: ['customer_id'] }],
    });
    expect(account!.checks).toHaveLength(1);
    expect(account!.rows[0]).toEqual([1, 1, '10.50', '2024-01-01 10:00:00', 'first']);
    expect(transfer).toMatchObject({ indexes: [{ name: 'by_target', columns: ['target'] }], foreignKeys: [{ onDelete: 'set null' }] });
    expect(transfer!.rows[2]).toEqual(['9007199254740993', 3, null, null]);
  });

  it('knows through which view the table behind it can be changed', () => {
    const { views } = schemaOf(
      'create table t (a int primary key, b int)',
      'create view v as select a, b from t where b > 1',
      'create view w (x) as select a from t',
      'create view u as select v.a from v join t on t.a = v.a',
    );
    expect(views!.map(({ name, updates }) => [name, updates])).toEqual([
      ['v', 't'],
      ['w', undefined],
      ['u', undefined],
    ]);
  });

  it('takes the types that the family writes in several ways', () => {
    const [table] = schemaOf(
      "create table if not exists `t` (a tinyint(1), b bool, c int(11), d integer, e bigint(20), f smallint, g mediumint, h numeric(5), i dec(7, 3), j text, k datetime(0), l varchar(9) character set utf8mb4 collate utf8mb4_bin comment 'x', `key` int, m tinyint)",
    ).tables;
    expect(table!.columns.map(({ type }) => type.kind)).toEqual([
      'boolean',
      'boolean',
      'integer',
      'integer',
      'bigint',
      'integer',
      'integer',
      'decimal',
      'decimal',
      'text',
      'timestamp',
      'varchar',
      'integer',
      'integer',
    ]);
  });

  it('keeps a text with the default NULL a text of any length', () => {
    const schema = schemaOf(
      'create table t (id int primary key, body text default null, other text)',
      `insert into t (id, body) values (1, '${'x'.repeat(500)}')`,
    );
    const create = mysql.namespaceScript('n', schema).find(({ name }) => name === '`t`')?.sql;
    expect(create).toContain('`body` text default NULL');
    expect(create).toContain('`other` text,');
  });

  it('takes one name for the indexes of several tables, and makes them apart, so that every DBMS takes them', () => {
    const schema = schemaOf(
      'create table t (a int primary key, user_id int, key user_id (user_id), key s (a))',
      'create table s (a int primary key, user_id int, key USER_ID (user_id), key t (a))',
      'create table u_user_id (a int)',
      'create table u (a int, user_id int)',
      'create index user_id on u (user_id)',
      'create index v on u (a)',
      'create view v as select a from u',
    );
    expect(schema.tables.map(({ indexes }) => indexes.map(({ name }) => name))).toEqual([
      ['user_id', 't_s'],
      ['s_USER_ID', 's_t'],
      [],
      ['u_user_id_2', 'u_v'],
    ]);
    for (const dialect of [mysql, postgres]) {
      const indexes = dialect.namespaceScript('n', schema).flatMap(({ sql }) => /(?:add|create) index [`"]?(\w+)/.exec(sql)?.[1] ?? []);
      expect(indexes).toEqual(['user_id', 't_s', 's_USER_ID', 's_t', 'u_user_id_2', 'u_v']);
    }
    expect(importer.schema([{ sql: 'create table t (a int, b int, key x (a), key X (b))', line: 1 }]).refused).toMatchObject([
      { reason: 'there are two indexes X' },
    ]);
  });

  it('takes a DEFAULT with other words behind it', () => {
    const [table] = schemaOf(
      `create table t (a int default 0 not null, b int default -1 not null comment 'x', c varchar(9) default 'y' collate utf8mb4_bin not null, d int default (7) not null, e int default null unique, f boolean default true not null)`,
    ).tables;
    expect(table!.columns.map(({ nullable, default: value }) => [nullable, value])).toEqual([
      [false, 0],
      [false, -1],
      [false, 'y'],
      [false, 7],
      [true, null],
      [false, true],
    ]);
  });

  it('adds constraints and indexes later', () => {
    const [, table] = schemaOf(
      'create table p (id int primary key)',
      'create table t (a int, b int not null, c int)',
      'alter table t add primary key (a), add unique key u (b), add constraint f foreign key (c) references p (id) on delete restrict, add index (b, c), add check (a > b)',
      'create unique index w on t (a, b)',
    ).tables;
    expect(table).toMatchObject({
      primaryKey: ['a'],
      uniques: [['b'], ['a', 'b']],
      foreignKeys: [{ name: 'f', onDelete: 'no action' }],
      indexes: [{ columns: ['b', 'c'] }],
      checks: [{}],
    });
  });

  it('is printed for every member of the family', () => {
    const { schema } = importer.schema(BANK);
    for (const dialect of [mysql, mariadb, tidb])
      expect(dialect.namespaceScript('bank', schema).filter(({ makes }) => makes === 'table')).toHaveLength(3);
  });
});
