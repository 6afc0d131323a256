-- Everything that MySQL's importer carries over as something else, passes over or refuses. Behind what is refused stands, as
-- `-- instead:`, what its cure asks for. docs/CARRIED-OVER.md is made of it.

-- @schema
-- ## Carried over as something else
CREATE TABLE account (
  id int unsigned NOT NULL AUTO_INCREMENT,
  owner varchar(20) CHARACTER SET latin1 COLLATE latin1_swedish_ci NOT NULL,
  balance decimal(10,2) NOT NULL DEFAULT '0.00',
  opened date,
  at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  seen datetime(3),
  mood enum('calm','cross') DEFAULT 'calm',
  tags set('a','b'),
  code char(4),
  number int(4) zerofill,
  half_size float,
  details json,
  picture mediumblob,
  page longtext,
  bytes varbinary(16),
  hour time,
  secret int INVISIBLE,
  size int GENERATED ALWAYS AS (number + 1) STORED,
  flag bit(1) DEFAULT b'0',
  place geometry,
  active tinyint(1),
  PRIMARY KEY (id),
  KEY names (owner(4), code(2)),
  KEY falling (opened, number DESC),
  FULLTEXT KEY pages (page),
  CONSTRAINT not_yet CHECK (number > 5) NOT ENFORCED
) ENGINE=MyISAM AUTO_INCREMENT=7 DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci;
CREATE TABLE entry (
  account_id bigint NOT NULL,
  line int NOT NULL,
  amount decimal(10,2) NOT NULL,
  PRIMARY KEY (account_id, line)
);
CREATE SPATIAL INDEX places ON account (page);
CREATE TABLE named (iso_rid int);
CREATE ALGORITHM=MERGE VIEW merged AS SELECT id FROM account;
CREATE DEFINER=root VIEW defined AS SELECT id FROM account;
CREATE SQL SECURITY INVOKER VIEW secured AS SELECT id FROM account;

-- ## Passed over
SET foreign_key_checks = 0;
USE shop;
DROP TABLE IF EXISTS account;
LOCK TABLES account WRITE;
UNLOCK TABLES;
ALTER TABLE account DISABLE KEYS;
CREATE DATABASE elsewhere;
CREATE SCHEMA elsewhere;
CREATE TABLE quiet (k int COMMENT 'nothing hangs on it', KEY (k) USING BTREE COMMENT 'nor on this') ENGINE=InnoDB ROW_FORMAT=DYNAMIC COMMENT='nor on that';

-- ## Refused in a schema
CREATE TABLE refused_columns (
  a bit(3),
  b vector(3),
  d varchar,
  e text DEFAULT 'x',
  f int REFERENCES account (id),
  g int DEFAULT (1 + 1),
  h int SERIAL DEFAULT VALUE,
  i interval,
  j varchar(36) DEFAULT (concat('a', uuid())),
  k int ON UPDATE 5,
  l text,
  m text UNIQUE,
  UNIQUE KEY some (d(3), e(3)),
  PRIMARY KEY (l(10)),
  FOREIGN KEY (a) REFERENCES account (id) ON DELETE SET DEFAULT,
  FOREIGN KEY (a) REFERENCES account (id) MATCH FULL,
  FOREIGN KEY (a) REFERENCES nowhere (id)
);
-- instead: CREATE TABLE cured_columns (a boolean, d varchar(10), e varchar(20) DEFAULT 'x', f bigint, g int DEFAULT 2, h bigint AUTO_INCREMENT UNIQUE, i int, l varchar(10) PRIMARY KEY, m varchar(50) UNIQUE, FOREIGN KEY (f) REFERENCES account (id) ON DELETE SET NULL);
CREATE TABLE parts (k int) PARTITION BY HASH (k);
-- instead: CREATE TABLE parts (k int);
CREATE TABLE copied AS SELECT id FROM account;
-- instead: CREATE TABLE copied (id bigint);
CREATE TABLE alike LIKE account;
CREATE TABLE shop.elsewhere (k int);
-- instead: CREATE TABLE elsewhere (k int);
CREATE TABLE filled (k int) SELECT id FROM account;
CREATE TABLE compressed (k int) COMPRESSION='zlib';
-- instead: CREATE TABLE compressed (k int);
CREATE TEMPORARY TABLE passing (k int);
-- instead: CREATE TABLE passing (k int);


CREATE OR REPLACE VIEW rich AS SELECT id FROM account;
-- instead: CREATE VIEW rich AS SELECT id FROM account;
CREATE VIEW checked AS SELECT id FROM account WHERE id > 1 WITH CHECK OPTION;
-- instead: CREATE VIEW checked AS SELECT id FROM account WHERE id > 1;
CREATE TRIGGER watch BEFORE INSERT ON account FOR EACH ROW SET @seen = 1;
CREATE PROCEDURE p() DELETE FROM account;
CREATE FUNCTION f() RETURNS int RETURN RAND();
CREATE EVENT nightly ON SCHEDULE EVERY 1 DAY DO DELETE FROM account;
CREATE SEQUENCE numbers;
-- instead: CREATE TABLE numbered (id int AUTO_INCREMENT PRIMARY KEY, k int);
CREATE ROLE somebody;
ALTER TABLE account ADD COLUMN more int;
ALTER TABLE account ENGINE=InnoDB;
INSERT INTO account (owner) SELECT owner FROM account;
-- instead: INSERT INTO account (owner) VALUES ('ann');
CREATE FUNCTION emptied() RETURNS int BEGIN DELETE FROM entry WHERE id = 1; RETURN 1; END;
CREATE VIEW emptying AS SELECT emptied() AS n FROM account;

-- @transaction all
-- ## Refused in a transaction: statements
-- @parameter :id key of account
CREATE TABLE inside (k int);
ALTER TABLE account ADD UNIQUE (owner);
DROP TABLE account;
TRUNCATE TABLE account;
RENAME TABLE account TO other;
OPTIMIZE TABLE account;
ANALYZE TABLE account;
GRANT SELECT ON account TO somebody;
REVOKE SELECT ON account FROM somebody;
BEGIN;
START TRANSACTION;
COMMIT;
ROLLBACK;
XA START 'x';
SET autocommit = 0;
USE other;
PREPARE p FROM 'SELECT id FROM account';
EXECUTE p;
DEALLOCATE PREPARE p;
HANDLER account OPEN;
DO 1;
CALL p();
LOCK TABLES account WRITE;
-- instead: SELECT id FROM account FOR UPDATE;
UNLOCK TABLES;
LOAD DATA INFILE 'x' INTO TABLE account;
VALUES ROW(1);
TABLE account;
-- instead: SELECT * FROM account;
SHOW TABLES;
EXPLAIN SELECT id FROM account;
-- instead: SELECT id FROM account;
DESCRIBE account;
DESC account;
MERGE INTO account USING entry ON id = account_id WHEN MATCHED THEN DELETE;

-- ## Refused in a transaction: clauses
SELECT a.id FROM account a RIGHT JOIN entry e ON e.account_id = a.id;
-- instead: SELECT a.id FROM entry e LEFT JOIN account a ON e.account_id = a.id;
SELECT a.id FROM account a STRAIGHT_JOIN entry e ON e.account_id = a.id;
-- instead: SELECT a.id FROM account a INNER JOIN entry e ON e.account_id = a.id;
SELECT a.id FROM account a FULL JOIN entry e ON e.account_id = a.id;
SELECT a.id FROM account a JOIN entry e;
-- instead: SELECT a.id FROM account a CROSS JOIN entry e;
SELECT id FROM shop.account;
-- instead: SELECT id FROM account;
SELECT id FROM account USE INDEX (names);
-- instead: SELECT id FROM account;
SELECT id FROM account LIMIT 2, 3;
SELECT id FROM account LIMIT :id;
-- instead: SELECT id FROM account LIMIT 3;
SELECT id FROM account UNION SELECT line FROM entry ORDER BY id;
SELECT sum(balance) OVER w FROM account WINDOW w AS (PARTITION BY owner);
-- instead: SELECT sum(balance) OVER (PARTITION BY owner) AS s FROM account;
SELECT sum(balance) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) FROM account;
-- instead: SELECT sum(balance) OVER (ORDER BY id) AS s FROM account;
SELECT a.id FROM account a JOIN entry e ON e.account_id = a.id FOR UPDATE OF a;
-- instead: SELECT a.id FROM account a JOIN entry e ON e.account_id = a.id FOR UPDATE;
SELECT 1;
SELECT SQL_NO_CACHE id FROM account;
-- instead: SELECT id FROM account;
SELECT /*+ NO_INDEX_MERGE(account) */ id FROM account;
-- instead: SELECT id FROM account;
SELECT /*! STRAIGHT_JOIN */ id FROM account;
UPDATE account SET balance = 0 ORDER BY id LIMIT 1;
-- instead: UPDATE account SET balance = 0 WHERE id = :id;
UPDATE account SET balance = 0 LIMIT 1;
UPDATE IGNORE account SET balance = 0;
-- instead: UPDATE account SET balance = 0;
DELETE FROM entry ORDER BY line LIMIT 1;
DELETE a, e FROM account a JOIN entry e ON e.account_id = a.id;
WITH x AS (SELECT id FROM account) DELETE FROM entry WHERE account_id IN (SELECT id FROM x);
-- instead: DELETE FROM entry WHERE account_id IN (SELECT id FROM account);
INSERT LOW_PRIORITY INTO account (owner) VALUES ('x');
-- instead: INSERT INTO account (owner) VALUES ('x');
INSERT INTO account (id, owner) VALUES (1, 'x');
-- instead: INSERT INTO account (owner) VALUES ('x');
INSERT INTO entry VALUES (1, 1, 1) RETURNING line;

-- ## Refused in a transaction: expressions
SELECT id FROM account WHERE id <=> 1;
-- instead: SELECT id FROM account WHERE (id = 1 OR (id IS NULL AND 1 IS NULL));
SELECT id FROM account WHERE id = 1 XOR number = 2;
-- instead: SELECT id FROM account WHERE (id = 1 AND NOT number = 2) OR (NOT id = 1 AND number = 2);
SELECT id DIV 2 FROM account;
SELECT id FROM account WHERE owner REGEXP 'a';
-- instead: SELECT id FROM account WHERE owner LIKE '%a%';
SELECT id FROM account WHERE owner RLIKE 'a';
SELECT id FROM account WHERE owner SOUNDS LIKE 'a';
SELECT id FROM account WHERE 1 MEMBER OF (details);
SELECT id FROM account WHERE owner COLLATE latin1_bin = 'x';
-- instead: SELECT id FROM account WHERE owner = 'x';
SELECT id FROM account ORDER BY owner COLLATE latin1_bin;
-- instead: SELECT id FROM account ORDER BY owner;
SELECT owner || 'x' FROM account;
-- instead: SELECT CONCAT(owner, 'x') AS c FROM account;
SELECT id FROM account WHERE id = 1 && number = 2;
-- instead: SELECT id FROM account WHERE id = 1 AND number = 2;
SELECT id := 1 FROM account;
SELECT details -> '$.a' FROM account;
SELECT @x FROM account;
SELECT id FROM account WHERE id = ?;
-- instead: SELECT id FROM account WHERE id = :id;
SELECT balance / 2 FROM account;
SELECT id FROM account WHERE !active;
-- instead: SELECT id FROM account WHERE NOT (active);
SELECT id | 2 FROM account;
SELECT id & 2 FROM account;
SELECT id ^ 2 FROM account;
SELECT ~id FROM account;
SELECT {d '2026-01-01'} FROM account;
SELECT id FROM account WHERE (id, owner) = (1, 'x');
SELECT id FROM account WHERE active IS TRUE;
-- instead: SELECT id FROM account WHERE coalesce(active, FALSE);
SELECT id FROM account WHERE owner LIKE :id;
SELECT id FROM account WHERE owner LIKE 'a|%' ESCAPE '|';
SELECT id FROM account WHERE id = 1 = TRUE;
-- instead: SELECT id FROM account WHERE (id = 1) = TRUE;
SELECT CAST(id AS CHAR(3)) FROM account;
-- instead: SELECT CAST(id AS CHAR) AS c FROM account;
SELECT _utf8mb4'x' FROM account;
SELECT 0x41 FROM account;
SELECT opened + INTERVAL 1 DAY FROM account;
-- instead: SELECT CAST(opened AS DATETIME) + INTERVAL 1 DAY AS later FROM account;
SELECT at + INTERVAL 1 MONTH FROM account;
-- instead: SELECT at + INTERVAL 30 DAY AS later FROM account;
SELECT at + INTERVAL id HOUR FROM account;
SELECT INTERVAL 1 HOUR FROM account;

-- ## Refused in a transaction: functions
SELECT emptied() FROM account;
-- instead: UPDATE account SET owner = emptied() WHERE id = 1;
SELECT emptied(1) FROM account;
SELECT CURTIME() FROM account;
SELECT CURRENT_TIME() FROM account;
SELECT UTC_TIME() FROM account;
SELECT UNIX_TIMESTAMP() FROM account;
SELECT RAND() FROM account;
SELECT UUID_SHORT() FROM account;
SELECT RANDOM_BYTES(2) FROM account;
SELECT LAST_INSERT_ID() FROM account;
SELECT ROW_COUNT() FROM account;
SELECT FOUND_ROWS() FROM account;
SELECT CONNECTION_ID() FROM account;
SELECT USER() FROM account;
SELECT CURRENT_USER() FROM account;
SELECT SESSION_USER() FROM account;
SELECT DATABASE() FROM account;
SELECT SCHEMA() FROM account;
SELECT VERSION() FROM account;
SELECT id, GET_LOCK('a', 1) FROM account;
SELECT RELEASE_LOCK('a') FROM account;
SELECT IS_FREE_LOCK('a') FROM account;
SELECT SLEEP(1) FROM account;
SELECT BENCHMARK(1, 1) FROM account;
SELECT YEAR(opened) FROM account;
SELECT MONTH(opened) FROM account;
SELECT DAY(opened) FROM account;
SELECT DATE(at) FROM account;
SELECT DATEDIFF(opened, opened) FROM account;
SELECT DATE_ADD(opened, 1) FROM account;
SELECT DATE_SUB(opened, 1) FROM account;
SELECT TIMESTAMPDIFF(opened, opened) FROM account;
SELECT DATE_FORMAT(opened, 'x') FROM account;
SELECT JSON_EXTRACT(details, '$.a') FROM account;
SELECT JSON_SET(details, '$.a', 1) FROM account;
SELECT NEXTVAL(numbers) FROM account;
SELECT LENGTH(owner) FROM account;
-- instead: SELECT CHAR_LENGTH(owner) AS n FROM account;
SELECT OCTET_LENGTH(owner) FROM account;
SELECT LEFT(owner, 2) FROM account;
SELECT TRUNCATE(balance, 1) FROM account;
SELECT ROUND(balance) FROM account;
SELECT GROUP_CONCAT(owner) FROM account;
-- instead: SELECT owner FROM account;
SELECT CONVERT(id, SIGNED) FROM account;
-- instead: SELECT CAST(id AS SIGNED) AS n FROM account;
SELECT GREATEST(id, 2) FROM account;
-- instead: SELECT CASE WHEN id > 2 THEN id ELSE 2 END AS g FROM account;
SELECT LEAST(id, 2) FROM account;
-- instead: SELECT CASE WHEN id < 2 THEN id ELSE 2 END AS l FROM account;
