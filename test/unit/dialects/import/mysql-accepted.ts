/** Statements as users write them, and what MySQL is sent for each. Equal results of both: test/db/mysql-import.test.ts. */
export const ACCEPTED: readonly (readonly [written: string, sent: string])[] = [
  [
    'select * from customer',
    'SELECT `customer`.`id` AS `id`, `customer`.`name` AS `name`, `customer`.`email` AS `email`, `customer`.`active` AS `active`, `customer`.`since` AS `since` FROM `customer` AS `customer`',
  ],
  [
    'select c.*, a.id from customer c join account as a on a.customer_id = c.id',
    'SELECT `c`.`id` AS `id`, `c`.`name` AS `name`, `c`.`email` AS `email`, `c`.`active` AS `active`, `c`.`since` AS `since`, `a`.`id` AS `id_2` FROM (`customer` AS `c` INNER JOIN `account` AS `a` ON (`a`.`customer_id` = `c`.`id`))',
  ],
  ['SELECT a.ID, Balance FROM Account a', 'SELECT `a`.`id` AS `ID`, `a`.`balance` AS `Balance` FROM `account` AS `a`'],
  [
    'select id, name from customer where id = :id',
    'SELECT `customer`.`id` AS `id`, `customer`.`name` AS `name` FROM `customer` AS `customer` WHERE (`customer`.`id` = :id)',
  ],
  [
    'select id from account where balance between 1 and :amount and not id in (1, 2) or note is null',
    'SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE (((`account`.`balance` BETWEEN 1 AND :amount) AND (NOT (`account`.`id` IN (1, 2)))) OR (`account`.`note` IS NULL))',
  ],
  [
    'select id from account where not balance = 1 and not exists (select 1 from transfer) or id = 3',
    'SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE (((NOT (`account`.`balance` = 1)) AND (NOT EXISTS (SELECT 1 AS `c1` FROM `transfer` AS `transfer`))) OR (`account`.`id` = 3))',
  ],
  [
    'select balance - 1 - 2 * 3 + -id as x from account',
    'SELECT (((`account`.`balance` - 1) - (2 * 3)) + (0 - `account`.`id`)) AS `x` FROM `account` AS `account`',
  ],
  [
    'select id from account where balance - :amount >= 0.50',
    'SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE ((`account`.`balance` - :amount) >= 0.50)',
  ],
  [
    `select id from customer where name like 'A%' and email not like "b\\%"`,
    "SELECT `customer`.`id` AS `id` FROM `customer` AS `customer` WHERE ((`customer`.`name` LIKE 'A%') AND (`customer`.`email` NOT LIKE 'b\\\\%'))",
  ],
  [
    "select `id` from `customer` where `name` = 'it''s' or name = 'a\\'b\\\\'",
    "SELECT `customer`.`id` AS `id` FROM `customer` AS `customer` WHERE ((`customer`.`name` = 'it''s') OR (`customer`.`name` = 'a''b\\\\'))",
  ],
  [
    'select count(*), count(distinct customer_id), sum(balance) total, avg(balance), min(id), max(id) from account',
    'SELECT count(*) AS `c1`, count(DISTINCT `account`.`customer_id`) AS `c2`, sum(`account`.`balance`) AS `total`, avg(`account`.`balance`) AS `c4`, min(`account`.`id`) AS `c5`, max(`account`.`id`) AS `c6` FROM `account` AS `account`',
  ],
  [
    'select customer_id, sum(balance) as total from account group by customer_id having total > 5 order by total desc, 1 limit 3',
    'SELECT `account`.`customer_id` AS `customer_id`, sum(`account`.`balance`) AS `total` FROM `account` AS `account` GROUP BY `account`.`customer_id` HAVING (sum(`account`.`balance`) > 5) ORDER BY sum(`account`.`balance`) DESC, `account`.`customer_id` ASC LIMIT 3',
  ],
  [
    'select customer_id, sum(balance) from account group by customer_id with rollup',
    'SELECT `account`.`customer_id` AS `customer_id`, sum(`account`.`balance`) AS `c2` FROM `account` AS `account` GROUP BY `account`.`customer_id` WITH ROLLUP',
  ],
  [
    'select count(case when balance > 5 then 1 end) from account',
    'SELECT count(CASE WHEN (`account`.`balance` > 5) THEN 1 END) AS `c1` FROM `account` AS `account`',
  ],
  [
    `select case when active then 'y' else 'n' end, case id when 1 then 'one' when 2 then 'two' end from customer`,
    "SELECT (CASE WHEN `customer`.`active` THEN 'y' ELSE 'n' END) AS `c1`, (CASE WHEN (`customer`.`id` = 1) THEN 'one' ELSE (CASE WHEN (`customer`.`id` = 2) THEN 'two' ELSE CAST(NULL AS CHAR) END) END) AS `c2` FROM `customer` AS `customer`",
  ],
  [
    `select if(active, 1, 0), ifnull(email, name), coalesce(email, 'none'), nullif(name, 'Ann'), concat(name, ':', id), char_length(name), upper(name), lcase(name), mod(id, 2), id % 2, id mod 2, right(name, 1), abs(-id) from customer`,
    "SELECT (CASE WHEN `customer`.`active` THEN 1 ELSE 0 END) AS `c1`, coalesce(`customer`.`email`, `customer`.`name`) AS `c2`, coalesce(`customer`.`email`, 'none') AS `c3`, nullif(`customer`.`name`, 'Ann') AS `c4`, CONCAT(`customer`.`name`, ':', `customer`.`id`) AS `c5`, char_length(`customer`.`name`) AS `c6`, upper(`customer`.`name`) AS `c7`, lower(`customer`.`name`) AS `c8`, mod(`customer`.`id`, 2) AS `c9`, mod(`customer`.`id`, 2) AS `c10`, mod(`customer`.`id`, 2) AS `c11`, right(`customer`.`name`, 1) AS `c12`, abs((0 - `customer`.`id`)) AS `c13` FROM `customer` AS `customer`",
  ],
  [
    'select cast(id as char), cast(name as signed), cast(balance as decimal(65,10)) from account join customer using (id)',
    'SELECT CAST(`account`.`id` AS CHAR) AS `c1`, CAST(`customer`.`name` AS SIGNED) AS `c2`, CAST(`account`.`balance` AS DECIMAL(65,10)) AS `c3` FROM (`account` AS `account` INNER JOIN `customer` AS `customer` USING (`id`))',
  ],
  ['select distinct customer_id from account', 'SELECT DISTINCT `account`.`customer_id` AS `customer_id` FROM `account` AS `account`'],
  [
    'select id from customer cross join (select max(balance) as top from account) m',
    'SELECT `customer`.`id` AS `id` FROM (`customer` AS `customer` CROSS JOIN (SELECT max(`account`.`balance`) AS `top` FROM `account` AS `account`) AS `m`)',
  ],
  [
    'select customer.id from customer, rich where customer.id = rich.id',
    'SELECT `customer`.`id` AS `id` FROM (`customer` AS `customer` CROSS JOIN `rich` AS `rich`) WHERE (`customer`.`id` = `rich`.`id`)',
  ],
  [
    'select * from customer natural join account',
    'SELECT `customer`.`id` AS `id`, `customer`.`name` AS `name`, `customer`.`email` AS `email`, `customer`.`active` AS `active`, `customer`.`since` AS `since`, `account`.`customer_id` AS `customer_id`, `account`.`balance` AS `balance`, `account`.`opened` AS `opened`, `account`.`note` AS `note` FROM (`customer` AS `customer` NATURAL JOIN `account` AS `account`)',
  ],
  [
    'select * from customer natural left join rich',
    'SELECT `customer`.`id` AS `id`, `customer`.`name` AS `name`, `customer`.`email` AS `email`, `customer`.`active` AS `active`, `customer`.`since` AS `since`, `rich`.`balance` AS `balance` FROM (`customer` AS `customer` NATURAL LEFT JOIN `rich` AS `rich`)',
  ],
  [
    'select c.id from customer c left outer join (account a inner join transfer t on t.source = a.id) on a.customer_id = c.id',
    'SELECT `c`.`id` AS `id` FROM (`customer` AS `c` LEFT JOIN (`account` AS `a` INNER JOIN `transfer` AS `t` ON (`t`.`source` = `a`.`id`)) ON (`a`.`customer_id` = `c`.`id`))',
  ],
  [
    'select id from account where balance > all (select amount from transfer) and id = any (select source from transfer where target = account.id)',
    'SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE ((`account`.`balance` > ALL (SELECT `transfer`.`amount` AS `amount` FROM `transfer` AS `transfer`)) AND (`account`.`id` = ANY (SELECT `transfer`.`source` AS `source` FROM `transfer` AS `transfer` WHERE (`transfer`.`target` = `account`.`id`))))',
  ],
  [
    'select (select max(balance) from account where customer_id = c.id) as top, exists (select 1 from account where customer_id = c.id) from customer c',
    'SELECT (SELECT max(`account`.`balance`) AS `c1` FROM `account` AS `account` WHERE (`account`.`customer_id` = `c`.`id`)) AS `top`, (EXISTS (SELECT 1 AS `c1` FROM `account` AS `account` WHERE (`account`.`customer_id` = `c`.`id`))) AS `c2` FROM `customer` AS `c`',
  ],
  [
    'select id from account union select id from customer',
    '(SELECT `account`.`id` AS `id` FROM `account` AS `account`) UNION (SELECT `customer`.`id` AS `id` FROM `customer` AS `customer`)',
  ],
  [
    'select id from account union all select id from customer union all select source from transfer',
    '(SELECT `account`.`id` AS `id` FROM `account` AS `account`) UNION ALL (SELECT `customer`.`id` AS `id` FROM `customer` AS `customer`) UNION ALL (SELECT `transfer`.`source` AS `source` FROM `transfer` AS `transfer`)',
  ],
  [
    '(select id from account order by id limit 1) union (select id from customer)',
    '(SELECT `account`.`id` AS `id` FROM `account` AS `account` ORDER BY `account`.`id` ASC LIMIT 1) UNION (SELECT `customer`.`id` AS `id` FROM `customer` AS `customer`)',
  ],
  [
    'select id from account except select id from customer intersect select source from transfer',
    '(SELECT `account`.`id` AS `id` FROM `account` AS `account`) EXCEPT ((SELECT `customer`.`id` AS `id` FROM `customer` AS `customer`) INTERSECT (SELECT `transfer`.`source` AS `source` FROM `transfer` AS `transfer`))',
  ],
  [
    'with big as (select id, balance from account where balance > 5), small (n) as (select id from account where balance < 5) select big.id, n from big left join small on n = big.id',
    'WITH `big` AS (SELECT `account`.`id` AS `id`, `account`.`balance` AS `balance` FROM `account` AS `account` WHERE (`account`.`balance` > 5)), `small` AS (SELECT `account`.`id` AS `n` FROM `account` AS `account` WHERE (`account`.`balance` < 5)) SELECT `big`.`id` AS `id`, `small`.`n` AS `n` FROM (`big` AS `big` LEFT JOIN `small` AS `small` ON (`small`.`n` = `big`.`id`))',
  ],
  [
    'with recursive up (n) as (select id from customer where id = 1 union all select n + 1 from up where n < 3) select n from up',
    'WITH RECURSIVE `up` AS ((SELECT `customer`.`id` AS `n` FROM `customer` AS `customer` WHERE (`customer`.`id` = 1)) UNION ALL (SELECT (`up`.`n` + 1) AS `c1` FROM `up` AS `up` WHERE (`up`.`n` < 3))) SELECT `up`.`n` AS `n` FROM `up` AS `up`',
  ],
  [
    'select row_number() over (partition by customer_id order by balance desc), sum(balance) over (), rank() over (order by id) from account',
    'SELECT row_number() OVER (PARTITION BY `account`.`customer_id` ORDER BY `account`.`balance` DESC) AS `c1`, sum(`account`.`balance`) OVER () AS `c2`, rank() OVER (ORDER BY `account`.`id` ASC) AS `c3` FROM `account` AS `account`',
  ],
  [
    'select id from account where id = :id for update',
    'SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE (`account`.`id` = :id) FOR UPDATE',
  ],
  ['select id from account for update nowait', 'SELECT `account`.`id` AS `id` FROM `account` AS `account` FOR UPDATE NOWAIT'],
  ['select id from account for update skip locked', 'SELECT `account`.`id` AS `id` FROM `account` AS `account` FOR UPDATE SKIP LOCKED'],
  ['select id from account lock in share mode', 'SELECT `account`.`id` AS `id` FROM `account` AS `account` FOR SHARE'],
  ['select id from account for share', 'SELECT `account`.`id` AS `id` FROM `account` AS `account` FOR SHARE'],
  ['select id from account -- trailing', 'SELECT `account`.`id` AS `id` FROM `account` AS `account`'],
  [
    `insert into customer (id, name) values (30, 'Cy'), (:id + 30, :name)`,
    "INSERT INTO `customer` (`id`, `name`) VALUES (30, 'Cy'), ((:id + 30), :name)",
  ],
  [
    `insert into customer values (30, 'Cy', null, default, '2024-02-03')`,
    "INSERT INTO `customer` (`id`, `name`, `email`, `active`, `since`) VALUES (30, 'Cy', CAST(NULL AS CHAR), DEFAULT, DATE '2024-02-03')",
  ],
  [`insert into customer set id = 4, name = 'Di', since = :day`, "INSERT INTO `customer` (`id`, `name`, `since`) VALUES (4, 'Di', :day)"],
  [`insert ignore into customer (id, name) values (1, 'x')`, "INSERT IGNORE INTO `customer` (`id`, `name`) VALUES (1, 'x')"],
  [`replace into customer (id, name) values (1, 'x')`, "REPLACE INTO `customer` (`id`, `name`) VALUES (1, 'x')"],
  [
    'insert into transfer (id, source, target, amount) select id + 10, customer_id, id, balance from account where balance > :amount',
    'INSERT INTO `transfer` (`id`, `source`, `target`, `amount`) SELECT (`account`.`id` + 10) AS `c1`, `account`.`customer_id` AS `customer_id`, `account`.`id` AS `id`, `account`.`balance` AS `balance` FROM `account` AS `account` WHERE (`account`.`balance` > :amount)',
  ],
  [
    'insert into transfer (id, amount) values (1, 5) on duplicate key update amount = amount + values(amount), source = null',
    'INSERT INTO `transfer` (`id`, `amount`) VALUES (1, 5) ON DUPLICATE KEY UPDATE `amount` = (`transfer`.`amount` + VALUES(`amount`)), `source` = CAST(NULL AS SIGNED)',
  ],
  [
    'insert into transfer (id, amount) values (1, 5) as new on duplicate key update amount = transfer.amount + new.amount',
    'INSERT INTO `transfer` (`id`, `amount`) VALUES (1, 5) ON DUPLICATE KEY UPDATE `amount` = (`transfer`.`amount` + VALUES(`amount`))',
  ],
  [
    'update account set balance = balance - :amount where id = :id',
    'UPDATE `account` SET `balance` = (`account`.`balance` - :amount) WHERE (`account`.`id` = :id)',
  ],
  [
    `update account set balance = default, note = null, opened = '2024-01-01 10:00:00'`,
    "UPDATE `account` SET `balance` = DEFAULT, `note` = CAST(NULL AS CHAR), `opened` = TIMESTAMP '2024-01-01 10:00:00'",
  ],
  [
    'update account as a set a.balance = a.balance + 1 where a.id = :id and a.balance >= 0',
    'UPDATE `account` SET `balance` = (`account`.`balance` + 1) WHERE ((`account`.`id` = :id) AND (`account`.`balance` >= 0))',
  ],
  [
    'update account a join customer c on c.id = a.customer_id set a.balance = 0, a.note = c.name where c.active',
    'UPDATE `account` CROSS JOIN `customer` AS `c` SET `account`.`balance` = 0, `account`.`note` = `c`.`name` WHERE ((`c`.`id` = `account`.`customer_id`) AND `c`.`active`)',
  ],
  [
    'update account, customer set account.note = customer.name where account.customer_id = customer.id',
    'UPDATE `account` CROSS JOIN `customer` AS `customer` SET `account`.`note` = `customer`.`name` WHERE (`account`.`customer_id` = `customer`.`id`)',
  ],
  ['update rich set balance = 1 where id = 2', 'UPDATE `rich` SET `balance` = 1 WHERE (`rich`.`id` = 2)'],
  [
    'update account set balance = 1 where id in (select source from transfer)',
    'UPDATE `account` SET `balance` = 1 WHERE (`account`.`id` IN (SELECT `transfer`.`source` AS `source` FROM `transfer` AS `transfer`))',
  ],
  ['delete from account where id = :id', 'DELETE FROM `account` WHERE (`account`.`id` = :id)'],
  ['delete from customer', 'DELETE FROM `customer`'],
  [
    'delete a from account a inner join customer c on a.customer_id = c.id where not c.active',
    'DELETE `account` FROM `account` CROSS JOIN `customer` AS `c` WHERE ((`account`.`customer_id` = `c`.`id`) AND (NOT `c`.`active`))',
  ],
  [
    'delete from account using account join customer c on account.customer_id = c.id',
    'DELETE `account` FROM `account` CROSS JOIN `customer` AS `c` WHERE (`account`.`customer_id` = `c`.`id`)',
  ],
  ['delete from account as a where a.balance = 0', 'DELETE FROM `account` WHERE (`account`.`balance` = 0)'],
  [
    'delete from account where id in (select id from account where balance = 0)',
    'DELETE FROM `account` WHERE (`account`.`id` IN (SELECT `account_2`.`id` AS `id` FROM (SELECT * FROM `account` LIMIT 18446744073709551615) AS `account_2` WHERE (`account_2`.`balance` = 0)))',
  ],
  ['savepoint before_it', 'SAVEPOINT `before_it`'],
  ['SAVEPOINT Before_It', 'SAVEPOINT `before_it`'],
  ['ROLLBACK TO `BEFORE_IT`', 'ROLLBACK TO SAVEPOINT `before_it`'],
  ['RELEASE SAVEPOINT Before_it', 'RELEASE SAVEPOINT `before_it`'],
  ['rollback to before_it', 'ROLLBACK TO SAVEPOINT `before_it`'],
  ['rollback work to savepoint before_it', 'ROLLBACK TO SAVEPOINT `before_it`'],
  ['release savepoint before_it', 'RELEASE SAVEPOINT `before_it`'],
  [
    `select id from customer where since = '2024-01-01' and since > date '2023-01-01'`,
    "SELECT `customer`.`id` AS `id` FROM `customer` AS `customer` WHERE ((`customer`.`since` = DATE '2024-01-01') AND (`customer`.`since` > DATE '2023-01-01'))",
  ],
  [
    `select id from account where opened > timestamp '2024-01-01 00:00:00' or opened is not null`,
    "SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE ((`account`.`opened` > TIMESTAMP '2024-01-01 00:00:00') OR (`account`.`opened` IS NOT NULL))",
  ],
  [
    `select 'a' as x, "b" y, 1.50, -2, true, false, 12345678901 from customer`,
    "SELECT 'a' AS `x`, 'b' AS `y`, 1.50 AS `c3`, (-2) AS `c4`, TRUE AS `c5`, FALSE AS `c6`, 12345678901 AS `c7` FROM `customer` AS `customer`",
  ],
  [
    'select id from account where (balance > 1) = true',
    'SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE ((`account`.`balance` > 1) = TRUE)',
  ],
  ['select id from customer where active', 'SELECT `customer`.`id` AS `id` FROM `customer` AS `customer` WHERE `customer`.`active`'],
  [
    'select id from customer where active = 1 and not active',
    'SELECT `customer`.`id` AS `id` FROM `customer` AS `customer` WHERE ((`customer`.`active` = TRUE) AND (NOT `customer`.`active`))',
  ],
  [
    'select a.id from (select id from account where id = :id) a',
    'SELECT `a`.`id` AS `id` FROM (SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE (`account`.`id` = :id)) AS `a`',
  ],
  [
    'select x.n from (select id from account) as x (n)',
    'SELECT `x`.`n` AS `n` FROM (SELECT `account`.`id` AS `n` FROM `account` AS `account`) AS `x`',
  ],
  [
    'select account.id from customer join account on customer.id = account.customer_id where customer.active',
    'SELECT `account`.`id` AS `id` FROM (`customer` AS `customer` INNER JOIN `account` AS `account` ON (`customer`.`id` = `account`.`customer_id`)) WHERE `customer`.`active`',
  ],
  [
    `select id from customer where name <> 'Ann' and name != 'Bob'`,
    "SELECT `customer`.`id` AS `id` FROM `customer` AS `customer` WHERE ((`customer`.`name` <> 'Ann') AND (`customer`.`name` <> 'Bob'))",
  ],
  [
    'select id from account where balance * 2 + 1 > 10 - 3',
    'SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE (((`account`.`balance` * 2) + 1) > (10 - 3))',
  ],
  [
    'select id from account where not (balance > 5 or note is not null)',
    'SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE (NOT ((`account`.`balance` > 5) OR (`account`.`note` IS NOT NULL)))',
  ],
  [
    `select id from account where note not in ('a', 'b') and id not between 2 and 3`,
    "SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE ((`account`.`note` NOT IN ('a', 'b')) AND (NOT (`account`.`id` BETWEEN 2 AND 3)))",
  ],
  [
    'select id from customer c where not exists (select * from account where customer_id = c.id)',
    'SELECT `c`.`id` AS `id` FROM `customer` AS `c` WHERE (NOT EXISTS (SELECT `account`.`id` AS `id`, `account`.`customer_id` AS `customer_id`, `account`.`balance` AS `balance`, `account`.`opened` AS `opened`, `account`.`note` AS `note` FROM `account` AS `account` WHERE (`account`.`customer_id` = `c`.`id`)))',
  ],
  ['select id, (balance) from (account)', 'SELECT `account`.`id` AS `id`, `account`.`balance` AS `balance` FROM `account` AS `account`'],
  [
    "select id AS `order`, balance 'worth' from account order by `order`",
    'SELECT `account`.`id` AS `order`, `account`.`balance` AS `worth` FROM `account` AS `account` ORDER BY `account`.`id` ASC',
  ],
  [
    'select id from account order by balance desc, id asc limit 2',
    'SELECT `account`.`id` AS `id` FROM `account` AS `account` ORDER BY `account`.`balance` DESC, `account`.`id` ASC LIMIT 2',
  ],
  [
    'select customer_id, count(*) n from account group by customer_id having count(*) >= 1 and max(balance) > 1',
    'SELECT `account`.`customer_id` AS `customer_id`, count(*) AS `n` FROM `account` AS `account` GROUP BY `account`.`customer_id` HAVING ((count(*) >= 1) AND (max(`account`.`balance`) > 1))',
  ],
  [
    'select customer_id c from account group by c',
    'SELECT `account`.`customer_id` AS `c` FROM `account` AS `account` GROUP BY `account`.`customer_id`',
  ],
  [
    'select distinct active from customer order by active',
    'SELECT DISTINCT `customer`.`active` AS `active` FROM `customer` AS `customer` ORDER BY `customer`.`active` ASC',
  ],
  [
    'select c.name, t.n from customer c join (select customer_id, count(*) as n from account group by customer_id) t on t.customer_id = c.id',
    'SELECT `c`.`name` AS `name`, `t`.`n` AS `n` FROM (`customer` AS `c` INNER JOIN (SELECT `account`.`customer_id` AS `customer_id`, count(*) AS `n` FROM `account` AS `account` GROUP BY `account`.`customer_id`) AS `t` ON (`t`.`customer_id` = `c`.`id`))',
  ],
  [
    'select id from account where customer_id in (select id from customer where active) and id in (1, :id, 3)',
    'SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE ((`account`.`customer_id` IN (SELECT `customer`.`id` AS `id` FROM `customer` AS `customer` WHERE `customer`.`active`)) AND (`account`.`id` IN (1, :id, 3)))',
  ],
  [
    'select a.id from account a inner join account b on a.customer_id = b.customer_id and a.id < b.id',
    'SELECT `a`.`id` AS `id` FROM (`account` AS `a` INNER JOIN `account` AS `b` ON ((`a`.`customer_id` = `b`.`customer_id`) AND (`a`.`id` < `b`.`id`)))',
  ],
  [
    'select id from account where -balance < -5 or id = +1',
    'SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE (((0 - `account`.`balance`) < (-5)) OR (`account`.`id` = 1))',
  ],
  [
    'select sum(balance) from account having count(*) > 1',
    'SELECT sum(`account`.`balance`) AS `c1` FROM `account` AS `account` HAVING (count(*) > 1)',
  ],
  [
    'select id from account union distinct (select id from customer union all select 7 from customer)',
    '(SELECT `account`.`id` AS `id` FROM `account` AS `account`) UNION ((SELECT `customer`.`id` AS `id` FROM `customer` AS `customer`) UNION ALL (SELECT 7 AS `c1` FROM `customer` AS `customer`))',
  ],
  ['select all id from account', 'SELECT `account`.`id` AS `id` FROM `account` AS `account`'],
  [
    `update account set balance = balance + 1, note = concat(coalesce(note, ''), '!') where customer_id = (select max(id) from customer)`,
    "UPDATE `account` SET `balance` = (`account`.`balance` + 1), `note` = CONCAT(coalesce(`account`.`note`, ''), '!') WHERE (`account`.`customer_id` = (SELECT max(`customer`.`id`) AS `c1` FROM `customer` AS `customer`))",
  ],
  [
    'update customer set active = not active, since = null',
    'UPDATE `customer` SET `active` = (NOT `customer`.`active`), `since` = CAST(NULL AS DATE)',
  ],
  [
    'update account a set note = (select name from customer c where c.id = a.customer_id)',
    'UPDATE `account` SET `note` = (SELECT `c`.`name` AS `name` FROM `customer` AS `c` WHERE (`c`.`id` = `account`.`customer_id`))',
  ],
  [
    'insert customer value (5, :name, null, false, null)',
    'INSERT INTO `customer` (`id`, `name`, `email`, `active`, `since`) VALUES (5, :name, CAST(NULL AS CHAR), FALSE, CAST(NULL AS DATE))',
  ],
  [
    'insert into transfer (id, source) select id + 100, id from account a where not exists (select 1 from transfer t where t.source = a.id)',
    'INSERT INTO `transfer` (`id`, `source`) SELECT (`a`.`id` + 100) AS `c1`, `a`.`id` AS `id` FROM `account` AS `a` WHERE (NOT EXISTS (SELECT 1 AS `c1` FROM `transfer` AS `t` WHERE (`t`.`source` = `a`.`id`)))',
  ],
  ['replace into transfer set id = 1, amount = :amount', 'REPLACE INTO `transfer` (`id`, `amount`) VALUES (1, :amount)'],
  [
    'insert into transfer (id, amount) select id, balance from account on duplicate key update amount = transfer.amount + values(amount), target = null',
    'INSERT INTO `transfer` (`id`, `amount`) SELECT `account`.`id` AS `id`, `account`.`balance` AS `balance` FROM `account` AS `account` ON DUPLICATE KEY UPDATE `amount` = (`transfer`.`amount` + VALUES(`amount`)), `target` = CAST(NULL AS SIGNED)',
  ],
  [
    'delete from transfer where amount is null or amount > :amount',
    'DELETE FROM `transfer` WHERE ((`transfer`.`amount` IS NULL) OR (`transfer`.`amount` > :amount))',
  ],
  [
    'select name from customer where name >= :name or since < :day',
    'SELECT `customer`.`name` AS `name` FROM `customer` AS `customer` WHERE ((`customer`.`name` >= :name) OR (`customer`.`since` < :day))',
  ],
  [
    "select id from account where opened + interval 2 hour > '2024-01-01' and opened < timestamp '2024-01-01 10:00' - interval 90 minute",
    "SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE (((`account`.`opened` + INTERVAL 7200 SECOND) > TIMESTAMP '2024-01-01 00:00:00') AND (`account`.`opened` < (TIMESTAMP '2024-01-01 10:00:00' - INTERVAL 5400 SECOND)))",
  ],
  [
    'select id from account where interval 1 day + opened > date_sub(opened, interval 30 second) or timestampadd(week, -1, opened) < date_add(opened, interval -1 minute)',
    'SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE (((`account`.`opened` + INTERVAL 86400 SECOND) > (`account`.`opened` - INTERVAL 30 SECOND)) OR ((`account`.`opened` - INTERVAL 604800 SECOND) < (`account`.`opened` - INTERVAL 60 SECOND)))',
  ],
  [
    "select id from account where opened > adddate('2024-02-28 23:00', interval 1 hour)",
    "SELECT `account`.`id` AS `id` FROM `account` AS `account` WHERE (`account`.`opened` > (TIMESTAMP '2024-02-28 23:00:00' + INTERVAL 3600 SECOND))",
  ],
];
