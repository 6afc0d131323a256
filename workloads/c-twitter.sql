-- A small social network in the manner of C-Twitter, a workload of the AWDIT and Plume evaluations, written for this
-- project: users follow each other, and a tweet is copied into the timeline of everybody who follows its author.
--
-- What is known to go wrong:
--   tweet beside follow: the tweet is not copied to a follower who came meanwhile, who has not seen it either: a write skew
--     between predicates, wherever both read from snapshots (PostgreSQL REPEATABLE READ; READ COMMITTED everywhere).
--   follow beside follow: both count the followers and write the count: one is missing (lost update, READ COMMITTED).
-- At SERIALIZABLE: nothing, and the invariants hold.

-- @schema
CREATE TABLE users (
  user_id int PRIMARY KEY,
  name varchar(30) NOT NULL,
  followers int NOT NULL
);
CREATE TABLE follows (
  follower_id int NOT NULL,
  followed_id int NOT NULL,
  PRIMARY KEY (follower_id, followed_id),
  FOREIGN KEY (follower_id) REFERENCES users (user_id),
  FOREIGN KEY (followed_id) REFERENCES users (user_id)
);
CREATE INDEX follows_followed ON follows (followed_id);
CREATE TABLE tweets (
  tweet_id int PRIMARY KEY,
  author_id int NOT NULL,
  body varchar(140) NOT NULL,
  FOREIGN KEY (author_id) REFERENCES users (user_id)
);
CREATE INDEX tweets_author ON tweets (author_id);
CREATE TABLE timelines (
  user_id int NOT NULL,
  tweet_id int NOT NULL,
  author_id int NOT NULL,
  PRIMARY KEY (user_id, tweet_id)
);

-- @data
-- @for :u 1..6*scale
-- @parameter :name text 4..12
INSERT INTO users (user_id, name, followers) VALUES (:u, :name, 0);

-- @transaction tweet weight=3
-- @parameter :tweet unique
-- @parameter :author zipfian key of users
-- @parameter :body text 10..40
INSERT INTO tweets (tweet_id, author_id, body) VALUES (:tweet, :author, :body);
INSERT INTO timelines (user_id, tweet_id, author_id)
SELECT f.follower_id, :tweet, f.followed_id FROM follows AS f WHERE f.followed_id = :author;

-- Who looks at a page and then follows its author gets the tweets so far.
-- @transaction follow weight=4
-- @parameter :me key of users
-- @parameter :author zipfian key of users except :me
SELECT t.tweet_id, t.body FROM tweets AS t WHERE t.author_id = :author;
INSERT INTO timelines (user_id, tweet_id, author_id)
SELECT :me, t.tweet_id, t.author_id FROM tweets AS t
WHERE t.author_id = :author AND (SELECT count(*) FROM follows AS f WHERE f.follower_id = :me AND f.followed_id = :author) = 0;
INSERT INTO follows (follower_id, followed_id)
SELECT :me, u.user_id FROM users AS u
WHERE u.user_id = :author AND (SELECT count(*) FROM follows AS f WHERE f.follower_id = :me AND f.followed_id = :author) = 0;
UPDATE users SET followers = (SELECT count(*) FROM follows AS f WHERE f.followed_id = :author) WHERE user_id = :author;

-- @transaction unfollow weight=3
-- @parameter :me key of users
-- @parameter :author zipfian key of users except :me
DELETE FROM follows WHERE follower_id = :me AND followed_id = :author;
DELETE FROM timelines WHERE user_id = :me AND author_id = :author;
UPDATE users SET followers = (SELECT count(*) FROM follows AS f WHERE f.followed_id = :author) WHERE user_id = :author;

-- @transaction timeline weight=4
-- @parameter :me key of users
SELECT x.tweet_id, u.name, t.body FROM timelines AS x
  JOIN tweets AS t ON t.tweet_id = x.tweet_id
  JOIN users AS u ON u.user_id = t.author_id
WHERE x.user_id = :me ORDER BY x.tweet_id DESC;

-- @transaction show-follow weight=2
-- @parameter :me zipfian key of users
SELECT u.name, u.followers FROM users AS u WHERE u.user_id = :me;
SELECT count(*) AS tweets FROM tweets AS t WHERE t.author_id = :me;
SELECT u.user_id, u.name FROM follows AS f JOIN users AS u ON u.user_id = f.follower_id WHERE f.followed_id = :me;
SELECT u.user_id, u.name FROM follows AS f JOIN users AS u ON u.user_id = f.followed_id WHERE f.follower_id = :me;

-- @transaction rename
-- @parameter :me key of users
-- @parameter :name text 4..12
UPDATE users SET name = :name WHERE user_id = :me;

-- @invariant followers-are-counted
SELECT u.user_id, u.followers FROM users AS u
WHERE u.followers <> (SELECT count(*) FROM follows AS f WHERE f.followed_id = u.user_id);

-- @invariant every-follower-has-every-tweet
SELECT f.follower_id, t.tweet_id FROM follows AS f JOIN tweets AS t ON t.author_id = f.followed_id
WHERE (SELECT count(*) FROM timelines AS x WHERE x.user_id = f.follower_id AND x.tweet_id = t.tweet_id) = 0;

-- @invariant no-tweet-of-a-stranger
SELECT x.user_id, x.tweet_id FROM timelines AS x
WHERE (SELECT count(*) FROM follows AS f WHERE f.follower_id = x.user_id AND f.followed_id = x.author_id) = 0;
