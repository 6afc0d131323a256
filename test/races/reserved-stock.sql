-- The stock that is left is the stock less the sum of the reservations.
-- Two customers reserve at once. Both sums lack the other's reservation, and more is reserved than there is.

-- @schema
CREATE TABLE products (id int PRIMARY KEY, stock int NOT NULL);
CREATE TABLE reservations (
  id int PRIMARY KEY,
  product_id int NOT NULL,
  quantity int NOT NULL,
  FOREIGN KEY (product_id) REFERENCES products (id)
);
CREATE INDEX reservations_by_product ON reservations (product_id);

-- @data
INSERT INTO products (id, stock) VALUES (1, 3), (2, 10), (3, 4), (4, 25);
INSERT INTO reservations (id, product_id, quantity) VALUES (1, 1, 1), (2, 2, 8), (3, 4, 24);

-- @transaction reserve
-- @parameter :id unique
-- @parameter :product key of products
-- @parameter :quantity int 1..2
SELECT stock INTO :stock FROM products WHERE id = :product;
SELECT coalesce(sum(quantity), 0) INTO :reserved FROM reservations WHERE product_id = :product;
IF :stock - :reserved < :quantity ROLLBACK;
INSERT INTO reservations (id, product_id, quantity) VALUES (:id, :product, :quantity);

-- @invariant nothing-oversold
SELECT p.id, p.stock FROM products AS p
WHERE p.stock < (SELECT coalesce(sum(r.quantity), 0) FROM reservations AS r WHERE r.product_id = p.id);
