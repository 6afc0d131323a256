-- Counter cache drift: the number of comments is kept beside them, as Rails' counter_cache keeps it (Bailis et al., "Feral Concurrency
-- Control", SIGMOD 2015).
--
-- remove beside remove of one comment: both find it, the second deletes nothing, and both count down. Each UPDATE builds on the
-- newest number, so no update is lost, and the number is wrong.

-- @schema
CREATE TABLE posts (
  id int PRIMARY KEY,
  comments_count int NOT NULL
);
CREATE TABLE comments (
  id int PRIMARY KEY,
  post_id int NOT NULL,
  FOREIGN KEY (post_id) REFERENCES posts (id)
);
CREATE INDEX comments_by_post ON comments (post_id);

-- @data
INSERT INTO posts (id, comments_count) VALUES (1, 2), (2, 1);
INSERT INTO comments (id, post_id) VALUES (1, 1), (2, 1), (3, 2);

-- @transaction write
-- @parameter :id unique
-- @parameter :post key of posts
INSERT INTO comments (id, post_id) VALUES (:id, :post);
UPDATE posts SET comments_count = comments_count + 1 WHERE id = :post;

-- @transaction remove
-- @parameter :comment key of comments
SELECT post_id INTO :post FROM comments WHERE id = :comment;
IF :post IS NULL ROLLBACK;
DELETE FROM comments WHERE id = :comment;
UPDATE posts SET comments_count = comments_count - 1 WHERE id = :post;

-- @invariant counter-is-count
SELECT p.id, p.comments_count FROM posts AS p
WHERE p.comments_count <> (SELECT count(*) FROM comments AS c WHERE c.post_id = p.id);
