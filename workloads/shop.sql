-- A shop with stock and coupons: carts are paid for while others reserve the same goods, and a coupon is good for a number
-- of uses.
--
-- What is known to go wrong:
--   checkout beside checkout of one product: both see enough in stock, both take it: oversold (lost update, READ COMMITTED).
--   reserve beside reserve: what is reserved is counted, not kept in a row: both find room for theirs (a write skew between
--     predicates: PostgreSQL REPEATABLE READ; READ COMMITTED everywhere).
--   redeem beside redeem: the coupon's uses are counted in the same way: used twice.
-- At SERIALIZABLE: nothing, and the invariants hold.

-- @schema
CREATE TABLE customers (
  customer_id int PRIMARY KEY,
  name varchar(40) NOT NULL
);
CREATE TABLE products (
  product_id int PRIMARY KEY,
  name varchar(40) NOT NULL,
  price decimal(10,2) NOT NULL,
  delivered int NOT NULL,
  stock int NOT NULL
);
CREATE TABLE coupons (
  coupon_id int PRIMARY KEY,
  discount decimal(10,2) NOT NULL,
  most_uses int NOT NULL
);
CREATE TABLE orders (
  order_id int PRIMARY KEY,
  customer_id int NOT NULL,
  total decimal(12,2) NOT NULL,
  FOREIGN KEY (customer_id) REFERENCES customers (customer_id)
);
CREATE TABLE order_lines (
  order_id int NOT NULL,
  product_id int NOT NULL,
  quantity int NOT NULL,
  price decimal(10,2) NOT NULL,
  PRIMARY KEY (order_id, product_id)
);
CREATE INDEX order_lines_product ON order_lines (product_id);
CREATE TABLE reservations (
  reservation_id int PRIMARY KEY,
  customer_id int NOT NULL,
  product_id int NOT NULL,
  quantity int NOT NULL
);
CREATE INDEX reservations_product ON reservations (product_id);
CREATE TABLE redemptions (
  redemption_id int PRIMARY KEY,
  coupon_id int NOT NULL,
  customer_id int NOT NULL
);
CREATE INDEX redemptions_coupon ON redemptions (coupon_id);

-- @data
-- @for :c 1..5*scale
-- @parameter :name text 4..10
INSERT INTO customers (customer_id, name) VALUES (:c, :name);
-- @for :p 1..3*scale
-- @parameter :name text 4..10
-- @parameter :price decimal 1.00..50.00
INSERT INTO products (product_id, name, price, delivered, stock) VALUES (:p, :name, :price, 5, 5);
-- @for :p 1..3*scale
INSERT INTO coupons (coupon_id, discount, most_uses) VALUES (:p, 5.00, 1);

-- The line is made if the goods are there, and they are taken if the line was made.
-- @transaction checkout weight=5 rollback=2%
-- @parameter :order unique
-- @parameter :customer key of customers
-- @parameter :product zipfian key of products
-- @parameter :quantity int 1..4
SELECT p.name, p.price, p.stock FROM products AS p WHERE p.product_id = :product;
INSERT INTO orders (order_id, customer_id, total) VALUES (:order, :customer, 0.00);
INSERT INTO order_lines (order_id, product_id, quantity, price)
SELECT :order, p.product_id, :quantity, p.price FROM products AS p WHERE p.product_id = :product AND p.stock >= :quantity;
UPDATE products SET stock = stock - :quantity
WHERE product_id = :product AND (SELECT count(*) FROM order_lines AS l WHERE l.order_id = :order) = 1;
UPDATE orders SET total = (SELECT coalesce(sum(l.quantity * l.price), 0) FROM order_lines AS l WHERE l.order_id = :order)
WHERE order_id = :order;

-- @transaction restock weight=2
-- @parameter :product zipfian key of products
-- @parameter :quantity int 1..4
UPDATE products SET delivered = delivered + :quantity, stock = stock + :quantity WHERE product_id = :product;

-- At most ten pieces of a product are set aside.
-- @transaction reserve weight=4
-- @parameter :reservation unique
-- @parameter :customer key of customers
-- @parameter :product zipfian key of products
-- @parameter :quantity int 1..5
INSERT INTO reservations (reservation_id, customer_id, product_id, quantity)
SELECT :reservation, :customer, p.product_id, :quantity FROM products AS p
WHERE p.product_id = :product
  AND (SELECT coalesce(sum(r.quantity), 0) FROM reservations AS r WHERE r.product_id = :product) + :quantity <= 10;
SELECT r.product_id, sum(r.quantity) AS set_aside FROM reservations AS r WHERE r.customer_id = :customer GROUP BY r.product_id;

-- @transaction release weight=2
-- @parameter :customer key of customers
-- @parameter :product zipfian key of products
DELETE FROM reservations WHERE product_id = :product AND customer_id <= :customer;

-- @transaction redeem weight=5
-- @parameter :redemption unique
-- @parameter :customer key of customers
-- @parameter :coupon zipfian key of coupons
SELECT c.discount, c.most_uses FROM coupons AS c WHERE c.coupon_id = :coupon;
INSERT INTO redemptions (redemption_id, coupon_id, customer_id)
SELECT :redemption, c.coupon_id, :customer FROM coupons AS c
WHERE c.coupon_id = :coupon
  AND (SELECT count(*) FROM redemptions AS r WHERE r.coupon_id = :coupon) < c.most_uses;

-- @transaction return-coupon
-- @parameter :coupon zipfian key of coupons
DELETE FROM redemptions WHERE coupon_id = :coupon;

-- @transaction change-price
-- @parameter :product zipfian key of products
-- @parameter :raise one of 0.50, 1.00
UPDATE products SET price = price + :raise WHERE product_id = :product;

-- @transaction browse weight=2
-- @parameter :least int 1..5
SELECT p.product_id, p.name, p.price, p.stock FROM products AS p WHERE p.stock >= :least ORDER BY p.product_id;
SELECT l.product_id, sum(l.quantity) AS sold FROM order_lines AS l GROUP BY l.product_id;

-- @transaction my-orders
-- @parameter :customer key of customers
SELECT o.order_id, o.total FROM orders AS o WHERE o.customer_id = :customer;
SELECT o.order_id, l.product_id, l.quantity, l.price FROM orders AS o JOIN order_lines AS l ON l.order_id = o.order_id
WHERE o.customer_id = :customer;

-- @invariant nothing-oversold
SELECT p.product_id, p.stock FROM products AS p WHERE p.stock < 0;

-- @invariant stock-is-delivered-less-sold
SELECT p.product_id, p.delivered, p.stock FROM products AS p
WHERE p.stock <> p.delivered - (SELECT coalesce(sum(l.quantity), 0) FROM order_lines AS l WHERE l.product_id = p.product_id);

-- @invariant at-most-ten-set-aside
SELECT r.product_id, sum(r.quantity) AS set_aside FROM reservations AS r GROUP BY r.product_id HAVING sum(r.quantity) > 10;

-- @invariant no-coupon-used-too-often
SELECT c.coupon_id, c.most_uses FROM coupons AS c
WHERE (SELECT count(*) FROM redemptions AS r WHERE r.coupon_id = c.coupon_id) > c.most_uses;

-- @invariant totals-are-the-sum-of-lines
SELECT o.order_id, o.total FROM orders AS o
WHERE o.total <> (SELECT coalesce(sum(l.quantity * l.price), 0) FROM order_lines AS l WHERE l.order_id = o.order_id);
