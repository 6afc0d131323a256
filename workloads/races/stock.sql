-- Negative stock: more is sold than there is (ACIDRain, SIGMOD 2017: the inventory invariant).
--
-- check-out beside check-out of one product: both find enough, and each takes its part.

-- @schema
CREATE TABLE products (
  id int PRIMARY KEY,
  stock int NOT NULL
);
CREATE TABLE order_lines (
  id int PRIMARY KEY,
  product_id int NOT NULL,
  quantity int NOT NULL,
  FOREIGN KEY (product_id) REFERENCES products (id)
);

-- @data
INSERT INTO products (id, stock) VALUES (1, 3), (2, 3);

-- @transaction check-out
-- @parameter :line unique
-- @parameter :product key of products
-- @parameter :quantity int 2..3
SELECT stock INTO :stock FROM products WHERE id = :product;
IF :stock < :quantity ROLLBACK;
UPDATE products SET stock = stock - :quantity WHERE id = :product;
INSERT INTO order_lines (id, product_id, quantity) VALUES (:line, :product, :quantity);

-- @invariant nothing-oversold
SELECT p.id, p.stock FROM products AS p WHERE p.stock < 0;
