-- A locking read over a view that hides what is read from the clause: MySQL and MariaDB lock nothing there.

-- @schema
CREATE TABLE a (id int PRIMARY KEY, v int NOT NULL);
CREATE TABLE b (id int PRIMARY KEY, v int NOT NULL);
CREATE TABLE c (id int PRIMARY KEY, v int NOT NULL);
CREATE VIEW na AS SELECT d.s FROM (SELECT sum(a.v) AS s FROM a) d;
CREATE VIEW nb AS SELECT d.s FROM (SELECT sum(b.v) AS s FROM b) d;
CREATE VIEW pairs AS SELECT a.id, a.v, (SELECT min(b.v) FROM b WHERE b.id = a.id) AS w FROM a;
CREATE VIEW sums AS SELECT c.id, (SELECT sum(b.v) FROM b) AS s FROM c;

-- @data
-- @for :k 1..3
INSERT INTO a (id, v) VALUES (:k, 0);
-- @for :k 1..3
INSERT INTO b (id, v) VALUES (:k, 0);
-- @for :k 1..3
INSERT INTO c (id, v) VALUES (:k, 0);

-- @transaction nb-then-a weight=2
-- @parameter :k key of a
SELECT nb.s FROM nb FOR UPDATE;
UPDATE a SET v = v + 1 WHERE id = :k;

-- @transaction na-then-b weight=2
-- @parameter :k key of b
SELECT na.s FROM na FOR UPDATE;
UPDATE b SET v = v + 1 WHERE id = :k;

-- @transaction sums-then-a
-- @parameter :k key of a
SELECT sums.s FROM sums WHERE sums.id = :k FOR UPDATE;
UPDATE a SET v = v + 1 WHERE id = :k;

-- @transaction a-then-b
-- @parameter :k key of a
UPDATE a SET v = v + 1 WHERE id = :k;
UPDATE b SET v = v + 1 WHERE id = :k;

-- @transaction pairs-alone autocommit
SELECT pairs.v, pairs.w FROM pairs FOR UPDATE;

-- @transaction nb-alone autocommit
SELECT nb.s FROM nb FOR UPDATE;
