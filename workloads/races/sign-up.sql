-- Duplicate sign-up through validation: Rails' validates_uniqueness_of looks before it inserts (Bailis et al., "Feral Concurrency
-- Control", SIGMOD 2015: the most used validation of the applications that they read).
--
-- sign-up beside sign-up of one name: both look, neither finds it, both insert (predicate write skew): the validation is no
-- constraint.

-- @schema
CREATE TABLE users (
  id int PRIMARY KEY,
  name varchar(20) NOT NULL
);
CREATE INDEX users_by_name ON users (name);

-- @data
INSERT INTO users (id, name) VALUES (1, 'root');

-- @transaction sign-up
-- @parameter :id unique
-- @parameter :name one of 'ada', 'alan'
SELECT count(*) INTO :found FROM users WHERE name = :name;
IF :found > 0 ROLLBACK;
INSERT INTO users (id, name) VALUES (:id, :name);

-- @invariant every-name-once
SELECT u.name FROM users AS u GROUP BY u.name HAVING count(*) > 1;
