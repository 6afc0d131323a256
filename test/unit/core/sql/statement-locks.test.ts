/** Which tables the locking clauses of a statement reach, and what of it they do not; views resolved. */
import { beforeAll, expect, test } from 'vitest';
import { locksOf } from '../../../../core/sql/index.ts';
import { isRefusal } from '../../../../core/dialect/index.ts';
import type { Schema, StatementLocks } from '../../../../core/sql/index.ts';
import type { SqlImporter } from '../../../../core/dialect/index.ts';
import { postgres } from '../../../../dialects/index.ts';

const SCHEMA = [
  ...['a', 'b', 'c'].map((name) => `create table ${name} (id int primary key, v int)`),
  'create view simple as select id, v from a where v > 0',
  'create view twice as select id from simple',
  'create view joined as select a.id, b.v from a left join b on b.id = a.id',
  'create view summed as select sum(v) as s from a',
  'create view grouped as select v, count(*) as n from a group by v',
  'create view numbered as select id, row_number() over (order by id) as n from a',
  'create view cut as select id from a limit 3',
  'create view merged as select distinct v from a',
  'create view hidden as select d.s from (select sum(v) as s from a) d',
  'create view beside as select c.id, (select sum(v) from a) as s from c',
  'create view asked as select id from c where exists (select 1 from a where a.id = c.id)',
  'create view doubled as select id from a union all select id from b',
  'create view over_summed as select c.id, summed.s from c join summed on true',
  'create view locking as select id, v from a for update',
  'create view over_locking as select locking.id from locking',
];

let importer: SqlImporter;
let schema: Schema;
beforeAll(async () => {
  importer = await postgres.importer!();
  const imported = importer.schema(SCHEMA.map((sql, i) => ({ sql, line: i + 1 })));
  expect(imported.refused).toEqual([]);
  schema = imported.schema;
});

function locks(sql: string): StatementLocks | undefined {
  const statement = importer.statement({ sql, line: 1 }, schema, new Map());
  if (isRefusal(statement)) throw new Error(`${sql}: ${statement.reason}`);
  return locksOf(statement, (name) => schema.views?.find((view) => view.name === name)?.query);
}

/** Tables, and whether some read takes no lock, or one on some servers only. */
const REACHED: readonly (readonly [string, readonly string[], boolean])[] = [
  ['select v from a for update', ['a'], false],
  ['select v from a for share skip locked', ['a'], false],
  ['select v from a for no key update', ['a'], false],
  ['select v from a for key share', ['a'], true],
  ['select a.v from b join a on a.id = b.id for update', ['a', 'b'], false],
  ['select id from simple for update', ['a'], false],
  ['select id from twice for update', ['a'], false],
  ['select id from joined for update', ['a', 'b'], false],
  ['select v from a where id in (select id from b) for update', ['a'], true],
  ['select v, (select max(v) from b) from a for share', ['a'], true],
  ['select v from a where exists (select 1 from twice) for update', ['a'], true],
  ['select a.v from a join b on b.id = (select max(id) from c) for update', ['a', 'b'], true],
  ['select d.v from (select v from a) d for update', ['a'], true],
  ['with w as (select id from b) select a.v from a join w on w.id = a.id for update', ['a'], true],
  ['select s from summed for update', ['a'], true],
  ['select n from grouped for update', ['a'], true],
  ['select n from numbered for update', ['a'], true],
  ['select id from cut for update', ['a'], true],
  ['select v from merged for update', ['a'], true],
  ['select s from hidden for update', ['a'], true],
  ['select s from beside for update', ['c'], true],
  ['select id from asked for update', ['c'], true],
  ['select id from doubled for update', ['a', 'b'], true],
  ['select s from over_summed for update', ['a', 'c'], true],
  ['select d.v, b.v from (select id, v from a for update) d join b on b.id = d.id', ['a'], true],
  ['select d.v from (select id, v from a for update) d', ['a'], false],
  ['select e.v from (select d.v from (select v from a for share) d) e', ['a'], false],
  ['select (select v from a where id = 1 for update) from c', ['a'], true],
  ['select id from c where exists (select 1 from a for update)', ['a'], true],
  ['select id from c where id in (select id from a for update)', ['a'], true],
  ['select id from c where v > all (select v from a for update)', ['a'], true],
  ['with w as (select v from a for update) select v from w', ['a'], false],
  ['select d.v from (select v from a for update) d union all select v from b', ['a'], true],
  ['select d.v from (select v from a for update) d except select v from b', ['a'], true],
  ['select v from locking', ['a'], true],
  ['select id from over_locking', ['a'], true],
  ['select c.v from c where c.id in (select id from over_locking)', ['a'], true],
  ['insert into c (id, v) select id, v from a for update', ['a'], false],
  ['insert into c (id, v) values (9, (select max(d.v) from (select v from a for update) d))', ['a'], false],
  ['insert into c (id, v) select id, v from locking', ['a'], true],
  ['update c set v = d.v from (select id, v from a for update) d where d.id = c.id', ['a'], false],
  ['update c set v = (select v from a where id = 1 for update)', ['a'], false],
  ['update c set v = locking.v from locking where locking.id = c.id', ['a'], true],
  ['delete from c using (select id from a for update) d where d.id = c.id', ['a'], false],
  ['delete from c where id in (select id from a for update)', ['a'], false],
];
test.each(REACHED)('%s', (sql, tables, nested) => {
  expect(locks(sql)).toEqual({ tables, nested });
});

test.each([
  'select v from a',
  'select s from over_summed',
  'select id from c where id in (select id from twice)',
  'with w as (select v from a) select v from w',
  'insert into c (id, v) select id, v from a',
  'update c set v = 1',
  'delete from c',
  'savepoint s',
])('%s has no locking clause', (sql) => {
  expect(locks(sql)).toBeUndefined();
});
