-- An auction site in the manner of RUBiS, a workload of the AWDIT and Plume evaluations, written for this project: items of
-- sellers in categories, bids, sales at a fixed price, and comments of users on each other.
--
-- What is known to go wrong:
--   bid beside bid of one user on two items: both look at what the user has bid so far and find it below the limit: a write
--     skew between predicates, wherever both read from snapshots (PostgreSQL REPEATABLE READ; READ COMMITTED everywhere).
--   bid beside bid on one item: the item keeps the lower of two bids, or counts one of them (lost update, READ COMMITTED).
--   buy-now beside buy-now: more is sold than there was (READ COMMITTED).
-- At SERIALIZABLE: nothing, and the invariants hold.

-- @schema
CREATE TABLE users (
  user_id int PRIMARY KEY,
  nickname varchar(30) NOT NULL,
  rating int NOT NULL,
  bid_limit decimal(12,2) NOT NULL
);
CREATE TABLE categories (
  category_id int PRIMARY KEY,
  name varchar(30) NOT NULL
);
CREATE TABLE items (
  item_id int PRIMARY KEY,
  seller_id int NOT NULL,
  category_id int NOT NULL,
  name varchar(40) NOT NULL,
  quantity int NOT NULL,
  buy_now_price decimal(10,2) NOT NULL,
  max_bid decimal(10,2) NOT NULL,
  bids int NOT NULL,
  FOREIGN KEY (seller_id) REFERENCES users (user_id),
  FOREIGN KEY (category_id) REFERENCES categories (category_id)
);
CREATE INDEX items_category ON items (category_id);
CREATE TABLE bids (
  bid_id int PRIMARY KEY,
  user_id int NOT NULL,
  item_id int NOT NULL,
  amount decimal(10,2) NOT NULL
);
CREATE INDEX bids_item ON bids (item_id);
CREATE INDEX bids_user ON bids (user_id);
CREATE TABLE buy_now (
  sale_id int PRIMARY KEY,
  buyer_id int NOT NULL,
  item_id int NOT NULL,
  quantity int NOT NULL
);
CREATE TABLE comments (
  comment_id int PRIMARY KEY,
  from_id int NOT NULL,
  to_id int NOT NULL,
  item_id int NOT NULL,
  rating int NOT NULL,
  body varchar(80) NOT NULL
);
CREATE INDEX comments_to ON comments (to_id);

-- @data
-- @for :u 1..5*scale
-- @parameter :name text 4..12
INSERT INTO users (user_id, nickname, rating, bid_limit) VALUES (:u, :name, 0, 150.00);
-- @for :c 1..3
-- @parameter :name text 4..12
INSERT INTO categories (category_id, name) VALUES (:c, :name);
-- @for :i 1..6*scale
-- @parameter :seller int 1..5
-- @parameter :category int 1..3
-- @parameter :name text 5..20
-- @parameter :price decimal 20.00..90.00
INSERT INTO items (item_id, seller_id, category_id, name, quantity, buy_now_price, max_bid, bids)
VALUES (:i, :seller, :category, :name, 6, :price, 0.00, 0);

-- @transaction register-item
-- @parameter :item unique
-- @parameter :seller key of users
-- @parameter :category key of categories
-- @parameter :name text 5..20
-- @parameter :price decimal 20.00..90.00
SELECT c.name FROM categories AS c WHERE c.category_id = :category;
INSERT INTO items (item_id, seller_id, category_id, name, quantity, buy_now_price, max_bid, bids)
VALUES (:item, :seller, :category, :name, 6, :price, 0.00, 0);

-- @transaction browse weight=3
-- @parameter :category key of categories
SELECT i.item_id, i.name, i.max_bid, i.bids FROM items AS i WHERE i.category_id = :category ORDER BY i.item_id;
SELECT i.category_id, count(*) AS on_offer FROM items AS i WHERE i.quantity > 0 GROUP BY i.category_id;

-- @transaction view-item weight=3
-- @parameter :item zipfian key of items
SELECT i.name, i.max_bid, i.bids, i.quantity, u.nickname, u.rating FROM items AS i JOIN users AS u ON u.user_id = i.seller_id
WHERE i.item_id = :item;
SELECT b.bid_id, u.nickname, b.amount FROM bids AS b JOIN users AS u ON u.user_id = b.user_id WHERE b.item_id = :item;

-- @transaction bid weight=6 rollback=1%
-- @parameter :bid unique
-- @parameter :me zipfian key of users
-- @parameter :item zipfian key of items
-- @parameter :raise decimal 1.00..20.00
SELECT i.max_bid, i.bids FROM items AS i WHERE i.item_id = :item;
INSERT INTO bids (bid_id, user_id, item_id, amount)
SELECT :bid, u.user_id, i.item_id, i.max_bid + :raise FROM items AS i CROSS JOIN users AS u
WHERE i.item_id = :item AND u.user_id = :me
  AND (SELECT coalesce(sum(b.amount), 0) FROM bids AS b WHERE b.user_id = :me) + i.max_bid + :raise <= u.bid_limit;
UPDATE items
SET bids = (SELECT count(*) FROM bids AS b WHERE b.item_id = :item),
  max_bid = (SELECT coalesce(max(b.amount), 0) FROM bids AS b WHERE b.item_id = :item)
WHERE item_id = :item;

-- A withdrawn bid makes room below its user's limit again.
-- @transaction withdraw-bids weight=2
-- @parameter :me zipfian key of users
-- @parameter :item zipfian key of items
DELETE FROM bids WHERE user_id = :me AND item_id = :item;
UPDATE items
SET bids = (SELECT count(*) FROM bids AS b WHERE b.item_id = :item),
  max_bid = (SELECT coalesce(max(b.amount), 0) FROM bids AS b WHERE b.item_id = :item)
WHERE item_id = :item;

-- @transaction buy-now weight=3
-- @parameter :sale unique
-- @parameter :me key of users
-- @parameter :item zipfian key of items
-- @parameter :quantity int 1..3
INSERT INTO buy_now (sale_id, buyer_id, item_id, quantity)
SELECT :sale, :me, i.item_id, :quantity FROM items AS i WHERE i.item_id = :item AND i.quantity >= :quantity;
UPDATE items SET quantity = quantity - :quantity
WHERE item_id = :item AND (SELECT count(*) FROM buy_now AS n WHERE n.sale_id = :sale) = 1;

-- @transaction store-comment weight=3
-- @parameter :comment unique
-- @parameter :me key of users
-- @parameter :to zipfian key of users except :me
-- @parameter :item key of items
-- @parameter :stars int 0..5
-- @parameter :body text 10..30
INSERT INTO comments (comment_id, from_id, to_id, item_id, rating, body) VALUES (:comment, :me, :to, :item, :stars, :body);
UPDATE users SET rating = rating + :stars WHERE user_id = :to;

-- @transaction view-user weight=2
-- @parameter :user zipfian key of users
SELECT u.nickname, u.rating FROM users AS u WHERE u.user_id = :user;
SELECT c.rating, c.body, f.nickname FROM comments AS c JOIN users AS f ON f.user_id = c.from_id WHERE c.to_id = :user;
SELECT b.item_id, max(b.amount) AS highest FROM bids AS b WHERE b.user_id = :user GROUP BY b.item_id;

-- @invariant bids-are-counted
SELECT i.item_id, i.bids FROM items AS i WHERE i.bids <> (SELECT count(*) FROM bids AS b WHERE b.item_id = i.item_id);

-- @invariant the-highest-bid-is-kept
SELECT i.item_id, i.max_bid FROM items AS i
WHERE i.max_bid <> (SELECT coalesce(max(b.amount), 0) FROM bids AS b WHERE b.item_id = i.item_id);

-- @invariant nobody-bids-beyond-the-limit
SELECT u.user_id, u.bid_limit FROM users AS u
WHERE (SELECT coalesce(sum(b.amount), 0) FROM bids AS b WHERE b.user_id = u.user_id) > u.bid_limit;

-- @invariant nothing-oversold
SELECT i.item_id, i.quantity FROM items AS i
WHERE i.quantity < 0 OR i.quantity + (SELECT coalesce(sum(n.quantity), 0) FROM buy_now AS n WHERE n.item_id = i.item_id) <> 6;

-- @invariant ratings-are-the-sum-of-comments
SELECT u.user_id, u.rating FROM users AS u
WHERE u.rating <> (SELECT coalesce(sum(c.rating), 0) FROM comments AS c WHERE c.to_id = u.user_id);
