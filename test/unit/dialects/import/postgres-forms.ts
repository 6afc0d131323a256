/** Statements over the small schema (postgres-bank.ts) that PostgreSQL's importer takes, one for each form. */

/** As written, as printed after import. */
export const FORMS: readonly (readonly [written: string, printed: string])[] = [
  [
    'select * from item',
    'SELECT "item"."order_id" AS "order_id", "item"."line" AS "line", "item"."sku" AS "sku", "item"."qty" AS "qty" FROM "item" AS "item"',
  ],
  [
    'SELECT i.*, o.id FROM item i JOIN orders o ON o.id = i.order_id',
    'SELECT "i"."order_id" AS "order_id", "i"."line" AS "line", "i"."sku" AS "sku", "i"."qty" AS "qty", "o"."id" AS "id" FROM ("item" AS "i" INNER JOIN "orders" AS "o" ON ("o"."id" = "i"."order_id"))',
  ],
  [
    'select name, credit from customer where id = :id for update',
    'SELECT "customer"."name" AS "name", "customer"."credit" AS "credit" FROM "customer" AS "customer" WHERE ("customer"."id" = :id) FOR UPDATE',
  ],
  [
    `select id from orders where placed >= '2024-01-01' and total > 5`,
    `SELECT "orders"."id" AS "id" FROM "orders" AS "orders" WHERE (("orders"."placed" >= timestamp '2024-01-01 00:00:00') AND ("orders"."total" > numeric '5'))`,
  ],
  [
    `select id from orders where seq = 5 and seq < 5000000000 and total in (1, 2.50, '3')`,
    `SELECT "orders"."id" AS "id" FROM "orders" AS "orders" WHERE (("orders"."seq" = bigint '5') AND ("orders"."seq" < bigint '5000000000') AND ("orders"."total" IN (numeric '1', numeric '2.50', numeric '3')))`,
  ],
  [
    'select item.line from orders natural join item',
    'SELECT "item"."line" AS "line" FROM ("orders" AS "orders" CROSS JOIN "item" AS "item")',
  ],
  [
    'select * from link natural left join item',
    'SELECT "link"."order_id" AS "order_id", "link"."line" AS "line", "item"."sku" AS "sku", "item"."qty" AS "qty" FROM ("link" AS "link" NATURAL LEFT JOIN "item" AS "item")',
  ],
  [
    'select * from link join item using (order_id, line)',
    'SELECT "link"."order_id" AS "order_id", "link"."line" AS "line", "item"."sku" AS "sku", "item"."qty" AS "qty" FROM ("link" AS "link" INNER JOIN "item" AS "item" USING ("order_id", "line"))',
  ],
  [
    'select order_id, link.line from link join item using (order_id)',
    'SELECT "link"."order_id" AS "order_id", "link"."line" AS "line" FROM ("link" AS "link" INNER JOIN "item" AS "item" USING ("order_id"))',
  ],
  [
    'select o.id from orders o, item i where o.id = i.order_id',
    'SELECT "o"."id" AS "id" FROM ("orders" AS "o" CROSS JOIN "item" AS "i") WHERE ("o"."id" = "i"."order_id")',
  ],
  ['select o.id from orders o cross join customer', 'SELECT "o"."id" AS "id" FROM ("orders" AS "o" CROSS JOIN "customer" AS "customer")'],
  [
    'select c.id from customer c left join (orders o join item i on i.order_id = o.id) on o.customer_id = c.id',
    'SELECT "c"."id" AS "id" FROM ("customer" AS "c" LEFT JOIN ("orders" AS "o" INNER JOIN "item" AS "i" ON ("i"."order_id" = "o"."id")) ON ("o"."customer_id" = "c"."id"))',
  ],
  [
    'select id from orders o where exists (select 1 from item where order_id = o.id)',
    'SELECT "o"."id" AS "id" FROM "orders" AS "o" WHERE (EXISTS (SELECT 1 AS "c1" FROM "item" AS "item" WHERE ("item"."order_id" = "o"."id")))',
  ],
  [
    'select id from orders o where not exists (select * from item where order_id = id)',
    'SELECT "o"."id" AS "id" FROM "orders" AS "o" WHERE (NOT EXISTS (SELECT "item"."order_id" AS "order_id", "item"."line" AS "line", "item"."sku" AS "sku", "item"."qty" AS "qty" FROM "item" AS "item" WHERE ("item"."order_id" = "o"."id")))',
  ],
  [
    'select id from customer where id not in (select customer_id from orders)',
    'SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE ("customer"."id" NOT IN (SELECT "orders"."customer_id" AS "customer_id" FROM "orders" AS "orders"))',
  ],
  [
    'select id from customer where id in (select id from customer where active)',
    'SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE ("customer"."id" IN (SELECT "customer_2"."id" AS "id" FROM "customer" AS "customer_2" WHERE "customer_2"."active"))',
  ],
  [
    'select c.id from customer c where c.credit > all (select total from orders where customer_id = c.id)',
    'SELECT "c"."id" AS "id" FROM "customer" AS "c" WHERE ("c"."credit" > ALL (SELECT "orders"."total" AS "total" FROM "orders" AS "orders" WHERE ("orders"."customer_id" = "c"."id")))',
  ],
  [
    'select id from customer where id = any (select customer_id from orders)',
    'SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE ("customer"."id" = ANY (SELECT "orders"."customer_id" AS "customer_id" FROM "orders" AS "orders"))',
  ],
  [
    'select id, (select max(total) from orders where customer_id = customer.id) from customer',
    'SELECT "customer"."id" AS "id", (SELECT max("orders"."total") AS "max" FROM "orders" AS "orders" WHERE ("orders"."customer_id" = "customer"."id")) AS "max" FROM "customer" AS "customer"',
  ],
  [
    'select count(*), sum(total) as s from orders group by customer_id having sum(total) > 10 order by s desc, 1',
    `SELECT count(*) AS "count", sum("orders"."total") AS "s" FROM "orders" AS "orders" GROUP BY "orders"."customer_id" HAVING (sum("orders"."total") > numeric '10') ORDER BY sum("orders"."total") DESC, count(*) ASC`,
  ],
  [
    'select count(distinct customer_id), count(*) filter (where total > 5), avg(total), min(placed) from orders',
    `SELECT count(DISTINCT "orders"."customer_id") AS "count", count(*) FILTER (WHERE ("orders"."total" > numeric '5')) AS "count_2", avg("orders"."total") AS "avg", min("orders"."placed") AS "min" FROM "orders" AS "orders"`,
  ],
  [
    'select customer_id as who, status from orders group by who, 2',
    'SELECT "orders"."customer_id" AS "who", "orders"."status" AS "status" FROM "orders" AS "orders" GROUP BY "orders"."customer_id", "orders"."status"',
  ],
  [
    'select lower(name) as name from customer order by name',
    'SELECT lower("customer"."name") AS "name" FROM "customer" AS "customer" ORDER BY lower("customer"."name") ASC',
  ],
  [
    'select lower(name) as name from customer group by name',
    'SELECT lower("customer"."name") AS "name" FROM "customer" AS "customer" GROUP BY "customer"."name"',
  ],
  [
    'select customer_id, status, sum(total) from orders group by rollup (customer_id, status)',
    'SELECT "orders"."customer_id" AS "customer_id", "orders"."status" AS "status", sum("orders"."total") AS "sum" FROM "orders" AS "orders" GROUP BY ROLLUP ("orders"."customer_id", "orders"."status")',
  ],
  [
    'select distinct status from orders order by status limit 3',
    'SELECT DISTINCT "orders"."status" AS "status" FROM "orders" AS "orders" ORDER BY "orders"."status" ASC LIMIT 3',
  ],
  [
    'select id from orders order by total desc, id fetch first 2 rows only',
    'SELECT "orders"."id" AS "id" FROM "orders" AS "orders" ORDER BY "orders"."total" DESC, "orders"."id" ASC LIMIT 2',
  ],
  [
    'select t.count from (select customer_id, count(*) from orders group by 1) t where t.count > 1',
    `SELECT "t"."count" AS "count" FROM (SELECT "orders"."customer_id" AS "customer_id", count(*) AS "count" FROM "orders" AS "orders" GROUP BY "orders"."customer_id") AS "t" WHERE ("t"."count" > bigint '1')`,
  ],
  [
    'select who from totals where amount > 5',
    `SELECT "totals"."who" AS "who" FROM "totals" AS "totals" WHERE ("totals"."amount" > numeric '5')`,
  ],
  [
    'select x.cid from (select customer_id, total from orders) x (cid, total)',
    'SELECT "x"."cid" AS "cid" FROM (SELECT "orders"."customer_id" AS "cid", "orders"."total" AS "total" FROM "orders" AS "orders") AS "x"',
  ],
  [
    'select c.id, x.m from customer c, lateral (select max(total) m from orders o where o.customer_id = c.id) x',
    'SELECT "c"."id" AS "id", "x"."m" AS "m" FROM ("customer" AS "c" CROSS JOIN LATERAL (SELECT max("o"."total") AS "m" FROM "orders" AS "o" WHERE ("o"."customer_id" = "c"."id")) AS "x")',
  ],
  [
    'select c.id from customer c left join lateral (select id from orders where customer_id = c.id limit 1) o on true',
    'SELECT "c"."id" AS "id" FROM ("customer" AS "c" LEFT JOIN LATERAL (SELECT "orders"."id" AS "id" FROM "orders" AS "orders" WHERE ("orders"."customer_id" = "c"."id") LIMIT 1) AS "o" ON TRUE)',
  ],
  [
    'with x as (select id from customer where active) select * from x where id in (select customer_id from orders)',
    'WITH "x" AS (SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE "customer"."active") SELECT "x"."id" AS "id" FROM "x" AS "x" WHERE ("x"."id" IN (SELECT "orders"."customer_id" AS "customer_id" FROM "orders" AS "orders"))',
  ],
  [
    'with x (n) as (select id from customer), y as (select n from x where n > 1) select y.n from y',
    'WITH "x" AS (SELECT "customer"."id" AS "n" FROM "customer" AS "customer"), "y" AS (SELECT "x"."n" AS "n" FROM "x" AS "x" WHERE ("x"."n" > 1)) SELECT "y"."n" AS "n" FROM "y" AS "y"',
  ],
  [
    'with customer as (select id from orders) select id from customer',
    'WITH "customer_2" AS (SELECT "orders"."id" AS "id" FROM "orders" AS "orders") SELECT "customer"."id" AS "id" FROM "customer_2" AS "customer"',
  ],
  [
    'with recursive r(n) as (select line from item where order_id = :id union all select r.n + 1 from r where r.n < 5) select n from r',
    'WITH RECURSIVE "r" AS ((SELECT "item"."line" AS "n" FROM "item" AS "item" WHERE ("item"."order_id" = :id)) UNION ALL (SELECT ("r"."n" + 1) AS "c1" FROM "r" AS "r" WHERE ("r"."n" < 5))) SELECT "r"."n" AS "n" FROM "r" AS "r"',
  ],
  [
    'select id from customer union select customer_id from orders',
    '(SELECT "customer"."id" AS "id" FROM "customer" AS "customer") UNION (SELECT "orders"."customer_id" AS "customer_id" FROM "orders" AS "orders")',
  ],
  [
    'select id from customer union all select customer_id from orders union all select order_id from item',
    '(SELECT "customer"."id" AS "id" FROM "customer" AS "customer") UNION ALL (SELECT "orders"."customer_id" AS "customer_id" FROM "orders" AS "orders") UNION ALL (SELECT "item"."order_id" AS "order_id" FROM "item" AS "item")',
  ],
  [
    'select id from customer intersect all select customer_id from orders except select order_id from item',
    '((SELECT "customer"."id" AS "id" FROM "customer" AS "customer") INTERSECT ALL (SELECT "orders"."customer_id" AS "customer_id" FROM "orders" AS "orders")) EXCEPT (SELECT "item"."order_id" AS "order_id" FROM "item" AS "item")',
  ],
  [
    'select id, name from customer union all select customer_id, null from orders order by 1 limit 3',
    'SELECT "combined"."id" AS "id", "combined"."name" AS "name" FROM ((SELECT "customer"."id" AS "id", "customer"."name" AS "name" FROM "customer" AS "customer") UNION ALL (SELECT "orders"."customer_id" AS "customer_id", CAST(NULL AS varchar) AS "c2" FROM "orders" AS "orders")) AS "combined" ORDER BY "combined"."id" ASC LIMIT 3',
  ],
  [
    `select since from customer union select '2024-01-01' from orders`,
    `(SELECT "customer"."since" AS "since" FROM "customer" AS "customer") UNION (SELECT date '2024-01-01' AS "c1" FROM "orders" AS "orders")`,
  ],
  [
    'select row_number() over (partition by customer_id order by placed desc) rn, rank() over (order by total), sum(total) over (partition by customer_id) from orders',
    'SELECT row_number() OVER (PARTITION BY "orders"."customer_id" ORDER BY "orders"."placed" DESC) AS "rn", rank() OVER (ORDER BY "orders"."total" ASC) AS "rank", sum("orders"."total") OVER (PARTITION BY "orders"."customer_id") AS "sum" FROM "orders" AS "orders"',
  ],
  [
    `select case status when 'new' then 1 when 'paid' then 2 end from orders`,
    `SELECT (CASE WHEN ("orders"."status" = 'new') THEN 1 ELSE (CASE WHEN ("orders"."status" = 'paid') THEN 2 ELSE CAST(NULL AS integer) END) END) AS "case" FROM "orders" AS "orders"`,
  ],
  [
    'select case when note is null then null when seq > 3 then seq else 0 end from orders',
    `SELECT (CASE WHEN ("orders"."note" IS NULL) THEN CAST(NULL AS bigint) ELSE (CASE WHEN ("orders"."seq" > bigint '3') THEN "orders"."seq" ELSE bigint '0' END) END) AS "case" FROM "orders" AS "orders"`,
  ],
  [
    `select coalesce(note, 'none') || '-' || status || '!', nullif(status, 'new') from orders`,
    `SELECT (coalesce("orders"."note", 'none') || '-' || "orders"."status" || '!') AS "c1", nullif("orders"."status", 'new') AS "c2" FROM "orders" AS "orders"`,
  ],
  [
    'select -total, id % 2, mod(id, 3), abs(-5), (id + 1) * 2 - seq from orders',
    'SELECT (0 - "orders"."total") AS "c1", mod("orders"."id", 2) AS "c2", mod("orders"."id", 3) AS "mod", abs((-5)) AS "abs", ((("orders"."id" + 1) * 2) - "orders"."seq") AS "c5" FROM "orders" AS "orders"',
  ],
  [
    'select right(name, 2), upper(name), char_length(name) from customer',
    'SELECT right("customer"."name", 2) AS "right", upper("customer"."name") AS "upper", length("customer"."name") AS "char_length" FROM "customer" AS "customer"',
  ],
  [
    'select cast(total as integer), total::text, placed::date, seq::bigint from orders',
    'SELECT CAST("orders"."total" AS integer) AS "total", CAST("orders"."total" AS text) AS "total_2", CAST("orders"."placed" AS date) AS "placed", CAST("orders"."seq" AS bigint) AS "seq" FROM "orders" AS "orders"',
  ],
  [
    `select id from customer where since between '2024-01-01' and :day`,
    `SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE ("customer"."since" BETWEEN date '2024-01-01' AND :day)`,
  ],
  [
    `select id from customer where since not between date '2024-01-01' and '2024-02-01'`,
    `SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE (NOT ("customer"."since" BETWEEN date '2024-01-01' AND date '2024-02-01'))`,
  ],
  [
    "select id from customer where name like 'a%' and name not like '%\\_b' or not active",
    'SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE ((("customer"."name" LIKE \'a%\') AND ("customer"."name" NOT LIKE E\'%\\\\_b\')) OR (NOT "customer"."active"))',
  ],
  [
    'select id from customer where email is null or since is not null',
    'SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE (("customer"."email" IS NULL) OR ("customer"."since" IS NOT NULL))',
  ],
  [
    'select id from customer where active is true and (active and id = 1) is not true and active is not false',
    'SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE (coalesce("customer"."active", FALSE) AND (NOT coalesce(("customer"."active" AND ("customer"."id" = 1)), FALSE)) AND coalesce("customer"."active", TRUE))',
  ],
  [
    `select id from customer where active = true and since <> '2024-01-01'`,
    `SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE (("customer"."active" = TRUE) AND ("customer"."since" <> date '2024-01-01'))`,
  ],
  [
    "select id from customer where name = 'O''Brien' and email = E'a\\\\b' and name = $$it's :id$$",
    'SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE (("customer"."name" = \'O\'\'Brien\') AND ("customer"."email" = E\'a\\\\b\') AND ("customer"."name" = \'it\'\'s :id\'))',
  ],
  [
    `select id from customer where name = ':id' /* :day /* nested :day */ */ -- :name`,
    `SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE ("customer"."name" = ':id')`,
  ],
  [
    `select id from "customer" where "name" != 'x'`,
    `SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE ("customer"."name" <> 'x')`,
  ],
  ['select ID, Name from CUSTOMER', 'SELECT "customer"."id" AS "id", "customer"."name" AS "name" FROM "customer" AS "customer"'],
  ['select id from orders for share nowait', 'SELECT "orders"."id" AS "id" FROM "orders" AS "orders" FOR SHARE NOWAIT'],
  [
    'select id from orders o where total > 0 for update of o skip locked',
    `SELECT "o"."id" AS "id" FROM "orders" AS "o" WHERE ("o"."total" > numeric '0') FOR UPDATE SKIP LOCKED`,
  ],
  [
    'select id from customer where id = (-5) or id = +3 or credit = .5 or credit = -2.25',
    `SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE (("customer"."id" = (-5)) OR ("customer"."id" = 3) OR ("customer"."credit" = numeric '0.5') OR ("customer"."credit" = numeric '-2.25'))`,
  ],
  [
    'select id from customer where credit > 99999999999999999999',
    `SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE ("customer"."credit" > numeric '99999999999999999999')`,
  ],
  ['select public_name.id from public.customer public_name', 'SELECT "public_name"."id" AS "id" FROM "customer" AS "public_name"'],
  [
    'update customer set credit = credit - :amount where id = :id and credit >= :amount returning credit',
    'UPDATE "customer" SET "credit" = ("customer"."credit" - :amount) WHERE (("customer"."id" = :id) AND ("customer"."credit" >= :amount)) RETURNING "customer"."credit" AS "credit"',
  ],
  [
    `update customer set since = '2024-02-01', email = null, active = default, credit = 5`,
    `UPDATE "customer" SET "since" = date '2024-02-01', "email" = CAST(NULL AS text), "active" = DEFAULT, "credit" = numeric '5'`,
  ],
  [
    'update customer c set credit = c.credit + o.total from orders o where o.customer_id = c.id and o.id = 1',
    'UPDATE "customer" SET "credit" = ("customer"."credit" + "o"."total") FROM "orders" AS "o" WHERE (("o"."customer_id" = "customer"."id") AND ("o"."id" = 1))',
  ],
  [
    'update orders set total = customer.total from orders customer where customer.id = orders.seq',
    'UPDATE "orders" SET "total" = "customer"."total" FROM "orders" AS "customer" WHERE ("customer"."id" = "orders"."seq")',
  ],
  [
    'update customer set credit = (select coalesce(sum(total), 0) from orders where customer_id = customer.id)',
    `UPDATE "customer" SET "credit" = (SELECT coalesce(sum("orders"."total"), numeric '0') AS "coalesce" FROM "orders" AS "orders" WHERE ("orders"."customer_id" = "customer"."id"))`,
  ],
  [
    'update active_customer set credit = 0 where id = 1',
    `UPDATE "active_customer" SET "credit" = numeric '0' WHERE ("active_customer"."id" = 1)`,
  ],
  ['delete from item where order_id = :id', 'DELETE FROM "item" WHERE ("item"."order_id" = :id)'],
  [
    'delete from orders using customer where orders.customer_id = customer.id and not customer.active',
    'DELETE FROM "orders" USING "customer" AS "customer" WHERE (("orders"."customer_id" = "customer"."id") AND (NOT "customer"."active"))',
  ],
  [
    'delete from item i where i.line = 1 returning *',
    'DELETE FROM "item" WHERE ("item"."line" = 1) RETURNING "item"."order_id" AS "order_id", "item"."line" AS "line", "item"."sku" AS "sku", "item"."qty" AS "qty"',
  ],
  [
    'delete from item as i using item as j where j.order_id = i.order_id and j.line > i.line',
    'DELETE FROM "item" USING "item" AS "j" WHERE (("j"."order_id" = "item"."order_id") AND ("j"."line" > "item"."line"))',
  ],
  [
    `insert into orders (customer_id, placed, total) values (:id, '2024-01-01', 5) returning id`,
    `INSERT INTO "orders" ("customer_id", "placed", "total") VALUES (:id, timestamp '2024-01-01 00:00:00', numeric '5') RETURNING "orders"."id" AS "id"`,
  ],
  [
    `insert into orders values (default, 1, '2024-01-01T01:02:03')`,
    `INSERT INTO "orders" ("customer_id", "placed") VALUES (1, timestamp '2024-01-01 01:02:03')`,
  ],
  [
    `insert into item values (1, 1, 'x', 2), (1, 2, 'y', :id)`,
    `INSERT INTO "item" ("order_id", "line", "sku", "qty") VALUES (1, 1, 'x', 2), (1, 2, 'y', :id)`,
  ],
  [
    `insert into item (order_id, line, sku, qty) select o.id, 1, 'abc', null from orders o`,
    `INSERT INTO "item" ("order_id", "line", "sku", "qty") (SELECT "o"."id" AS "id", 1 AS "c2", 'abc' AS "c3", CAST(NULL AS integer) AS "c4" FROM "orders" AS "o")`,
  ],
  [
    `insert into item select id, 1, 'abc', 2 from orders where note is null`,
    `INSERT INTO "item" ("order_id", "line", "sku", "qty") (SELECT "orders"."id" AS "id", 1 AS "c2", 'abc' AS "c3", 2 AS "c4" FROM "orders" AS "orders" WHERE ("orders"."note" IS NULL))`,
  ],
  [
    'with x as (select id from orders) insert into link select id, 1 from x',
    'INSERT INTO "link" ("order_id", "line") (WITH "x" AS (SELECT "orders"."id" AS "id" FROM "orders" AS "orders") SELECT "x"."id" AS "id", 1 AS "c2" FROM "x" AS "x")',
  ],
  [
    `insert into customer (id, name) values (1, 'x') on conflict (id) do update set name = excluded.name, credit = customer.credit + 1 where customer.active`,
    `INSERT INTO "customer" ("id", "name") VALUES (1, 'x') ON CONFLICT ("id") DO UPDATE SET "name" = EXCLUDED."name", "credit" = ("customer"."credit" + 1) WHERE "customer"."active"`,
  ],
  [
    `insert into customer as c (id, name) values (1, 'x') on conflict (email) do update set credit = c.credit`,
    `INSERT INTO "customer" ("id", "name") VALUES (1, 'x') ON CONFLICT ("email") DO UPDATE SET "credit" = "customer"."credit"`,
  ],
  [
    'insert into customer (id, name) values (3, :name) on conflict do nothing',
    'INSERT INTO "customer" ("id", "name") VALUES (3, :name) ON CONFLICT DO NOTHING',
  ],
  [
    `insert into item values (1, 1, 'x', 2) on conflict (line, order_id) do nothing`,
    `INSERT INTO "item" ("order_id", "line", "sku", "qty") VALUES (1, 1, 'x', 2) ON CONFLICT ("line", "order_id") DO NOTHING`,
  ],
  ['savepoint before_it', 'SAVEPOINT "before_it"'],
  ['savepoint Before_IT', 'SAVEPOINT "before_it"'],
  ['rollback to savepoint before_it', 'ROLLBACK TO SAVEPOINT "before_it"'],
  ['release before_it', 'RELEASE SAVEPOINT "before_it"'],
  // As people write them.
  [
    'select c.id, c.name, count(o.id) as n from customer c left join orders o on o.customer_id = c.id group by c.id order by n desc, c.name',
    'SELECT "c"."id" AS "id", "c"."name" AS "name", count("o"."id") AS "n" FROM ("customer" AS "c" LEFT JOIN "orders" AS "o" ON ("o"."customer_id" = "c"."id")) GROUP BY "c"."id" ORDER BY count("o"."id") DESC, "c"."name" ASC',
  ],
  [
    `select c.name, sum(i.qty * o.total) from customer c join orders o on c.id = o.customer_id join item i on i.order_id = o.id where o.status in ('new', 'paid') group by c.name having count(*) > 0`,
    `SELECT "c"."name" AS "name", sum(("i"."qty" * "o"."total")) AS "sum" FROM (("customer" AS "c" INNER JOIN "orders" AS "o" ON ("c"."id" = "o"."customer_id")) INNER JOIN "item" AS "i" ON ("i"."order_id" = "o"."id")) WHERE ("o"."status" IN ('new', 'paid')) GROUP BY "c"."name" HAVING (count(*) > bigint '0')`,
  ],
  [
    'select * from customer where id in (select customer_id from orders where total > (select avg(total) from orders))',
    'SELECT "customer"."id" AS "id", "customer"."name" AS "name", "customer"."email" AS "email", "customer"."active" AS "active", "customer"."since" AS "since", "customer"."credit" AS "credit" FROM "customer" AS "customer" WHERE ("customer"."id" IN (SELECT "orders"."customer_id" AS "customer_id" FROM "orders" AS "orders" WHERE ("orders"."total" > (SELECT avg("orders_2"."total") AS "avg" FROM "orders" AS "orders_2"))))',
  ],
  [
    'with spent as (select customer_id, sum(total) as amount from orders group by customer_id), best as (select max(amount) as top from spent) select c.name, s.amount from spent s join customer c on c.id = s.customer_id where s.amount = (select top from best)',
    'WITH "spent" AS (SELECT "orders"."customer_id" AS "customer_id", sum("orders"."total") AS "amount" FROM "orders" AS "orders" GROUP BY "orders"."customer_id"), "best" AS (SELECT max("spent"."amount") AS "top" FROM "spent" AS "spent") SELECT "c"."name" AS "name", "s"."amount" AS "amount" FROM ("spent" AS "s" INNER JOIN "customer" AS "c" ON ("c"."id" = "s"."customer_id")) WHERE ("s"."amount" = (SELECT "best"."top" AS "top" FROM "best" AS "best"))',
  ],
  [
    `update orders set status = 'paid', note = coalesce(note, '') || 'x' where id in (select o.id from orders o join item i on i.order_id = o.id where i.sku = 'x') and status = 'new'`,
    `UPDATE "orders" SET "status" = 'paid', "note" = (coalesce("orders"."note", '') || 'x') WHERE (("orders"."id" IN (SELECT "o"."id" AS "id" FROM ("orders" AS "o" INNER JOIN "item" AS "i" ON ("i"."order_id" = "o"."id")) WHERE ("i"."sku" = 'x'))) AND ("orders"."status" = 'new'))`,
  ],
  [
    'update orders set total = total + sub.s from (select order_id, sum(qty) as s from item group by order_id) sub where sub.order_id = orders.id returning orders.id, total, sub.s',
    'UPDATE "orders" SET "total" = ("orders"."total" + "sub"."s") FROM (SELECT "item"."order_id" AS "order_id", sum("item"."qty") AS "s" FROM "item" AS "item" GROUP BY "item"."order_id") AS "sub" WHERE ("sub"."order_id" = "orders"."id") RETURNING "orders"."id" AS "id", "orders"."total" AS "total", "sub"."s" AS "s"',
  ],
  [
    `delete from item where not exists (select 1 from orders where orders.id = item.order_id and orders.status <> 'new')`,
    `DELETE FROM "item" WHERE (NOT EXISTS (SELECT 1 AS "c1" FROM "orders" AS "orders" WHERE (("orders"."id" = "item"."order_id") AND ("orders"."status" <> 'new'))))`,
  ],
  [
    'insert into link (order_id, line) select order_id, max(line) + 1 from item group by order_id',
    'INSERT INTO "link" ("order_id", "line") (SELECT "item"."order_id" AS "order_id", (max("item"."line") + 1) AS "c2" FROM "item" AS "item" GROUP BY "item"."order_id")',
  ],
  [
    'insert into link select i.order_id, i.line from item i left join link l on l.order_id = i.order_id and l.line = i.line where l.line is null',
    'INSERT INTO "link" ("order_id", "line") (SELECT "i"."order_id" AS "order_id", "i"."line" AS "line" FROM ("item" AS "i" LEFT JOIN "link" AS "l" ON (("l"."order_id" = "i"."order_id") AND ("l"."line" = "i"."line"))) WHERE ("l"."line" IS NULL))',
  ],
  [
    `insert into item (order_id, line, sku, qty) select 1, coalesce(max(line), 0) + 1, 'new', 1 from item where order_id = 1`,
    `INSERT INTO "item" ("order_id", "line", "sku", "qty") (SELECT 1 AS "c1", (coalesce(max("item_2"."line"), 0) + 1) AS "c2", 'new' AS "c3", 1 AS "c4" FROM "item" AS "item_2" WHERE ("item_2"."order_id" = 1))`,
  ],
  [
    `insert into item (order_id, line, sku, qty) values (1, (select max(line) + 1 from item where order_id = 1), 'z', 1)`,
    `INSERT INTO "item" ("order_id", "line", "sku", "qty") VALUES (1, (SELECT (max("item_2"."line") + 1) AS "c1" FROM "item" AS "item_2" WHERE ("item_2"."order_id" = 1)), 'z', 1)`,
  ],
  [
    `insert into item (order_id, line, sku, qty) values (1, 1, 'x', 1) on conflict (order_id, line) do update set qty = item.qty + excluded.qty returning qty`,
    `INSERT INTO "item" ("order_id", "line", "sku", "qty") VALUES (1, 1, 'x', 1) ON CONFLICT ("order_id", "line") DO UPDATE SET "qty" = ("item"."qty" + EXCLUDED."qty") RETURNING "item"."qty" AS "qty"`,
  ],
  [
    `select case when credit >= 50 then 'rich' when credit > 0 then 'some' else 'none' end as class, count(*) from customer group by case when credit >= 50 then 'rich' when credit > 0 then 'some' else 'none' end order by class`,
    `SELECT (CASE WHEN ("customer"."credit" >= numeric '50') THEN 'rich' ELSE (CASE WHEN ("customer"."credit" > numeric '0') THEN 'some' ELSE 'none' END) END) AS "class", count(*) AS "count" FROM "customer" AS "customer" GROUP BY (CASE WHEN ("customer"."credit" >= numeric '50') THEN 'rich' ELSE (CASE WHEN ("customer"."credit" > numeric '0') THEN 'some' ELSE 'none' END) END) ORDER BY (CASE WHEN ("customer"."credit" >= numeric '50') THEN 'rich' ELSE (CASE WHEN ("customer"."credit" > numeric '0') THEN 'some' ELSE 'none' END) END) ASC`,
  ],
  [
    `select case when credit >= 50 then 'rich' else 'poor' end as class, count(*) from customer group by class`,
    `SELECT (CASE WHEN ("customer"."credit" >= numeric '50') THEN 'rich' ELSE 'poor' END) AS "class", count(*) AS "count" FROM "customer" AS "customer" GROUP BY (CASE WHEN ("customer"."credit" >= numeric '50') THEN 'rich' ELSE 'poor' END)`,
  ],
  [
    'select name from customer c where (select count(*) from orders o where o.customer_id = c.id) > 1 and exists (select 1 from item i join orders o on o.id = i.order_id where o.customer_id = c.id)',
    `SELECT "c"."name" AS "name" FROM "customer" AS "c" WHERE (((SELECT count(*) AS "count" FROM "orders" AS "o" WHERE ("o"."customer_id" = "c"."id")) > bigint '1') AND (EXISTS (SELECT 1 AS "c1" FROM ("item" AS "i" INNER JOIN "orders" AS "o" ON ("o"."id" = "i"."order_id")) WHERE ("o"."customer_id" = "c"."id"))))`,
  ],
  [
    'select o.id, row_number() over (partition by o.customer_id order by o.total desc, o.id) as pos from orders o order by o.id',
    'SELECT "o"."id" AS "id", row_number() OVER (PARTITION BY "o"."customer_id" ORDER BY "o"."total" DESC, "o"."id" ASC) AS "pos" FROM "orders" AS "o" ORDER BY "o"."id" ASC',
  ],
  [
    'select id from (select id, rank() over (order by total desc) as r from orders) ranked where r = 1',
    `SELECT "ranked"."id" AS "id" FROM (SELECT "orders"."id" AS "id", rank() OVER (ORDER BY "orders"."total" DESC) AS "r" FROM "orders" AS "orders") AS "ranked" WHERE ("ranked"."r" = bigint '1')`,
  ],
  [
    `select sum(case when status = 'new' then total else 0 end) as open, sum(total) from orders`,
    `SELECT sum((CASE WHEN ("orders"."status" = 'new') THEN "orders"."total" ELSE numeric '0' END)) AS "open", sum("orders"."total") AS "sum" FROM "orders" AS "orders"`,
  ],
  [
    `select max(placed), min(placed::date) from orders where placed < '2024-05-02 12:00:00'`,
    `SELECT max("orders"."placed") AS "max", min(CAST("orders"."placed" AS date)) AS "min" FROM "orders" AS "orders" WHERE ("orders"."placed" < timestamp '2024-05-02 12:00:00')`,
  ],
  [
    `select count(*) from orders where placed::date = '2024-05-02'`,
    `SELECT count(*) AS "count" FROM "orders" AS "orders" WHERE (CAST("orders"."placed" AS date) = date '2024-05-02')`,
  ],
  [
    'select distinct c.name, o.status from customer c, orders o where c.id = o.customer_id order by c.name, o.status',
    'SELECT DISTINCT "c"."name" AS "name", "o"."status" AS "status" FROM ("customer" AS "c" CROSS JOIN "orders" AS "o") WHERE ("c"."id" = "o"."customer_id") ORDER BY "c"."name" ASC, "o"."status" ASC',
  ],
  [
    'select c.name from customer c where c.id not in (select o.customer_id from orders o where o.customer_id is not null)',
    'SELECT "c"."name" AS "name" FROM "customer" AS "c" WHERE ("c"."id" NOT IN (SELECT "o"."customer_id" AS "customer_id" FROM "orders" AS "o" WHERE ("o"."customer_id" IS NOT NULL)))',
  ],
  [
    'select abs(sum(case when active then credit else -credit end)) from customer',
    'SELECT abs(sum((CASE WHEN "customer"."active" THEN "customer"."credit" ELSE (0 - "customer"."credit") END))) AS "abs" FROM "customer" AS "customer"',
  ],
  [
    '(select id from customer order by credit desc limit 1) union all (select id from customer order by credit limit 1)',
    '(SELECT "customer"."id" AS "id" FROM "customer" AS "customer" ORDER BY "customer"."credit" DESC LIMIT 1) UNION ALL (SELECT "customer"."id" AS "id" FROM "customer" AS "customer" ORDER BY "customer"."credit" ASC LIMIT 1)',
  ],
  [
    'select a.id, b.id from customer a join customer b on a.id < b.id and a.credit = b.credit + 100 - 20.5 + 0',
    `SELECT "a"."id" AS "id", "b"."id" AS "id_2" FROM ("customer" AS "a" INNER JOIN "customer" AS "b" ON (("a"."id" < "b"."id") AND ("a"."credit" = ((("b"."credit" + 100) - numeric '20.5') + 0))))`,
  ],
  [
    'select customer.id, orders.id, (select count(*) from item where item.order_id = orders.id) from customer join orders on orders.customer_id = customer.id for update',
    'SELECT "customer"."id" AS "id", "orders"."id" AS "id_2", (SELECT count(*) AS "count" FROM "item" AS "item" WHERE ("item"."order_id" = "orders"."id")) AS "count" FROM ("customer" AS "customer" INNER JOIN "orders" AS "orders" ON ("orders"."customer_id" = "customer"."id")) FOR UPDATE',
  ],
  [
    'select id, total from orders where customer_id = :id order by placed desc limit 1 for update',
    'SELECT "orders"."id" AS "id", "orders"."total" AS "total" FROM "orders" AS "orders" WHERE ("orders"."customer_id" = :id) ORDER BY "orders"."placed" DESC LIMIT 1 FOR UPDATE',
  ],
  [
    'update customer set credit = credit - 1 where id = :id and credit - 1 >= (select coalesce(sum(total), 0) from orders where orders.customer_id = customer.id)',
    `UPDATE "customer" SET "credit" = ("customer"."credit" - 1) WHERE (("customer"."id" = :id) AND (("customer"."credit" - 1) >= (SELECT coalesce(sum("orders"."total"), numeric '0') AS "coalesce" FROM "orders" AS "orders" WHERE ("orders"."customer_id" = "customer"."id"))))`,
  ],
  [
    'update active_customer set credit = active_customer.credit + o.total from orders o where o.customer_id = active_customer.id',
    'UPDATE "active_customer" SET "credit" = ("active_customer"."credit" + "o"."total") FROM "orders" AS "o" WHERE ("o"."customer_id" = "active_customer"."id")',
  ],
  [
    'delete from orders where id = (select min(id) from orders)',
    'DELETE FROM "orders" WHERE ("orders"."id" = (SELECT min("orders_2"."id") AS "min" FROM "orders" AS "orders_2"))',
  ],
  ['delete from customer where id = 1', 'DELETE FROM "customer" WHERE ("customer"."id" = 1)'],
  [
    'select v.who, c.credit from totals v join customer c on c.name = v.who',
    'SELECT "v"."who" AS "who", "c"."credit" AS "credit" FROM ("totals" AS "v" INNER JOIN "customer" AS "c" ON ("c"."name" = "v"."who"))',
  ],
  [
    'select t.n from (with z as (select count(*) as n from orders) select n from z) t',
    'SELECT "t"."n" AS "n" FROM (WITH "z" AS (SELECT count(*) AS "n" FROM "orders" AS "orders") SELECT "z"."n" AS "n" FROM "z" AS "z") AS "t"',
  ],
  ['select greatest.id from customer greatest', 'SELECT "greatest"."id" AS "id" FROM "customer" AS "greatest"'],
  [
    'select o.status, count(*) filter (where o.total > 3) as big, count(*) as all_of_them from orders o group by o.status having count(*) filter (where o.total > 3) >= 0',
    `SELECT "o"."status" AS "status", count(*) FILTER (WHERE ("o"."total" > numeric '3')) AS "big", count(*) AS "all_of_them" FROM "orders" AS "o" GROUP BY "o"."status" HAVING (count(*) FILTER (WHERE ("o"."total" > numeric '3')) >= bigint '0')`,
  ],
  [
    'select customer_id, status, count(*) from orders group by rollup (customer_id, status) having count(*) > 0 order by customer_id, status',
    `SELECT "orders"."customer_id" AS "customer_id", "orders"."status" AS "status", count(*) AS "count" FROM "orders" AS "orders" GROUP BY ROLLUP ("orders"."customer_id", "orders"."status") HAVING (count(*) > bigint '0') ORDER BY "orders"."customer_id" ASC, "orders"."status" ASC`,
  ],
  [
    `select name from customer where lower(name) like 'a%' or right(name, 1) = 'b' or length(name) > mod(7, 4)`,
    `SELECT "customer"."name" AS "name" FROM "customer" AS "customer" WHERE ((lower("customer"."name") LIKE 'a%') OR (right("customer"."name", 1) = 'b') OR (length("customer"."name") > mod(7, 4)))`,
  ],
  [
    'select c.name, x.total from customer c left join lateral (select o.total from orders o where o.customer_id = c.id order by o.total desc limit 1) x on true',
    'SELECT "c"."name" AS "name", "x"."total" AS "total" FROM ("customer" AS "c" LEFT JOIN LATERAL (SELECT "o"."total" AS "total" FROM "orders" AS "o" WHERE ("o"."customer_id" = "c"."id") ORDER BY "o"."total" DESC LIMIT 1) AS "x" ON TRUE)',
  ],
  [
    'select id from customer where credit between 0 and 50 intersect select customer_id from orders',
    `(SELECT "customer"."id" AS "id" FROM "customer" AS "customer" WHERE ("customer"."credit" BETWEEN numeric '0' AND numeric '50')) INTERSECT (SELECT "orders"."customer_id" AS "customer_id" FROM "orders" AS "orders")`,
  ],
  [
    `select name from customer where (active or credit > 5) and not (credit = 0 and active) and (since is null or since >= '2020-01-01')`,
    `SELECT "customer"."name" AS "name" FROM "customer" AS "customer" WHERE (("customer"."active" OR ("customer"."credit" > numeric '5')) AND (NOT (("customer"."credit" = numeric '0') AND "customer"."active")) AND (("customer"."since" IS NULL) OR ("customer"."since" >= date '2020-01-01')))`,
  ],
  [
    'select i.sku, sum(i.qty) as sold from item i natural join link group by i.sku',
    'SELECT "i"."sku" AS "sku", sum("i"."qty") AS "sold" FROM ("item" AS "i" NATURAL INNER JOIN "link" AS "link") GROUP BY "i"."sku"',
  ],
  [
    'select o.id from orders o where o.total >= all (select total from orders) or o.seq = any (select seq from orders where id = 1)',
    'SELECT "o"."id" AS "id" FROM "orders" AS "o" WHERE (("o"."total" >= ALL (SELECT "orders"."total" AS "total" FROM "orders" AS "orders")) OR ("o"."seq" = ANY (SELECT "orders"."seq" AS "seq" FROM "orders" AS "orders" WHERE ("orders"."id" = 1))))',
  ],
  [
    'select count(*) as n from customer having count(*) > 1',
    `SELECT count(*) AS "n" FROM "customer" AS "customer" HAVING (count(*) > bigint '1')`,
  ],
  [
    `select coalesce((select note from orders where id = 99), 'nothing') from customer where id = 1`,
    `SELECT coalesce((SELECT "orders"."note" AS "note" FROM "orders" AS "orders" WHERE ("orders"."id" = 99)), 'nothing') AS "coalesce" FROM "customer" AS "customer" WHERE ("customer"."id" = 1)`,
  ],
  [
    `merge into customer c using (select customer_id, sum(total) as t from orders group by customer_id) o on o.customer_id = c.id when matched and o.t > 5 then update set credit = c.credit + o.t when not matched then insert (id, name, email) values (o.customer_id, 'new', default) when not matched by source then do nothing returning c.id, o.t`,
    `MERGE INTO "customer" AS "customer" USING (SELECT "orders"."customer_id" AS "customer_id", sum("orders"."total") AS "t" FROM "orders" AS "orders" GROUP BY "orders"."customer_id") AS "o" ON ("o"."customer_id" = "customer"."id") WHEN MATCHED AND ("o"."t" > numeric '5') THEN UPDATE SET "credit" = ("customer"."credit" + "o"."t") WHEN NOT MATCHED THEN INSERT ("id", "name") VALUES ("o"."customer_id", 'new') WHEN NOT MATCHED BY SOURCE THEN DO NOTHING RETURNING "customer"."id" AS "id", "o"."t" AS "t"`,
  ],
  [
    'merge into item using orders o on o.id = item.order_id and line = 1 when matched and exists (select 1 from link where link.order_id = o.id) then delete when matched then do nothing',
    'MERGE INTO "item" AS "item" USING "orders" AS "o" ON (("o"."id" = "item"."order_id") AND ("item"."line" = 1)) WHEN MATCHED AND (EXISTS (SELECT 1 AS "c1" FROM "link" AS "link" WHERE ("link"."order_id" = "o"."id"))) THEN DELETE WHEN MATCHED THEN DO NOTHING',
  ],
  [
    'merge into link using active_customer on id = order_id when not matched then insert values (id, 3) returning *',
    'MERGE INTO "link" AS "link" USING "active_customer" AS "active_customer" ON ("active_customer"."id" = "link"."order_id") WHEN NOT MATCHED THEN INSERT ("order_id", "line") VALUES ("active_customer"."id", 3) RETURNING "active_customer"."id" AS "id", "active_customer"."name" AS "name", "active_customer"."credit" AS "credit", "link"."order_id" AS "order_id", "link"."line" AS "line"',
  ],
  [
    'with gone as (delete from orders o where o.total = 0 returning o.id, customer_id as who) update customer set credit = credit - 1 from gone where gone.who = customer.id returning name',
    `WITH "gone" AS (DELETE FROM "orders" WHERE ("orders"."total" = numeric '0') RETURNING "orders"."id" AS "id", "orders"."customer_id" AS "who") UPDATE "customer" SET "credit" = ("customer"."credit" - 1) FROM "gone" AS "gone" WHERE ("gone"."who" = "customer"."id") RETURNING "customer"."name" AS "name"`,
  ],
  [
    'with x as (update link set line = line + 1 returning order_id), y as (insert into link select order_id, 7 from x returning line) select line from y where line > (select count(*) from x)',
    'WITH "x" AS (UPDATE "link" SET "line" = ("link"."line" + 1) RETURNING "link"."order_id" AS "order_id"), "y" AS (INSERT INTO "link" ("order_id", "line") (SELECT "x"."order_id" AS "order_id", 7 AS "c2" FROM "x" AS "x") RETURNING "link"."line" AS "line") SELECT "y"."line" AS "line" FROM "y" AS "y" WHERE ("y"."line" > (SELECT count(*) AS "count" FROM "x" AS "x"))',
  ],
  [
    'with customer as (insert into link values (1, 2)) select id from orders',
    'WITH "customer_2" AS (INSERT INTO "link" ("order_id", "line") VALUES (1, 2)) SELECT "orders"."id" AS "id" FROM "orders" AS "orders"',
  ],
  [
    'merge into link using (select id, customer_id from orders) o on o.id = link.order_id when not matched and exists (select 1 from customer c where c.id = o.customer_id) then insert values (o.id, 9)',
    'MERGE INTO "link" AS "link" USING (SELECT "orders"."id" AS "id", "orders"."customer_id" AS "customer_id" FROM "orders" AS "orders") AS "o" ON ("o"."id" = "link"."order_id") WHEN NOT MATCHED AND (EXISTS (SELECT 1 AS "c1" FROM "customer" AS "c" WHERE ("c"."id" = "o"."customer_id"))) THEN INSERT ("order_id", "line") VALUES ("o"."id", 9)',
  ],
  [
    "select id from orders where placed + interval '2 hours' > '2024-01-01' and placed < timestamp '2024-01-01 10:00' - interval '90' minute",
    `SELECT "orders"."id" AS "id" FROM "orders" AS "orders" WHERE ((("orders"."placed" + INTERVAL '7200 seconds') > timestamp '2024-01-01 00:00:00') AND ("orders"."placed" < (timestamp '2024-01-01 10:00:00' - INTERVAL '5400 seconds')))`,
  ],
  [
    "select id from orders where interval '1 day 02:30:15' + placed > '2024-01-01' or placed - '-1 week 3 minutes'::interval > placed + interval '-01:30'",
    `SELECT "orders"."id" AS "id" FROM "orders" AS "orders" WHERE ((("orders"."placed" + INTERVAL '95415 seconds') > timestamp '2024-01-01 00:00:00') OR (("orders"."placed" + INTERVAL '604620 seconds') > ("orders"."placed" - INTERVAL '5400 seconds')))`,
  ],
  [
    "insert into orders (customer_id, placed) values (1, '2024-02-28 23:00'::timestamptz + interval '1 hour')",
    `INSERT INTO "orders" ("customer_id", "placed") VALUES (1, (timestamp '2024-02-28 23:00:00' + INTERVAL '3600 seconds'))`,
  ],
  ['lock table orders in share row exclusive mode', 'LOCK TABLE "orders" IN SHARE ROW EXCLUSIVE MODE'],
  ['lock public.item in access share mode', 'LOCK TABLE "item" IN ACCESS SHARE MODE'],
  ['lock table item', 'LOCK TABLE "item" IN ACCESS EXCLUSIVE MODE'],
];
