-- An administrator may demote another one. An application looks at the role of who asks before it changes the other role.
-- The cured form locks the team before it looks at the role.

-- @schema
CREATE TABLE teams (id int PRIMARY KEY, name varchar(20) NOT NULL);
CREATE TABLE people (
  id int PRIMARY KEY,
  team_id int NOT NULL,
  role varchar(10) NOT NULL,
  FOREIGN KEY (team_id) REFERENCES teams (id)
);
CREATE INDEX people_by_team ON people (team_id);

-- @data
INSERT INTO teams (id, name) VALUES (1, 'one'), (2, 'two'), (3, 'three');
INSERT INTO people (id, team_id, role) VALUES
  (1, 1, 'admin'), (2, 1, 'admin'), (3, 2, 'admin'), (4, 2, 'user'), (5, 3, 'admin'), (6, 3, 'user'), (7, 3, 'user');

-- @transaction demote
-- @parameter :by key of people
-- @parameter :person key of people except :by
SELECT team_id INTO :team FROM people WHERE id = :by;
SELECT name FROM teams WHERE id = :team FOR UPDATE;
SELECT role INTO :role FROM people WHERE id = :by;
SELECT team_id INTO :other FROM people WHERE id = :person;
IF :role <> 'admin' OR :other <> :team ROLLBACK;
UPDATE people SET role = 'user' WHERE id = :person;

-- @invariant every-team-has-an-admin
SELECT t.id FROM teams AS t
WHERE NOT EXISTS (SELECT 1 AS one FROM people AS p WHERE p.team_id = t.id AND p.role = 'admin');
