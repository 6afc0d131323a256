-- A web shop as an ORM writes it on PostgreSQL: keys of uuid, an enum of states, JSON, soft deletion, one open cart per user by
-- a partial unique index, sign-up by a validation that looks before it inserts.
--
-- What is known to go wrong:
--   sign-up beside sign-up of one name: both look, neither finds it, both insert: two users of one name (predicate write skew,
--     below SERIALIZABLE: the validation is no constraint).
--   check-out beside check-out of one product: both find enough in stock, and both sell it (READ COMMITTED).
--   redeem beside redeem: the uses of a coupon are counted, not kept in a row: used more often than it may be.
-- At SERIALIZABLE: nothing, and the invariants hold.

-- @schema
CREATE TYPE order_status AS ENUM ('cart', 'paid', 'shipped');
CREATE DOMAIN cents AS integer CHECK (VALUE >= 0);
CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name varchar(40) NOT NULL,
  preferences jsonb NOT NULL DEFAULT '{}'::jsonb,
  roles text[] NOT NULL DEFAULT '{}',
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX users_by_name ON users (lower(name)) WHERE deleted_at IS NULL;
CREATE TABLE products (
  id bigserial PRIMARY KEY,
  sku varchar(40) NOT NULL UNIQUE,
  price cents NOT NULL,
  delivered integer NOT NULL,
  stock integer NOT NULL
);
CREATE TABLE orders (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE RESTRICT,
  status order_status NOT NULL DEFAULT 'cart',
  placed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX one_open_cart ON orders (user_id) WHERE status = 'cart';
CREATE TABLE order_lines (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users (id),
  product_id bigint NOT NULL REFERENCES products (id),
  quantity integer NOT NULL,
  price cents NOT NULL,
  total integer GENERATED ALWAYS AS (quantity * price) STORED
);
CREATE INDEX order_lines_by_product ON order_lines (product_id);
CREATE TABLE coupons (
  id integer PRIMARY KEY,
  most_uses integer NOT NULL
);
CREATE TABLE redemptions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  coupon_id integer NOT NULL REFERENCES coupons (id),
  user_id uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX redemptions_by_coupon ON redemptions (coupon_id);

-- @data
-- @for :u 1..4*scale
-- @parameter :id uuid of :u
-- @parameter :name text 12..16
INSERT INTO users (id, name) VALUES (:id, :name);
-- @for :p 1..2*scale
-- @parameter :sku text 10..12
INSERT INTO products (sku, price, delivered, stock) VALUES (:sku, 1999, 5, 5);
-- @for :c 1..2*scale
INSERT INTO coupons (id, most_uses) VALUES (:c, 1);

-- @transaction sign-up weight=2
-- @parameter :name one of 'ada', 'alan', 'barbara', 'edgar', 'grace', 'jim'
SELECT id FROM users WHERE lower(name) = :name AND deleted_at IS NULL;
INSERT INTO users (id, name, created_at, updated_at)
SELECT gen_random_uuid(), :name, now(), now() FROM coupons AS one
WHERE one.id = 1 AND (SELECT count(*) FROM users AS u WHERE lower(u.name) = :name AND u.deleted_at IS NULL) = 0;

-- @transaction check-out weight=3
-- @parameter :user key of users
-- @parameter :product value of products.id
-- @parameter :quantity int 1..3
SELECT stock, price FROM products WHERE id = :product;
INSERT INTO order_lines (id, user_id, product_id, quantity, price)
SELECT gen_random_uuid(), :user, p.id, :quantity, p.price FROM products AS p WHERE p.id = :product AND p.stock >= :quantity;
UPDATE products SET stock = delivered - (SELECT coalesce(sum(l.quantity), 0) FROM order_lines AS l WHERE l.product_id = :product)
WHERE id = :product;

-- @transaction pay
-- @parameter :user key of users
SELECT id FROM orders WHERE user_id = :user AND status = 'cart';
UPDATE orders SET status = 'paid', placed_at = now() WHERE user_id = :user AND status = 'cart';
INSERT INTO orders (user_id) VALUES (:user);

-- @transaction redeem weight=2
-- @parameter :user key of users
-- @parameter :coupon key of coupons
SELECT most_uses FROM coupons WHERE id = :coupon;
INSERT INTO redemptions (id, coupon_id, user_id, created_at)
SELECT gen_random_uuid(), c.id, :user, now() FROM coupons AS c
WHERE c.id = :coupon AND c.most_uses > (SELECT count(*) FROM redemptions AS r WHERE r.coupon_id = :coupon);

-- @invariant nothing-oversold
SELECT p.id, p.stock FROM products AS p WHERE p.stock < 0;

-- @invariant every-name-once
SELECT lower(u.name) AS name, count(*) AS users FROM users AS u WHERE u.deleted_at IS NULL GROUP BY lower(u.name) HAVING count(*) > 1;

-- @invariant coupons-within-their-uses
SELECT c.id FROM coupons AS c WHERE c.most_uses < (SELECT count(*) FROM redemptions AS r WHERE r.coupon_id = c.id);
