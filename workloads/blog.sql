-- A blog as WordPress keeps one on MariaDB: names in backticks, bigint unsigned keys, longtext, prefix keys, counters that are kept
-- beside what they count. Each transaction finds, decides in the application, and writes back what it has computed.
--
-- What is known to go wrong at READ COMMITTED:
--   comment beside comment of one post, like beside like: the counter that was read is written over (lost update).
--   mark-spam beside mark-spam, and beside comment, of one post: the same counter; both may find the same comment.
--   claim-slug beside claim-slug: both look for the name, neither finds it, both take it: two posts of one address.
-- At SERIALIZABLE: nothing, and the invariants hold.

-- @schema
CREATE TABLE `wp_users` (
  `ID` bigint(20) unsigned NOT NULL,
  `user_login` varchar(60) NOT NULL DEFAULT '',
  `user_registered` datetime NOT NULL DEFAULT '2026-01-01 00:00:00',
  PRIMARY KEY (`ID`),
  KEY `user_login_key` (`user_login`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;
CREATE TABLE `wp_posts` (
  `ID` bigint(20) unsigned NOT NULL,
  `post_author` bigint(20) unsigned NOT NULL DEFAULT 0,
  `post_date` datetime NOT NULL DEFAULT '2026-01-01 00:00:00',
  `post_content` longtext NOT NULL,
  `post_status` varchar(20) NOT NULL DEFAULT 'publish',
  `post_name` varchar(200) NOT NULL DEFAULT '',
  `post_modified` datetime NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  `comment_count` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`ID`),
  KEY `post_name` (`post_name`(191)),
  KEY `status_date` (`post_status`,`post_date`,`ID`),
  KEY `post_author` (`post_author`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;
CREATE TABLE `wp_comments` (
  `comment_ID` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `comment_post_ID` bigint(20) unsigned NOT NULL DEFAULT 0,
  `comment_author` tinytext NOT NULL,
  `comment_content` text NOT NULL,
  `comment_approved` varchar(20) NOT NULL DEFAULT '1',
  `comment_date` datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (`comment_ID`),
  KEY `comment_post_ID` (`comment_post_ID`),
  KEY `comment_approved_date` (`comment_approved`,`comment_date`),
  KEY `comment_author` (`comment_author`(10))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;
CREATE TABLE `wp_postmeta` (
  `meta_id` bigint(20) unsigned NOT NULL,
  `post_id` bigint(20) unsigned NOT NULL DEFAULT 0,
  `meta_key` varchar(255) DEFAULT NULL,
  `meta_value` longtext,
  `meta_number` int(11) NOT NULL DEFAULT 0,
  PRIMARY KEY (`meta_id`),
  KEY `post_id` (`post_id`),
  KEY `meta_key` (`meta_key`(191))
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;

-- @data
-- @for :u 1..3*scale
-- @parameter :login text 5..9
INSERT INTO wp_users (ID, user_login) VALUES (:u, :login);
-- @for :p 1..2*scale
-- @parameter :slug text 30..40
INSERT INTO wp_posts (ID, post_author, post_content, post_name, comment_count) VALUES (:p, 1, 'Hello', :slug, 1);
-- @for :p 1..2*scale
INSERT INTO wp_comments (comment_ID, comment_post_ID, comment_author, comment_content) VALUES (:p, :p, 'alan', 'First');
-- @for :p 1..2*scale
INSERT INTO wp_postmeta (meta_id, post_id, meta_key) VALUES (:p, :p, 'likes');

-- @transaction comment weight=3 retries=3
-- @parameter :post key of wp_posts
-- @parameter :words text 10..20
SELECT comment_count, post_status INTO :comments, :status FROM wp_posts WHERE ID = :post;
IF :status <> 'publish' ROLLBACK;
INSERT INTO wp_comments (comment_post_ID, comment_author, comment_content) VALUES (:post, 'ada', :words);
UPDATE wp_posts SET comment_count = :comments + 1 WHERE ID = :post;

-- @transaction mark-spam retries=3
-- @parameter :post key of wp_posts
SELECT comment_ID INTO :comment FROM wp_comments
WHERE comment_post_ID = :post AND comment_approved = '1' ORDER BY comment_ID LIMIT 1;
IF :comment IS NULL ROLLBACK;
SELECT comment_count INTO :comments FROM wp_posts WHERE ID = :post;
UPDATE wp_comments SET comment_approved = 'spam' WHERE comment_ID = :comment;
UPDATE wp_posts SET comment_count = :comments - 1 WHERE ID = :post;

-- @transaction claim-slug weight=2
-- @parameter :post key of wp_posts
-- @parameter :slug one of 'about', 'hello-world'
SELECT count(*) INTO :taken FROM wp_posts WHERE post_name = :slug AND ID <> :post;
IF :taken > 0 ROLLBACK;
UPDATE wp_posts SET post_name = :slug WHERE ID = :post;

-- @transaction like weight=3
-- @parameter :post key of wp_posts
-- @parameter :like unique
SELECT meta_number INTO :likes FROM wp_postmeta WHERE post_id = :post AND meta_key = 'likes';
INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (:like, :post, 'liked', '1');
UPDATE wp_postmeta SET meta_number = :likes + 1 WHERE post_id = :post AND meta_key = 'likes';

-- @invariant comments-are-counted
SELECT p.ID, p.comment_count FROM wp_posts AS p
WHERE p.comment_count <> (SELECT count(*) FROM wp_comments AS c WHERE c.comment_post_ID = p.ID AND c.comment_approved = '1');

-- @invariant every-address-once
SELECT p.post_name FROM wp_posts AS p GROUP BY p.post_name HAVING count(*) > 1;

-- @invariant likes-are-counted
SELECT l.post_id, l.meta_number FROM wp_postmeta AS l
WHERE l.meta_key = 'likes' AND l.meta_number <> (SELECT count(*) FROM wp_postmeta AS m WHERE m.post_id = l.post_id AND m.meta_key = 'liked');
