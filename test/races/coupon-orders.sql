-- A coupon is counted over completed orders: an order that is completed at the same time is not counted yet.
-- Two orders with one coupon are completed at once. Both counts show a use that is left, and the coupon is used too often.

-- @schema
CREATE TABLE coupons (id int PRIMARY KEY, most_uses int NOT NULL);
CREATE TABLE orders (
  id int PRIMARY KEY,
  coupon_id int,
  status varchar(10) NOT NULL,
  FOREIGN KEY (coupon_id) REFERENCES coupons (id)
);
CREATE INDEX orders_by_coupon ON orders (coupon_id);

-- @data
INSERT INTO coupons (id, most_uses) VALUES (1, 1), (2, 2), (3, 1);
INSERT INTO orders (id, coupon_id, status) VALUES
  (1, 1, 'pending'), (2, 1, 'pending'), (3, 2, 'completed'), (4, 2, 'pending'), (5, 2, 'pending'), (6, 3, 'pending'), (7, NULL, 'pending');

-- @transaction complete
-- @parameter :order key of orders
SELECT coupon_id INTO :coupon FROM orders WHERE id = :order;
SELECT most_uses INTO :most FROM coupons WHERE id = :coupon;
SELECT count(*) INTO :used FROM orders WHERE coupon_id = :coupon AND status = 'completed';
IF :used >= :most ROLLBACK;
UPDATE orders SET status = 'completed' WHERE id = :order;

-- @invariant coupons-within-their-uses
SELECT c.id, c.most_uses FROM coupons AS c
WHERE c.most_uses < (SELECT count(*) FROM orders AS o WHERE o.coupon_id = c.id AND o.status = 'completed');
