-- A web shop as an ORM writes it on PostgreSQL: keys of uuid, an enum of states, JSON, soft deletion, one open cart per user by
-- a partial unique index. Each transaction finds, decides in the application, and writes back what it has computed.
--
-- What is known to go wrong at READ COMMITTED:
--   sign-up beside sign-up of one name: both look, neither finds it, both insert (predicate write skew): the validation is no
--     constraint.
--   check-out beside check-out of one product: both find enough in stock, and the second writes over what the first has written
--     (lost update): more is sold than the stock says.
--   pay beside pay: both find the same highest number of an invoice. Of one user, the index of open carts refuses the second.
--   redeem beside redeem of one coupon: its uses are counted, not kept in a row: used more often than it may be.
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
  invoice integer,
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
-- @for :u 1..4*scale
-- @parameter :id uuid of :u
INSERT INTO orders (user_id) VALUES (:id);
-- @for :p 1..2*scale
-- @parameter :sku text 10..12
INSERT INTO products (sku, price, delivered, stock) VALUES (:sku, 1999, 5, 5);
-- @for :c 1..2*scale
INSERT INTO coupons (id, most_uses) VALUES (:c, 1);

-- @transaction sign-up weight=2
-- @parameter :name one of 'ada', 'alan', 'grace'
SELECT count(*) INTO :found FROM users WHERE lower(name) = :name AND deleted_at IS NULL;
IF :found > 0 ROLLBACK;
INSERT INTO users (name) VALUES (:name);

-- @transaction check-out weight=3 retries=3
-- @parameter :user key of users
-- @parameter :product value of products.id
-- @parameter :quantity int 1..2
SELECT stock, price INTO :stock, :price FROM products WHERE id = :product;
IF :stock < :quantity ROLLBACK;
INSERT INTO order_lines (user_id, product_id, quantity, price) VALUES (:user, :product, :quantity, :price);
UPDATE products SET stock = :stock - :quantity WHERE id = :product;

-- @transaction pay weight=2 retries=3
-- @parameter :user key of users
SELECT id INTO :cart FROM orders WHERE user_id = :user AND status = 'cart';
IF :cart IS NULL ROLLBACK;
SELECT coalesce(max(invoice), 0) INTO :last FROM orders;
UPDATE orders SET status = 'paid', invoice = :last + 1, placed_at = now() WHERE id = :cart;
INSERT INTO orders (user_id) VALUES (:user);

-- @transaction redeem weight=2
-- @parameter :user key of users
-- @parameter :coupon key of coupons
SELECT most_uses INTO :most FROM coupons WHERE id = :coupon;
SELECT count(*) INTO :used FROM redemptions WHERE coupon_id = :coupon;
IF :used >= :most ROLLBACK;
INSERT INTO redemptions (coupon_id, user_id) VALUES (:coupon, :user);

-- @invariant nothing-oversold
SELECT p.id, p.stock FROM products AS p
WHERE p.stock <> p.delivered - (SELECT coalesce(sum(l.quantity), 0) FROM order_lines AS l WHERE l.product_id = p.id);

-- @invariant every-name-once
SELECT lower(u.name) AS name, count(*) AS users FROM users AS u WHERE u.deleted_at IS NULL GROUP BY lower(u.name) HAVING count(*) > 1;

-- @invariant every-invoice-once
SELECT o.invoice, count(*) AS orders FROM orders AS o WHERE o.invoice IS NOT NULL GROUP BY o.invoice HAVING count(*) > 1;

-- @invariant coupons-within-their-uses
SELECT c.id FROM coupons AS c WHERE c.most_uses < (SELECT count(*) FROM redemptions AS r WHERE r.coupon_id = c.id);
