-- A locking clause within the statement: one half is the newest row, the other a snapshot. PostgreSQL, READ COMMITTED.

-- @schema
CREATE TABLE a (id int PRIMARY KEY, v int NOT NULL);
CREATE TABLE b (id int PRIMARY KEY, v int NOT NULL);

-- @data
-- @for :k 1..3
INSERT INTO a (id, v) VALUES (:k, 0);
-- @for :k 1..3
INSERT INTO b (id, v) VALUES (:k, 0);

-- @transaction a-then-b weight=3
-- @parameter :k key of a
UPDATE a SET v = v + 1 WHERE id = :k;
UPDATE b SET v = v + 1 WHERE id = :k;

-- @transaction joined
-- @parameter :k key of a
SELECT d.v, b.v AS w FROM (SELECT a.id, a.v FROM a WHERE a.id = :k FOR UPDATE) d JOIN b ON b.id = d.id;

-- @transaction joined-alone autocommit
-- @parameter :k key of a
SELECT d.v, b.v AS w FROM (SELECT a.id, a.v FROM a WHERE a.id = :k FOR SHARE) d JOIN b ON b.id = d.id;

-- @transaction summed
-- @parameter :k key of a
SELECT sum(d.v + b.v) AS s FROM (SELECT a.id, a.v FROM a WHERE a.id = :k FOR UPDATE) d JOIN b ON b.id = d.id;

-- @transaction one-below-the-other
-- @parameter :k key of a
SELECT d.v FROM (SELECT a.v FROM a WHERE a.id = :k FOR UPDATE) d UNION ALL SELECT b.v FROM b WHERE b.id = :k;
