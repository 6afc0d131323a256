-- The last owner of an organization leaves: an application counts the owners before it removes one of them.
-- The cured form locks the organization first, so that one removal counts after the other has ended.

-- @schema
CREATE TABLE organizations (id int PRIMARY KEY, name varchar(20) NOT NULL);
CREATE TABLE members (
  id int PRIMARY KEY,
  organization_id int NOT NULL,
  user_id int NOT NULL,
  role varchar(10) NOT NULL,
  UNIQUE (organization_id, user_id),
  FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);

-- @data
INSERT INTO organizations (id, name) VALUES (1, 'acme'), (2, 'solo'), (3, 'trio');
INSERT INTO members (id, organization_id, user_id, role) VALUES
  (1, 1, 1, 'owner'), (2, 1, 2, 'owner'), (3, 2, 3, 'owner'), (4, 2, 4, 'member'), (5, 3, 5, 'owner'), (6, 3, 6, 'member'), (7, 3, 7, 'member');

-- @transaction remove-member
-- @parameter :org key of organizations
-- @parameter :member key of members
SELECT name FROM organizations WHERE id = :org FOR UPDATE;
SELECT role INTO :role FROM members WHERE id = :member AND organization_id = :org;
IF :role IS NULL ROLLBACK;
SELECT count(*) INTO :owners FROM members WHERE organization_id = :org AND role = 'owner';
IF :role = 'owner' AND :owners <= 1 ROLLBACK;
DELETE FROM members WHERE id = :member;

-- @invariant every-organization-has-an-owner
SELECT o.id FROM organizations AS o
WHERE NOT EXISTS (SELECT 1 AS one FROM members AS m WHERE m.organization_id = o.id AND m.role = 'owner');
