-- The same on PostgreSQL, which refuses a locking clause over a sum: views with a scalar subquery.

-- @schema
CREATE TABLE a (id int PRIMARY KEY, v int NOT NULL);
CREATE TABLE b (id int PRIMARY KEY, v int NOT NULL);
CREATE TABLE c (id int PRIMARY KEY, v int NOT NULL);
CREATE VIEW pa AS SELECT c.id, (SELECT sum(a.v) FROM a) AS s FROM c;
CREATE VIEW pb AS SELECT c.id, (SELECT sum(b.v) FROM b) AS s FROM c;

-- @data
-- @for :k 1..3
INSERT INTO a (id, v) VALUES (:k, 0);
-- @for :k 1..3
INSERT INTO b (id, v) VALUES (:k, 0);
-- @for :k 1..3
INSERT INTO c (id, v) VALUES (:k, 0);

-- @transaction pb-then-a
-- @parameter :k key of a
SELECT pb.s FROM pb WHERE pb.id = :k FOR UPDATE;
UPDATE a SET v = v + 1 WHERE id = :k;

-- @transaction pa-then-b
-- @parameter :k key of a
SELECT pa.s FROM pa WHERE pa.id = :k FOR UPDATE;
UPDATE b SET v = v + 1 WHERE id = :k;

-- @transaction a-then-b
-- @parameter :k key of a
UPDATE a SET v = v + 1 WHERE id = :k;
UPDATE b SET v = v + 1 WHERE id = :k;

-- @transaction pb-alone autocommit
SELECT pb.id, pb.s FROM pb FOR UPDATE;
