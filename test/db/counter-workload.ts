/** A counter that is written from what was read: only beside another transaction does it fall behind its log. What is to hold is a test's own. */
export const COUNTER = `
-- @schema
CREATE TABLE counters (k int PRIMARY KEY, v int NOT NULL);
CREATE TABLE log (n int PRIMARY KEY, v int NOT NULL);
-- @data
INSERT INTO counters (k, v) VALUES (1, 0);
-- @transaction count
-- @parameter :n unique
INSERT INTO log (n, v) SELECT :n, c.v + 1 FROM counters AS c WHERE c.k = 1;
UPDATE counters SET v = (SELECT l.v FROM log AS l WHERE l.n = :n) WHERE k = 1;
`;
