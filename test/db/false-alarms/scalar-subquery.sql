-- A scalar subquery that locks: it waits and returns the newest value. Every SELECT returns an id and the v of that row of a.

-- @schema
CREATE TABLE a (id int PRIMARY KEY, v int NOT NULL);
CREATE TABLE c (id int PRIMARY KEY, v int NOT NULL);

-- @data
-- @for :k 1..2
INSERT INTO a (id, v) VALUES (:k, 0);
-- @for :k 1..2
INSERT INTO c (id, v) VALUES (:k, 0);

-- @transaction write weight=2
-- @parameter :k key of a
UPDATE a SET v = v + 1 WHERE id = :k;
UPDATE c SET v = v + 1 WHERE id = :k;

-- @transaction one autocommit
SELECT c.id, (SELECT a.v FROM a WHERE a.id = 1 FOR UPDATE) AS av FROM c WHERE c.id = 1;

-- @transaction each
SELECT c.id, (SELECT a.v FROM a WHERE a.id = c.id FOR SHARE) AS av FROM c;

-- @transaction plain
SELECT c.id, (SELECT a.v FROM a WHERE a.id = c.id) AS av FROM c;
