-- A team has a limit of members. An application inserts first and counts then, and takes the insert back where it is too many.
-- The cured form locks the team before it inserts.

-- @schema
CREATE TABLE teams (id int PRIMARY KEY, most_members int NOT NULL);
CREATE TABLE memberships (
  id int PRIMARY KEY,
  team_id int NOT NULL,
  user_id int NOT NULL,
  FOREIGN KEY (team_id) REFERENCES teams (id)
);
CREATE INDEX memberships_by_team ON memberships (team_id);

-- @data
INSERT INTO teams (id, most_members) VALUES (1, 3), (2, 2), (3, 9), (4, 9);
INSERT INTO memberships (id, team_id, user_id) VALUES (1, 1, 1), (2, 1, 2), (3, 2, 3), (4, 3, 4);

-- @transaction join
-- @parameter :id unique
-- @parameter :team key of teams
-- @parameter :user int 10..40
SELECT most_members INTO :most FROM teams WHERE id = :team FOR UPDATE;
INSERT INTO memberships (id, team_id, user_id) VALUES (:id, :team, :user);
SELECT count(*) INTO :members FROM memberships WHERE team_id = :team;
IF :members > :most ROLLBACK;

-- @invariant teams-within-their-limit
SELECT t.id, t.most_members FROM teams AS t
WHERE t.most_members < (SELECT count(*) FROM memberships AS m WHERE m.team_id = t.id);
