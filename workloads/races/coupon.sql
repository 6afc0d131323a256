-- Coupon reuse: a voucher that is good for so many uses is redeemed once more (ACIDRain, SIGMOD 2017: the voucher invariant, broken in
-- 5 of the 12 shops that were attacked).
--
-- redeem beside redeem of one coupon: both count the redemptions, both find one left, both redeem (predicate write skew).

-- @schema
CREATE TABLE coupons (
  id int PRIMARY KEY,
  most_uses int NOT NULL
);
CREATE TABLE redemptions (
  id int PRIMARY KEY,
  coupon_id int NOT NULL,
  order_id int NOT NULL,
  FOREIGN KEY (coupon_id) REFERENCES coupons (id)
);
CREATE INDEX redemptions_by_coupon ON redemptions (coupon_id);

-- @data
INSERT INTO coupons (id, most_uses) VALUES (1, 1), (2, 2);

-- @transaction redeem
-- @parameter :id unique
-- @parameter :coupon key of coupons
-- @parameter :order int 1..50
SELECT most_uses INTO :most FROM coupons WHERE id = :coupon;
SELECT count(*) INTO :used FROM redemptions WHERE coupon_id = :coupon;
IF :used >= :most ROLLBACK;
INSERT INTO redemptions (id, coupon_id, order_id) VALUES (:id, :coupon, :order);

-- @invariant coupons-within-their-uses
SELECT c.id, c.most_uses FROM coupons AS c
WHERE c.most_uses < (SELECT count(*) FROM redemptions AS r WHERE r.coupon_id = c.id);
