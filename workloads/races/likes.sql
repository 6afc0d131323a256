-- Like counts: the number that is shown is read, counted up in the application and written back (Bailis et al., "Feral Concurrency
-- Control", SIGMOD 2015, and Berenson et al., SIGMOD 1995, P4).
--
-- like beside like of one post: both read one number, and one like is lost (lost update).

-- @schema
CREATE TABLE posts (
  id int PRIMARY KEY,
  likes int NOT NULL
);
CREATE TABLE likes (
  id int PRIMARY KEY,
  post_id int NOT NULL,
  FOREIGN KEY (post_id) REFERENCES posts (id)
);

-- @data
INSERT INTO posts (id, likes) VALUES (1, 0), (2, 0);

-- @transaction like
-- @parameter :id unique
-- @parameter :post key of posts
SELECT likes INTO :likes FROM posts WHERE id = :post;
UPDATE posts SET likes = :likes + 1 WHERE id = :post;
INSERT INTO likes (id, post_id) VALUES (:id, :post);

-- @invariant every-like-counts
SELECT p.id, p.likes FROM posts AS p WHERE p.likes <> (SELECT count(*) FROM likes AS l WHERE l.post_id = p.id);
