/** The schema that the tests of the MySQL family's importer share, as a user would write it, and what its parameters are. */
import type { TypeKind } from '../../../../core/sql/index.ts';
import type { SqlText } from '../../../../core/dialect/index.ts';

const DDL = [
  `CREATE TABLE customer (
     id INT PRIMARY KEY,
     name VARCHAR(40) NOT NULL,
     email VARCHAR(80) UNIQUE,
     active BOOLEAN NOT NULL DEFAULT TRUE,
     since DATE
   ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='who owns accounts'`,
  `create table account (
     id int(11) not null auto_increment, customer_id int not null, balance decimal(12,2) not null default 0, opened datetime, note text,
     primary key (id), key by_customer (customer_id) using btree,
     constraint owner foreign key (customer_id) references customer (id) on delete cascade, check (balance >= 0))`,
  'CREATE TABLE `transfer` (`id` bigint NOT NULL, `source` int, `target` int, `amount` decimal(12,2), PRIMARY KEY (`id`), FOREIGN KEY (`source`) REFERENCES `account` (`id`) ON DELETE SET NULL)',
  'create index by_target on transfer (target)',
  'create view rich as select id, balance from account where balance > 100',
  `insert into customer values (1, 'Ann', 'ann@x', true, '2024-01-01'), (2, 'Bob', null, 0, null), (3, 'Cy', 'b%', 1, '2024-02-29')`,
  `insert into account (customer_id, balance, opened, note) values (1, 10.50, '2024-01-01 10:00:00', 'first'), (1, 200, null, null), (2, 3.25, '2024-03-01', 'it''s'), (3, 0, null, 'A')`,
  'insert into transfer values (1, 1, 2, 5), (2, 2, 3, 7.5), (9007199254740993, 3, null, null)',
];

export const BANK: readonly SqlText[] = DDL.map((sql, i) => ({ sql, line: i + 1 }));

export const PARAMETERS: ReadonlyMap<string, TypeKind> = new Map<string, TypeKind>([
  ['id', 'integer'],
  ['amount', 'decimal'],
  ['name', 'varchar'],
  ['day', 'date'],
]);

/** Values for them, as text of SQL. */
export const VALUES: readonly (readonly [string, string])[] = [
  [':id', '2'],
  [':amount', '3.25'],
  [':name', `'Di'`],
  [':day', `DATE '2024-05-01'`],
];
