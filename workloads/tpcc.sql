-- An order system after TPC Benchmark C (standard specification 5.11): its nine tables and five transactions, written for
-- this project, at a scale of a few dozen rows so that sessions meet. `--scale N`: N warehouses.
--
-- The five transactions name their district and customer at the start; what the specification keeps in variables of the
-- client (the next order's number, the oldest undelivered order) is asked for again by a subquery. No think times, no
-- selection by last name but in order-status-by-name; a delivery is that of one district.
--
-- The invariants are the specification's consistency conditions 1 to 4 (clause 3.3.2).
--
-- What is known to go wrong:
--   Under snapshot isolation TPC-C is serializable column by column (Fekete et al., Making Snapshot Isolation Serializable,
--   2005). Versions are rows here, and rows tell more: new-order reads the tax of a warehouse whose takings payment
--   changes, and the discount of a customer whose balance delivery changes. With that, PostgreSQL REPEATABLE READ shows
--   write skews of whole rows (delivery beside new-order, and payment beside new-order seen by stock-level), which break
--   no condition.
--   READ COMMITTED: two deliveries may take the same order; stock-level and order-status see two states (read skew).
--   REPEATABLE READ where writes overtake the snapshot (MySQL, MariaDB without snapshot isolation): new-order reads a
--   warehouse and a customer, and then writes behind transactions that changed them (read skew, read-write skew).
-- At SERIALIZABLE: nothing, and the conditions hold.

-- @schema
CREATE TABLE warehouse (
  w_id int PRIMARY KEY,
  w_name varchar(10) NOT NULL,
  w_tax decimal(4,4) NOT NULL,
  w_ytd decimal(12,2) NOT NULL
);
CREATE TABLE district (
  d_w_id int NOT NULL,
  d_id int NOT NULL,
  d_tax decimal(4,4) NOT NULL,
  d_ytd decimal(12,2) NOT NULL,
  d_next_o_id int NOT NULL,
  PRIMARY KEY (d_w_id, d_id),
  FOREIGN KEY (d_w_id) REFERENCES warehouse (w_id)
);
CREATE TABLE customer (
  c_w_id int NOT NULL,
  c_d_id int NOT NULL,
  c_id int NOT NULL,
  c_last varchar(16) NOT NULL,
  c_credit varchar(2) NOT NULL,
  c_discount decimal(4,4) NOT NULL,
  c_balance decimal(12,2) NOT NULL,
  c_ytd_payment decimal(12,2) NOT NULL,
  c_payment_cnt int NOT NULL,
  c_delivery_cnt int NOT NULL,
  PRIMARY KEY (c_w_id, c_d_id, c_id),
  FOREIGN KEY (c_w_id, c_d_id) REFERENCES district (d_w_id, d_id)
);
CREATE INDEX customer_last ON customer (c_w_id, c_d_id, c_last);
CREATE TABLE history (
  h_c_w_id int NOT NULL,
  h_c_d_id int NOT NULL,
  h_c_id int NOT NULL,
  h_date date NOT NULL,
  h_amount decimal(6,2) NOT NULL
);
CREATE TABLE orders (
  o_w_id int NOT NULL,
  o_d_id int NOT NULL,
  o_id int NOT NULL,
  o_c_id int NOT NULL,
  o_entry_d date NOT NULL,
  o_carrier_id int,
  o_ol_cnt int NOT NULL,
  PRIMARY KEY (o_w_id, o_d_id, o_id)
);
CREATE INDEX orders_customer ON orders (o_w_id, o_d_id, o_c_id, o_id);
CREATE TABLE new_order (
  no_w_id int NOT NULL,
  no_d_id int NOT NULL,
  no_o_id int NOT NULL,
  PRIMARY KEY (no_w_id, no_d_id, no_o_id)
);
CREATE TABLE item (
  i_id int PRIMARY KEY,
  i_name varchar(24) NOT NULL,
  i_price decimal(5,2) NOT NULL
);
CREATE TABLE stock (
  s_w_id int NOT NULL,
  s_i_id int NOT NULL,
  s_quantity int NOT NULL,
  s_ytd int NOT NULL,
  s_order_cnt int NOT NULL,
  PRIMARY KEY (s_w_id, s_i_id),
  FOREIGN KEY (s_w_id) REFERENCES warehouse (w_id),
  FOREIGN KEY (s_i_id) REFERENCES item (i_id)
);
CREATE TABLE order_line (
  ol_w_id int NOT NULL,
  ol_d_id int NOT NULL,
  ol_o_id int NOT NULL,
  ol_number int NOT NULL,
  ol_i_id int NOT NULL,
  ol_delivery_d date,
  ol_quantity int NOT NULL,
  ol_amount decimal(6,2) NOT NULL,
  PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number)
);

-- @data
-- @for :w 1..1*scale
-- @parameter :name text 6..10
INSERT INTO warehouse (w_id, w_name, w_tax, w_ytd) VALUES (:w, :name, 0.1000, 600.00);
-- @for :w 1..1*scale, :d 1..2
INSERT INTO district (d_w_id, d_id, d_tax, d_ytd, d_next_o_id) VALUES (:w, :d, 0.0500, 300.00, 4);
-- @for :w 1..1*scale, :d 1..2, :c 1..4
-- @parameter :last one of 'BAR', 'OUGHT', 'ABLE'
INSERT INTO customer (c_w_id, c_d_id, c_id, c_last, c_credit, c_discount, c_balance, c_ytd_payment, c_payment_cnt, c_delivery_cnt)
VALUES (:w, :d, :c, :last, 'GC', 0.0500, -10.00, 10.00, 1, 0);
-- @for :i 1..8
-- @parameter :name text 6..14
-- @parameter :price decimal 1.00..90.00
INSERT INTO item (i_id, i_name, i_price) VALUES (:i, :name, :price);
-- @for :w 1..1*scale, :i 1..8
-- @parameter :quantity int 10..100
INSERT INTO stock (s_w_id, s_i_id, s_quantity, s_ytd, s_order_cnt) VALUES (:w, :i, :quantity, 0, 0);
-- @for :w 1..1*scale, :d 1..2, :o 1..3
INSERT INTO orders (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_ol_cnt) VALUES (:w, :d, :o, :o, '2026-01-01', 2);
-- @for :w 1..1*scale, :d 1..2, :o 1..3
INSERT INTO new_order (no_w_id, no_d_id, no_o_id) VALUES (:w, :d, :o);
-- @for :w 1..1*scale, :d 1..2, :o 1..3, :line 1..2
-- @parameter :item int 1..8
INSERT INTO order_line (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_quantity, ol_amount) VALUES (:w, :d, :o, :line, :item, 5, 10.00);

-- @transaction new-order weight=45 rollback=1%
-- @parameter :w key of warehouse
-- @parameter :d int 1..2
-- @parameter :c int 1..4
-- @parameter :day date 2026-01-02..2026-12-31
-- @parameter :lines int 2..4
SELECT w.w_tax, c.c_discount, c.c_last, c.c_credit
FROM warehouse AS w JOIN customer AS c ON c.c_w_id = w.w_id
WHERE w.w_id = :w AND c.c_d_id = :d AND c.c_id = :c;
UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = :w AND d_id = :d;
INSERT INTO orders (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_ol_cnt)
SELECT d.d_w_id, d.d_id, d.d_next_o_id - 1, :c, :day, :lines FROM district AS d WHERE d.d_w_id = :w AND d.d_id = :d;
INSERT INTO new_order (no_w_id, no_d_id, no_o_id)
SELECT d.d_w_id, d.d_id, d.d_next_o_id - 1 FROM district AS d WHERE d.d_w_id = :w AND d.d_id = :d;
-- @repeat :line :lines
-- @parameter :item hotspot key of item
-- @parameter :quantity int 1..10
UPDATE stock
SET s_quantity = CASE WHEN s_quantity >= :quantity + 10 THEN s_quantity - :quantity ELSE s_quantity - :quantity + 91 END,
  s_ytd = s_ytd + :quantity,
  s_order_cnt = s_order_cnt + 1
WHERE s_w_id = :w AND s_i_id = :item;
INSERT INTO order_line (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_quantity, ol_amount)
SELECT d.d_w_id, d.d_id, d.d_next_o_id - 1, :line, i.i_id, :quantity, i.i_price * :quantity
FROM district AS d CROSS JOIN item AS i
WHERE d.d_w_id = :w AND d.d_id = :d AND i.i_id = :item;
-- @end repeat

-- @transaction payment weight=43
-- @parameter :w key of warehouse
-- @parameter :d int 1..2
-- @parameter :c int 1..4
-- @parameter :amount decimal 1.00..500.00
-- @parameter :day date 2026-01-02..2026-12-31
UPDATE warehouse SET w_ytd = w_ytd + :amount WHERE w_id = :w;
SELECT w.w_name FROM warehouse AS w WHERE w.w_id = :w;
UPDATE district SET d_ytd = d_ytd + :amount WHERE d_w_id = :w AND d_id = :d;
UPDATE customer
SET c_balance = c_balance - :amount, c_ytd_payment = c_ytd_payment + :amount, c_payment_cnt = c_payment_cnt + 1
WHERE c_w_id = :w AND c_d_id = :d AND c_id = :c;
INSERT INTO history (h_c_w_id, h_c_d_id, h_c_id, h_date, h_amount) VALUES (:w, :d, :c, :day, :amount);

-- @transaction order-status weight=2
-- @parameter :w key of warehouse
-- @parameter :d int 1..2
-- @parameter :c int 1..4
SELECT c.c_balance, c.c_last FROM customer AS c WHERE c.c_w_id = :w AND c.c_d_id = :d AND c.c_id = :c;
SELECT o.o_id, o.o_entry_d, o.o_carrier_id FROM orders AS o
WHERE o.o_w_id = :w AND o.o_d_id = :d
  AND o.o_id = (SELECT max(p.o_id) FROM orders AS p WHERE p.o_w_id = :w AND p.o_d_id = :d AND p.o_c_id = :c);
SELECT l.ol_i_id, l.ol_quantity, l.ol_amount, l.ol_delivery_d FROM order_line AS l
WHERE l.ol_w_id = :w AND l.ol_d_id = :d
  AND l.ol_o_id = (SELECT max(p.o_id) FROM orders AS p WHERE p.o_w_id = :w AND p.o_d_id = :d AND p.o_c_id = :c);

-- @transaction order-status-by-name weight=2
-- @parameter :w key of warehouse
-- @parameter :d int 1..2
-- @parameter :last one of 'BAR', 'OUGHT', 'ABLE'
SELECT c.c_id, c.c_balance FROM customer AS c WHERE c.c_w_id = :w AND c.c_d_id = :d AND c.c_last = :last ORDER BY c.c_id;
SELECT o.o_c_id, max(o.o_id) AS latest FROM orders AS o JOIN customer AS c ON c.c_w_id = o.o_w_id AND c.c_d_id = o.o_d_id AND c.c_id = o.o_c_id
WHERE o.o_w_id = :w AND o.o_d_id = :d AND c.c_last = :last GROUP BY o.o_c_id;

-- The oldest undelivered order of one district; where there is none, nothing happens.
-- @transaction delivery weight=8
-- @parameter :w key of warehouse
-- @parameter :d int 1..2
-- @parameter :carrier int 1..10
-- @parameter :day date 2026-01-02..2026-12-31
UPDATE customer
SET c_balance = c_balance + (
    SELECT sum(l.ol_amount) FROM order_line AS l
    WHERE l.ol_w_id = :w AND l.ol_d_id = :d
      AND l.ol_o_id = (SELECT min(n.no_o_id) FROM new_order AS n WHERE n.no_w_id = :w AND n.no_d_id = :d)),
  c_delivery_cnt = c_delivery_cnt + 1
WHERE c_w_id = :w AND c_d_id = :d
  AND c_id = (
    SELECT o.o_c_id FROM orders AS o
    WHERE o.o_w_id = :w AND o.o_d_id = :d
      AND o.o_id = (SELECT min(n.no_o_id) FROM new_order AS n WHERE n.no_w_id = :w AND n.no_d_id = :d));
UPDATE order_line SET ol_delivery_d = :day
WHERE ol_w_id = :w AND ol_d_id = :d
  AND ol_o_id = (SELECT min(n.no_o_id) FROM new_order AS n WHERE n.no_w_id = :w AND n.no_d_id = :d);
UPDATE orders SET o_carrier_id = :carrier
WHERE o_w_id = :w AND o_d_id = :d
  AND o_id = (SELECT min(n.no_o_id) FROM new_order AS n WHERE n.no_w_id = :w AND n.no_d_id = :d);
DELETE FROM new_order
WHERE no_w_id = :w AND no_d_id = :d
  AND (SELECT count(*) FROM orders AS o WHERE o.o_w_id = :w AND o.o_d_id = :d AND o.o_id = new_order.no_o_id AND o.o_carrier_id IS NOT NULL) = 1;

-- @transaction stock-level weight=4
-- @parameter :w key of warehouse
-- @parameter :d int 1..2
-- @parameter :threshold int 10..20
SELECT d.d_next_o_id FROM district AS d WHERE d.d_w_id = :w AND d.d_id = :d;
SELECT count(DISTINCT s.s_i_id) AS low_stock
FROM district AS d
  JOIN order_line AS l ON l.ol_w_id = d.d_w_id AND l.ol_d_id = d.d_id
  JOIN stock AS s ON s.s_w_id = l.ol_w_id AND s.s_i_id = l.ol_i_id
WHERE d.d_w_id = :w AND d.d_id = :d AND l.ol_o_id < d.d_next_o_id AND l.ol_o_id >= d.d_next_o_id - 20 AND s.s_quantity < :threshold;

-- Condition 1: what a warehouse took in is what its districts took in.
-- @invariant condition-1
SELECT w.w_id, w.w_ytd FROM warehouse AS w
WHERE w.w_ytd <> (SELECT sum(d.d_ytd) FROM district AS d WHERE d.d_w_id = w.w_id);

-- Condition 2: the next order number follows the greatest one, which is also the greatest undelivered one, if there is one.
-- @invariant condition-2
SELECT d.d_w_id, d.d_id, d.d_next_o_id FROM district AS d
WHERE d.d_next_o_id - 1 <> (SELECT max(o.o_id) FROM orders AS o WHERE o.o_w_id = d.d_w_id AND o.o_d_id = d.d_id)
  OR d.d_next_o_id - 1 <> (SELECT max(n.no_o_id) FROM new_order AS n WHERE n.no_w_id = d.d_w_id AND n.no_d_id = d.d_id);

-- Condition 3: the undelivered orders of a district have numbers without a gap.
-- @invariant condition-3
SELECT n.no_w_id, n.no_d_id, min(n.no_o_id) AS oldest, max(n.no_o_id) AS newest, count(*) AS undelivered FROM new_order AS n
GROUP BY n.no_w_id, n.no_d_id
HAVING max(n.no_o_id) - min(n.no_o_id) + 1 <> count(*);

-- Condition 4: the orders of a district have as many lines as they say.
-- @invariant condition-4
SELECT d.d_w_id, d.d_id FROM district AS d
WHERE (SELECT sum(o.o_ol_cnt) FROM orders AS o WHERE o.o_w_id = d.d_w_id AND o.o_d_id = d.d_id)
  <> (SELECT count(*) FROM order_line AS l WHERE l.ol_w_id = d.d_w_id AND l.ol_d_id = d.d_id);
