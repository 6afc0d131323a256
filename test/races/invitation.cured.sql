-- An invitation is good for one person, and an application looks whether it was used before it marks it.
-- The cured form locks the invitation as it reads it.

-- @schema
CREATE TABLE invitations (id int PRIMARY KEY, code varchar(10) NOT NULL UNIQUE, used_by int);
CREATE TABLE members (
  id int PRIMARY KEY,
  invitation_id int NOT NULL,
  user_id int NOT NULL,
  FOREIGN KEY (invitation_id) REFERENCES invitations (id)
);

-- @data
INSERT INTO invitations (id, code, used_by) VALUES (1, 'aaa', NULL), (2, 'bbb', 5), (3, 'ccc', NULL), (4, 'ddd', NULL), (5, 'eee', 6);
INSERT INTO members (id, invitation_id, user_id) VALUES (1, 2, 5), (2, 5, 6);

-- @transaction accept
-- @parameter :id unique
-- @parameter :code value of invitations.code
-- @parameter :user int 10..60
SELECT id, used_by INTO :invitation, :used FROM invitations WHERE code = :code FOR UPDATE;
IF :used IS NOT NULL ROLLBACK;
INSERT INTO members (id, invitation_id, user_id) VALUES (:id, :invitation, :user);
UPDATE invitations SET used_by = :user WHERE id = :invitation;

-- @invariant one-member-an-invitation
SELECT m.invitation_id FROM members AS m GROUP BY m.invitation_id HAVING count(*) > 1;
