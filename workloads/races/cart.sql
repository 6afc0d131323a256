-- Lost cart line: what is put into a cart while it is paid for is charged to nobody, or gone (ACIDRain, SIGMOD 2017: the cart
-- invariant).
--
-- add beside check-out of one cart: the total is summed, a line comes in, and it is ordered with the others, for nothing; or it
-- comes between copying and clearing, and is lost.

-- @schema
CREATE TABLE carts (
  id int PRIMARY KEY,
  customer_id int NOT NULL
);
CREATE TABLE cart_lines (
  id int PRIMARY KEY,
  cart_id int NOT NULL,
  price int NOT NULL,
  FOREIGN KEY (cart_id) REFERENCES carts (id)
);
CREATE INDEX cart_lines_by_cart ON cart_lines (cart_id);
CREATE TABLE orders (
  id int PRIMARY KEY,
  cart_id int NOT NULL,
  total int NOT NULL
);
CREATE TABLE order_lines (
  id int PRIMARY KEY,
  order_id int NOT NULL,
  price int NOT NULL
);

-- @data
INSERT INTO carts (id, customer_id) VALUES (1, 10), (2, 20);
INSERT INTO cart_lines (id, cart_id, price) VALUES (1, 1, 5), (2, 2, 5);

-- @transaction add
-- @parameter :line unique
-- @parameter :cart key of carts
-- @parameter :price int 1..9
SELECT customer_id FROM carts WHERE id = :cart;
INSERT INTO cart_lines (id, cart_id, price) VALUES (:line, :cart, :price);

-- @transaction check-out
-- @parameter :order unique
-- @parameter :cart key of carts
SELECT customer_id FROM carts WHERE id = :cart;
SELECT sum(price) INTO :total FROM cart_lines WHERE cart_id = :cart;
IF :total IS NULL ROLLBACK;
INSERT INTO orders (id, cart_id, total) VALUES (:order, :cart, :total);
INSERT INTO order_lines (id, order_id, price) SELECT l.id, :order, l.price FROM cart_lines AS l WHERE l.cart_id = :cart;
DELETE FROM cart_lines WHERE cart_id = :cart;

-- @invariant what-is-ordered-is-charged
SELECT o.id, o.total FROM orders AS o
WHERE o.total <> (SELECT coalesce(sum(l.price), 0) FROM order_lines AS l WHERE l.order_id = o.id);
