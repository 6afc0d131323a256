/** What the MySQL family's importer refuses, each for a reason that says what to do. */
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../core/dialect/index.ts';
import { mariadb, mysql, tidb } from '../../../../dialects/index.ts';
import { lostWord } from '../../../../dialects/mysql-family/import/index.ts';
import { BANK, PARAMETERS } from './mysql-bank.ts';

const importer = await mysql.importer!();
const { schema } = importer.schema(BANK);

const REFUSED: readonly (readonly [sql: string, reason: RegExp])[] = [
  ['select id || name from customer', /\|\| is OR in this sql_mode/],
  ['select id from customer where id = 1 && active', /&& is not supported: write AND/],
  ['select id / 2 from account', /\/ gives a fraction whose digits depend on the server/],
  ['select id div 2 from account', /DIV is not supported: servers round differently; c/],
  ['select id from account where id <=> 1', /<=> is not supported: write \(a = b OR \(a IS NULL AND b IS NUL/],
  ['select id from account where id = 1 xor id = 2', /XOR is not supported: write it with AND, OR and NOT/],
  ['select @x, id from account', /@ names a variable of the session or the server/],
  ['select @@version from account', /@ names a variable of the session or the server/],
  ['select id from account where id = ?', /\? is a placeholder of a driver/],
  ['select rand() from account', /RAND\(\) differs at each call, so a replay wo/],
  ['insert into transfer (id) values (last_insert_id())', /LAST_INSERT_ID\(\) reads the state of the session/],
  ['select length(name) from customer', /LENGTH\(\) counts bytes/],
  ['select group_concat(name) from customer', /GROUP_CONCAT\(\) concatenates texts in an unspecified order/],
  ['select count(distinct id, name) from customer', /COUNT of several expressions is not supported/],
  ['select 1', /the statement ends where FROM is expected/],
  ['select 1 from dual', /FROM DUAL is not supported/],
  ['select id from account limit 2, 3', /LIMIT with an offset is not supported/],
  ['select id from account limit 3 offset 2', /LIMIT with an offset is not supported/],
  ['select id from account limit :id', /found a parameter after LIMIT where a number is expected/],
  ['select id from account a straight_join customer c on a.id = c.id', /STRAIGHT_JOIN is not supported: the order of the ta/],
  ['select a.id from account a right join customer c on a.id = c.id', /RIGHT JOIN is not supported: write LEFT JOIN with the tables t/],
  ['select a.id from account a join customer c', /the statement ends where ON or USING is expected/],
  ['select id from test.account', /test\. names the database of a table: the tool/],
  ['select id from account use index (x)', /USE after the table account/],
  ['select id from account order by id limit 1 for update of account', /a locking clause OF some tables is not supported/],
  ['select id into @v from account', /SELECT \.\.\. INTO a variable or a file is not supported: name a parameter, INTO :name/],
  ['select sql_calc_found_rows id from account', /SQL_CALC_FOUND_ROWS is not supported: it is a hint/],
  ['select /*+ no_index_merge(account) */ id from account', /\/\*\+ \.\.\. \*\/ is a hint to the optimizer, which would be lost/],
  ['select /*! straight_join */ id from account', /\/\*! \.\.\. \*\/ is a comment for some servers and SQL for others/],
  ['select id from account where id = 1 = true', /= after another comparison/],
  ['select id from account where id in (select id from customer) = 1', /= after another comparison/],
  ['select id from account where balance is true', /found "true" after IS/],
  ['select id from account where (id, balance) = (1, 2)', /a row of several values is not supported/],
  [`select id from account where note like concat('a', 'b')`, /found "concat" after LIKE/],
  [`select id from account where note like 'a|%' escape '|'`, /LIKE \.\.\. ESCAPE/],
  [`select id from account where note regexp 'a'`, /REGEXP is not supported: patterns differ between servers; use LIKE/],
  ['select 1e3 from account', /1e3 is neither a whole nor a decimal number/],
  ['select 0x41 from account', /0x41 is neither a whole nor a decimal number/],
  [`select _utf8mb4'x' from account`, /_utf8mb4'\.\.\.' is a literal of another character se/],
  ['select binary name from customer', /found "binary" where the name of a column is expected/],
  ['select cast(id as char(3)) from account', /CAST to this type is not supported/],
  ['select cast(id as unsigned) from account', /CAST to this type is not supported/],
  ['select convert(id, signed) from account', /CONVERT\(\) is not supported/],
  [
    'select sum(balance) over (order by id rows between 1 preceding and current row) from account',
    /a frame in OVER \(\.\.\.\) is not supported/,
  ],
  [
    'select id from account union select id from customer order by id',
    /ORDER BY, LIMIT or a locking clause of a set operation is not supported/,
  ],
  ['select id from (select id from account for update) x', /a locking clause inside a subquery, a set operatio/],
  ['select id from account having id > 1', /HAVING without GROUP BY and without an aggregate is not supported/],
  ['select ID from nowhere', /there is no table nowhere in the schema/],
  ['select nothing from account', /there is no column nothing in the tables that the/],
  ['select id from account where id = :unknown', /the parameter/],
  [
    `select id from customer where since + interval 1 day > '2024-01-01'`,
    /an interval is added to a date, which is a timestamp on some servers/,
  ],
  [`select id from account where opened = '2024-13-01'`, /'2024-13-01' is no day of the calendar/],
  ['update account set balance = 1 order by id limit 1', /UPDATE \.\.\. ORDER BY/],
  ['update account set balance = 1 limit 1', /UPDATE \.\.\. LIMIT/],
  ['update ignore account set balance = 1', /UPDATE IGNORE skips rows that fail/],
  ['update account a left join customer c on c.id = a.customer_id set a.balance = 0', /the table a changes and is joined by LEFT JOIN, US/],
  [
    `update account a join customer c on c.id = a.customer_id set a.balance = 0, c.name = 'x'`,
    /c\.name is set in a statement that changes a/,
  ],
  ['update account a join customer c on c.id = a.customer_id set balance = 0', /balance is set in an UPDATE of several tables/],
  ['update account set id = 5', /the column id of account is numbered by the server/],
  ['delete from account order by id limit 1', /DELETE \.\.\. ORDER BY/],
  ['delete a, c from account a join customer c on c.id = a.customer_id', /DELETE of the rows of several tables is not supported/],
  ['delete quick from account', /QUICK is not supported: it is a hint to the server/],
  ['with x as (select id from account) delete from account where id in (select id from x)', /WITH before DELETE is not supported/],
  ['insert into account (id, customer_id) values (7, 1)', /the column id is numbered by the server: leave it out of INSERT$/],
  ['insert into account (id, customer_id) values (default, 1)', /the column id is numbered by the server: leave it out of INSERT$/],
  [
    `insert into customer (id, email) values (1, 'x') on duplicate key update name = 'y'`,
    /customer has several keys that the inserted row could meet/,
  ],
  [`insert into customer values (1, 'x')`, /INSERT into customer gives 2 values and the table/],
  ['insert into customer () values ()', /INSERT without a column/],
  ['insert low_priority into customer (id) values (1)', /LOW_PRIORITY is not supported: it is a hint to the server/],
  [
    'insert ignore into transfer (id) values (1) on duplicate key update amount = 1',
    /INSERT IGNORE \.\.\. ON DUPLICATE KEY UPDATE is not supported/,
  ],
  ['insert into transfer (id) values (1) returning id', /INSERT \.\.\. RETURNING/],
  ['create table x (id int)', /CREATE: it commits the transaction implicitly:/],
  ['truncate table account', /TRUNCATE: it commits the transaction implicitly/],
  ['begin', /BEGIN: the directives of the file say where a transaction begins/],
  ['commit', /COMMIT: the directives of the file say where a transaction begins/],
  ['savepoint caf\u00e9', /the savepoint caf\u00e9: .*letters of ASCII/],
  ['rollback', /ROLLBACK: the directives of the file say where a transaction begins/],
  ['set @a = 1', /SET: it changes or reads the state of the session/],
  ['lock tables account write', /LOCK: it commits the transaction implicitly/],
  ['call p()', /CALL: the tool does not see the statements of a procedure: writ/],
  [`load data infile 'x' into table account`, /LOAD: it reads a file/],
  ['select id from account where id = 1; delete from account', /found ";" where the statement should end: what follows/],
  ['select id from account where (id = 1', /a parenthesis \( is not closed/],
  [`select 'abc from account`, /a string is not closed/],
  ['select id from account where exists', /the statement ends after EXISTS where \(SELECT \.\.\.\)/],
  ['select id from account where active = default', /DEFAULT inside an expression is not supported/],
  ['select * from account a, account a', /the name a appears twice in one FROM/],
  ['select id as iso_rid from account', /the alias iso_rid has a name that the tool itself adds/],
  [`select id from customer where active = 'true'`, /write TRUE or FALSE/],
];

const DEFINITIONS: readonly (readonly [sql: string, reason: RegExp])[] = [
  ['create table x (a varchar)', /without a length/],
  ['create table x (a int default (1 + 1))', /no literal/],
  ['create table x (a int references customer (id))', /FOREIGN KEY/],
  ['create table x (a int, foreign key (a) references customer (id) on delete set default)', /SET DEFAULT/],
  ['create table x (a int) partition by hash (a)', /partitions/],
  [`create table x (id int, a text default 'x')`, /the column a is TEXT and has a DEFAULT.*VARCHAR/],
  ['create table x (a text primary key)', /the column a of x is TEXT and part of a key.*VARCHAR/],
  ['create table x (a text unique)', /TEXT and part of a key/],
  ['create table x (a text, key (a))', /TEXT and part of a key/],
  ['create index x on account (note)', /the column note of account is TEXT and part of a key/],
  ['create temporary table x (a int)', /leave TEMPORARY out/],
  ['create table x like customer', /its columns are expected/],
  ['create table x as select * from customer', /its columns are expected/],
  ['create table test.x (a int)', /database/],
  ['create or replace view v as select id from customer', /write CREATE VIEW/],
  ['create view v as select id from customer with check option', /CHECK OPTION/],
  ['create view v as select count(*) from customer', /give it one with AS/],
  ['create procedure pr() begin end', /PROCEDURE: it is not supported/],
  ['create procedure p() select 1', /PROCEDURE/],
  ['alter table customer add column x int', /CREATE TABLE/],
  ['insert into transfer (id) select id from account', /INSERT ... VALUES with literals/],
  ['insert into account (id, customer_id) values (9, 1)', /numbered by the server/],
  ['insert into transfer values (:id, 1, 1, 1)', /parameters are for transactions/],
];

describe('statements that cannot be carried over', () => {
  it.each(REFUSED)('%s', (sql, reason) => {
    const answer = importer.statement({ sql, line: 7 }, schema, PARAMETERS);
    expect(isRefusal(answer) ? answer : sql).toMatchObject({ line: 7, reason: expect.stringMatching(reason) as string });
  });

  it.each(DEFINITIONS)('%s', (sql, reason) => {
    const { refused } = importer.schema([...BANK, { sql, line: 99 }]);
    expect(refused).toEqual([{ line: 99, reason: expect.stringMatching(reason) as string }]);
  });

  it('misses words of the original that are not printed', () => {
    expect(lostWord('select a from t for update skip locked', 'SELECT `t`.`a` AS `a` FROM `t` AS `t` FOR UPDATE')).toBe('LOCKED');
    expect(lostWord('select a from t for update', 'SELECT `t`.`a` AS `a` FROM `t` AS `t`')).toBe('UPDATE');
    expect(lostWord('select a from t natural join s', 'SELECT `t`.`a` AS `a` FROM (`t` AS `t` CROSS JOIN `s` AS `s`)')).toBe('NATURAL');
    expect(
      lostWord(
        `select a from t where b = 'x' or b = 'x'`,
        "SELECT `t`.`a` AS `a` FROM `t` AS `t` WHERE ((`t`.`b` = 'x') OR (`t`.`b` = 'y'))",
      ),
    ).toBe("'x'");
    expect(
      lostWord(
        'select a from t union all select a from s',
        '(SELECT `t`.`a` AS `a` FROM `t` AS `t`) UNION (SELECT `s`.`a` AS `a` FROM `s` AS `s`)',
      ),
    ).toBe('ALL');
    expect(
      lostWord(
        `select count, share, t.order 'x' from t`,
        'SELECT `t`.`count` AS `count`, `t`.`share` AS `share`, `t`.`order` AS `x` FROM `t` AS `t`',
      ),
    ).toBeUndefined();
  });

  it("says which of a statement's lines it is about", () => {
    const answer = importer.statement({ sql: 'select id\nfrom account\nwhere id = @x', line: 3 }, schema, PARAMETERS);
    expect(answer).toMatchObject({ line: 5 });
  });

  it('refuses what one member of the family lacks', async () => {
    const reasonOf = async (dialect: typeof mysql, sql: string): Promise<string> => {
      const answer = (await dialect.importer!()).statement({ sql, line: 1 }, schema, PARAMETERS);
      return isRefusal(answer) ? answer.reason : dialect.print(answer);
    };
    expect(await reasonOf(mysql, 'insert into transfer (id) values (1) returning id')).toBe('INSERT ... RETURNING: MySQL does not have it');
    expect(await reasonOf(mariadb, 'insert into transfer (id) values (1) returning id')).toMatch(/RETURNING `transfer`.`id` AS `id`$/);
    expect(await reasonOf(mariadb, 'update transfer set target = 1 returning id')).toMatch(/MariaDB does not have it/);
    expect(
      await reasonOf(mariadb, 'select x.id from customer c join lateral (select id from account where customer_id = c.id) x on true'),
    ).toMatch(/LATERAL/);
    expect(
      await reasonOf(mysql, 'select x.id from customer c join lateral (select id from account where customer_id = c.id) x on true'),
    ).toMatch(/LATERAL \(SELECT/);
    expect(await reasonOf(tidb, 'select id from account for share')).toMatch(/TiDB does not lock/);
    expect(await reasonOf(tidb, 'select id from account for update skip locked')).toMatch(/TiDB does not have it/);
    expect(await reasonOf(tidb, 'update rich set balance = 1')).toMatch(/tables only/);
    expect(await reasonOf(mariadb, 'select id from account for update skip locked')).toMatch(/SKIP LOCKED/);
  });
});
