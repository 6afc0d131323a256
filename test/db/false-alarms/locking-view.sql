-- A view that locks: what is read through it is the newest row. Every SELECT returns an id and the v of that row of a.

-- @schema
CREATE TABLE a (id int PRIMARY KEY, v int NOT NULL);
CREATE TABLE c (id int PRIMARY KEY, v int NOT NULL);
CREATE VIEW va AS SELECT a.id, a.v FROM a FOR UPDATE;
CREATE VIEW vva AS SELECT va.id, va.v FROM va;

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
-- @parameter :k key of a
SELECT va.id, va.v FROM va WHERE va.id = :k;

-- @transaction all
SELECT va.id, va.v FROM va;

-- @transaction joined
SELECT va.id, va.v, c.v AS w FROM c JOIN va ON va.id = c.id;

-- @transaction through-another
-- @parameter :k key of a
SELECT vva.id, vva.v FROM vva WHERE vva.id = :k;

-- @transaction within
SELECT c.id, (SELECT va.v FROM va WHERE va.id = c.id) AS av FROM c;
