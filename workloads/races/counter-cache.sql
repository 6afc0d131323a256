-- Counter cache drift: the number of comments is kept beside them (Rails' counter_cache, written as a recount; Bailis et al.,
-- "Feral Concurrency Control", SIGMOD 2015).
--
-- comment beside comment of one post: each counts what it sees, the second writes over the first (lost update).

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
INSERT INTO posts (id, comments_count) VALUES (1, 0), (2, 0);

-- @transaction comment
-- @parameter :id unique
-- @parameter :post key of posts
SELECT comments_count FROM posts WHERE id = :post;
INSERT INTO comments (id, post_id) VALUES (:id, :post);
UPDATE posts SET comments_count = (SELECT count(*) FROM comments AS c WHERE c.post_id = :post) WHERE id = :post;

-- @invariant counter-is-count
SELECT p.id, p.comments_count FROM posts AS p
WHERE p.comments_count <> (SELECT count(*) FROM comments AS c WHERE c.post_id = p.id);
