/** What PostgreSQL's importer refuses in a transaction: each with its own reason and what to write instead, and with its line. */
import { beforeAll, describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../core/index.ts';
import { bank, type Bank } from './postgres-bank.ts';

const REFUSED: readonly (readonly [written: string, reason: string])[] = [
  ['select 1', 'a SELECT without FROM is not supported: it reads no table; write the value where it is needed, or select it from a table'],
  ['select * from nowhere', 'there is no table nowhere in the schema: it has customer, orders, item, link, active_customer, totals'],
  ['select colour from customer', 'there is no column colour in the tables that the statement names there'],
  [
    'select id from customer c, orders o',
    'the column id is ambiguous: write the alias of the table that is meant in front of it, or give the columns names of their own',
  ],
  ['select customer.id from customer c', 'customer.id: no table or alias customer is in scope there'],
  [
    'select random() from customer',
    'the function random() is not supported: its value differs at each call: pass the value as a parameter',
  ],
  ['select random() from orders', 'the function random() is not supported: its value differs at each call: pass the value as a parameter'],
  ['select * from customer limit :n', 'LIMIT takes a number written out: a parameter or an expression is not supported there'],
  ['select * from customer offset 3', 'OFFSET is not supported: select by a key instead'],
  [
    'select * from customer where name like :name',
    'LIKE takes a pattern written as a string, without ESCAPE: compare with = or with right(), or write the pattern out',
  ],
  [`select * from customer where name ilike 'a%'`, 'ILIKE is not supported: use lower(column) LIKE'],
  [
    'select * from other.customer',
    'names with a schema are not supported: the tool creates a schema of its own, so leave the qualifier out',
  ],
  ['select public.customer.id from customer', 'the column public.customer.id is not supported: write it as table.column'],
  [
    'select total / 2 from orders',
    'the operator / is not supported: what it gives for whole numbers differs between servers; multiply, or compute the quotient outside',
  ],
  [
    'select array_agg(id) from orders',
    'the function array_agg() is not supported: these are: count, sum, min, max, avg, row_number, rank, abs, lower, upper, length, char_length, character_length, mod, right, coalesce, nullif',
  ],
  [
    `select string_agg(name, ',' order by name) from customer`,
    'the function string_agg() is not supported: these are: count, sum, min, max, avg, row_number, rank, abs, lower, upper, length, char_length, character_length, mod, right, coalesce, nullif',
  ],
  [
    'select * from customer c right join orders o on c.id = o.customer_id',
    'RIGHT and FULL joins are not supported: write a LEFT join, the other way round',
  ],
  ['select * from customer full join orders on true', 'RIGHT and FULL joins are not supported: write a LEFT join, the other way round'],
  ['select distinct on (status) * from orders', 'DISTINCT ON is not supported: use GROUP BY, or row_number() in a derived table'],
  [
    'select * from customer c join orders o on c.id = o.customer_id for update of c',
    'FOR UPDATE OF some of the tables is not supported: lock all of them, or select the others in a query of their own',
  ],
  ['select * from generate_series(1, 3)', 'a function in FROM is not supported: use a table'],
  ['select sum(total) over w from orders window w as (partition by status)', 'a named window is not supported: write it in OVER ()'],
  [
    'select sum(total) over (order by id rows between 1 preceding and current row) from orders',
    'a frame (ROWS, RANGE, GROUPS) is not supported: leave it out, PARTITION BY and ORDER BY are supported',
  ],
  ['select * from orders order by total nulls last', 'NULLS FIRST and NULLS LAST are not supported: order by (column IS NULL) first'],
  [
    'select cast(total as numeric(5,2)) from orders',
    'a cast to a type with a length or scale cuts or rounds, so it is not supported: leave out what is in parentheses',
  ],
  [
    'select total::smallint from orders',
    "a cast to smallint is not supported: cast to integer, bigint, numeric, text, boolean, date, timestamp, uuid, json, or a type of the file's own",
  ],
  ['select * from orders where (id, seq) = (1, 2)', 'a row of several values is not supported: compare or set the columns one by one'],
  [`update orders set (total, status) = (1, 'x')`, 'SET (a, b) = ... is not supported: set the columns one by one'],
  [
    'update totals set amount = 1',
    'UPDATE totals: it is no view of one table with some of its columns as they are, so name the table itself',
  ],
  [`insert into totals values ('x', 1)`, 'INSERT into the view totals: name the table behind it instead'],
  [`insert into orders values (5, 1, '2024-01-01')`, 'the column id is numbered by the server: leave it out of INSERT, or write DEFAULT'],
  [`insert into customer (id, nam) values (1, 'x')`, 'there is no column nam in customer: it has id, name, email, active, since, credit'],
  ['insert into customer (id, name) values (1)', 'INSERT into customer gives 1 values for 2 columns'],
  ['insert into customer default values', 'INSERT ... DEFAULT VALUES is not supported: list the columns, with DEFAULT as their value'],
  [
    `insert into customer (id, name) values (1, 'x') on conflict (name) do nothing`,
    'ON CONFLICT (name): customer has no primary key or UNIQUE of these columns',
  ],
  [
    `insert into customer (id, name) values (1, 'x') on conflict on constraint customer_pkey do nothing`,
    'ON CONFLICT ON CONSTRAINT is not supported: name the columns of the key, ON CONFLICT (...)',
  ],
  [
    `insert into customer (id, name) values (1, 'x') on conflict (id) do update set name = name`,
    'the column name is ambiguous: the existing row and the one that is inserted both have it: write customer. or EXCLUDED. in front of it',
  ],
  [
    'select n from (with x as (delete from orders returning *) select count(*) as n from x) y',
    'WITH x: a part that writes is supported only in front of the whole statement; make it a statement of its own',
  ],
  [
    'with x as (delete from link returning line), y as (select id from orders) select id from y',
    'WITH y: a query in the WITH of which another part writes is not supported; write it as a subquery',
  ],
  [
    'with recursive x as (delete from link returning line) select line from x',
    'WITH RECURSIVE of which a part writes is not supported: leave RECURSIVE out',
  ],
  ['with x as (delete from link) select line from x', 'there is no column line in the tables that the statement names there'],
  [
    'with x as (delete from orders returning *) merge into customer using x on x.id = customer.id when matched then delete',
    'MERGE behind a WITH that writes is not supported: make each a statement of its own',
  ],
  [
    'with x as (merge into customer using orders o on o.id = customer.id when matched then delete returning o.id) select * from x',
    'WITH x: MERGE in a WITH is not supported; make it a statement of its own',
  ],
  [
    `with x as (insert into customer (id, name) values (1, 'x') on conflict do nothing returning id) select id from x`,
    'ON CONFLICT in a WITH that writes is not supported: make the INSERT a statement of its own',
  ],
  [
    'with x as (delete from link) update active_customer set credit = 0',
    'UPDATE of the view active_customer in a WITH that writes is not supported: name the table behind it',
  ],
  [
    'with x as (select id from orders) update customer set credit = 0 from x where x.id = customer.id',
    'WITH in front of UPDATE is not supported: write the query as a subquery in FROM',
  ],
  [
    'merge into customer using orders o join item i on i.order_id = o.id on o.id = customer.id when matched then delete',
    'MERGE ... USING a join is not supported: write the join as a subquery with an alias',
  ],
  [
    'with x as (select 1 from orders) merge into customer using x on true when matched then delete',
    'WITH in front of MERGE is not supported: write the query as a subquery in USING',
  ],
  [
    'merge into orders using customer c on c.id = orders.id when not matched then insert (id) values (c.id)',
    'the column id is numbered by the server: leave it out of INSERT, or write DEFAULT',
  ],
  [
    'merge into orders using customer c on c.id = orders.id when not matched then insert (note) values (orders.note)',
    'orders.note: no table or alias orders is in scope there',
  ],
  [
    'merge into orders using customer c on c.id = orders.id when not matched by source then update set note = c.name',
    'c.name: no table or alias c is in scope there',
  ],
  [
    'merge into customer using customer on true when matched then delete',
    'the name customer means two tables: give the one in USING an alias',
  ],
  [
    'merge into orders using customer c on c.id = orders.id when not matched then insert default values',
    'INSERT DEFAULT VALUES is not supported: list the columns, with DEFAULT as their value',
  ],
  ['truncate orders', 'TRUNCATE is not supported: it removes rows without naming them; use DELETE'],
  [
    'lock table orders, item in share mode',
    'LOCK TABLE of several tables is not supported: write a LOCK TABLE for each, in the same order',
  ],
  ['lock table orders nowait', 'LOCK TABLE ... NOWAIT is not supported: leave NOWAIT out'],
  ['lock table only orders', 'ONLY is not supported: there is no inheritance here, so leave it out'],
  ['lock table totals in share mode', 'LOCK TABLE of the view totals is not supported: lock its tables by name'],
  [
    'set transaction isolation level serializable',
    'SET is not supported: the isolation level is an option of the run, and the rest stays as the server has it',
  ],
  ['begin', 'BEGIN, COMMIT and ROLLBACK are not supported: the tool begins and ends the transaction, at the level of the run'],
  ['commit', 'BEGIN, COMMIT and ROLLBACK are not supported: the tool begins and ends the transaction, at the level of the run'],
  ['select * from orders; select * from customer', 'there are several statements where one is expected: end each with a semicolon'],
  ['create table x (a int)', 'CREATE TABLE is supported in the schema only: write it there'],
  ['copy orders from stdin', 'COPY is not supported: write the initial rows as INSERT ... VALUES'],
  ['grant select on orders to x', 'GRANT and REVOKE are not supported: the tool runs everything as one user'],
  ['call f()', 'CALL is not supported: write the statements of the procedure into the transaction'],
  ['do $$ begin end $$', 'DO is not supported: write its statements into the transaction'],
  ['select * from customer where id = $1', 'the parameter $1: name it, as in :amount, and declare it with its type'],
  ['select * from customer where id = :unknown', 'the parameter :unknown is not declared: declare it with its type'],
  [`select * from customer where since = '1.1.2024'`, `'1.1.2024' is no value of type date: write it as YYYY-MM-DD`],
  [`select * from customer where since = '2024-02-30'`, `'2024-02-30' is no day of the calendar`],
  ['selec * from customer', 'PostgreSQL cannot read it: syntax error at or near "selec"'],
  ['select * from customer where id = 1e3', 'the number 1e3 is not supported: write it as digits with a decimal point'],
  ['select greatest(total, 1) from orders', 'GREATEST and LEAST are not supported: use CASE'],
  [
    `select nextval('x') from orders`,
    'the function nextval() is not supported: sequences are not supported: use a column GENERATED BY DEFAULT AS IDENTITY, or a parameter',
  ],
  [`select * from customer where name = 'a' collate "C"`, 'COLLATE is not supported: leave it out'],
  ['select id as iso_rid from customer', 'the alias iso_rid has a name that the tool itself adds: give it another'],
  [
    'select * from customer where a is distinct from b',
    'IS DISTINCT FROM is not supported: write (a <> b OR (a IS NULL) <> (b IS NULL)) or use coalesce()',
  ],
  [
    'select extract(year from since) from customer',
    'functions with words between their arguments (EXTRACT, POSITION, TRIM, ...) are not supported: compare the column itself, or pass the value as a parameter',
  ],
  ['select (select id, name from customer) from orders', 'a subquery gives 2 columns where one value is expected: select one column'],
  [
    'select id from customer union select id, customer_id from orders',
    'the sides of a set operation have 1 and 2 columns: they must be of one width',
  ],
  ['select * from customer where not_a.id = 1', 'not_a.id: no table or alias not_a is in scope there'],
  ['delete from customer where current of c', 'WHERE CURRENT OF is not supported: name the row by its key'],
  ['values (1, 2)', 'VALUES is supported in INSERT only: put the rows into a table'],
  [`select '1' + id from customer`, `the string '1' is an operand of +: write a number`],
  [
    'select id from (select id, id from customer) x',
    'the column id is ambiguous: write the alias of the table that is meant in front of it, or give the columns names of their own',
  ],
  // A part that is not understood is never left out of an interval.
  ...['2 hours ago', '1.5 hours', 'P1D', '1 day 2', '', '2 hours and 5'].map(
    (text) =>
      [
        `select id from orders where placed > placed + interval '${text}'`,
        `the interval '${text}' is not supported: expected whole weeks, days, hours, minutes and seconds, such as '2 hours' or '1 day 02:30'`,
      ] as const,
  ),
  [
    "select id from orders where placed > placed + interval '2 fortnights'",
    "the interval '2 fortnights' is not supported: fortnights has no one length; expected whole weeks, days, hours, minutes and seconds, such as '2 hours' or '1 day 02:30'",
  ],
  ['select * from customer tablesample system (10)', 'RangeTableSample in FROM is not supported'],
  ['explain select * from customer', 'EXPLAIN is not supported: write the query itself'],
  [
    'select count(distinct id) over () from customer',
    'it cannot be printed: count(DISTINCT ...) OVER: PostgreSQL has no such window function',
  ],
  ['select * from only customer', 'ONLY is not supported: there is no inheritance here, so leave it out'],
  ['select * from customer c join orders c on true', 'the name c appears twice in one FROM: give each its own alias'],
  [
    'select * from customer where name = 5',
    'the operands are text and numbers, but must be of one type: make them the same type with CAST',
  ],
  [
    'select * from customer where id = name',
    'the operands are numbers and text, but must be of one type: make them the same type with CAST',
  ],
  ['select * from customer where id', 'a condition is made of numbers: compare them with something'],
  [
    'select * from customer where since = :id',
    'the operands are dates and numbers, but must be of one type: make them the same type with CAST',
  ],
  [
    'select coalesce(id, name) from customer',
    'the operands are numbers and text, but must be of one type: make them the same type with CAST',
  ],
  ['update customer set id = name', 'the column id is of the type integer and is given text: make it the same type with CAST'],
  ['update customer set active = 1', 'the column active is of the type boolean and is given numbers: make it the same type with CAST'],
  [
    'insert into item select id, 1, 2, placed from orders',
    'the column qty is of the type integer and is given dates: make it the same type with CAST',
  ],
  [
    'select * from customer where id in (select name from customer)',
    'the operands are numbers and text, but must be of one type: make them the same type with CAST',
  ],
];

describe("PostgreSQL's importer", () => {
  let over: Bank;
  beforeAll(async () => {
    over = await bank();
  });

  it.each(REFUSED)('refuses %s', (written, reason) => {
    expect(over.refusal(written)).toBe(reason);
  });

  it('names the line within a statement over several lines', () => {
    const refused = (sql: string): unknown => over.importer.statement({ sql, line: 10 }, over.schema, new Map());
    expect(refused('select id,\n  random()\nfrom customer')).toMatchObject({
      line: 11,
      reason: expect.stringContaining('random()') as string,
    });
    expect(refused("select 'é',\n  id\nfrom customer wheer x")).toMatchObject({
      line: 12,
      reason: expect.stringContaining('syntax error') as string,
    });
  });

  it('names the line of the statement in the file', () => {
    const refused = over.importer.statement({ sql: 'begin', line: 41 }, over.schema, new Map());
    expect(isRefusal(refused) && refused.line).toBe(41);
  });
});
