-- A plan allows so many projects. One request creates a project, another one changes to a smaller plan.
-- The cured form locks the account in both before anything is counted.

-- @schema
CREATE TABLE plans (id int PRIMARY KEY, most_projects int NOT NULL);
CREATE TABLE accounts (
  id int PRIMARY KEY,
  plan_id int NOT NULL,
  FOREIGN KEY (plan_id) REFERENCES plans (id)
);
CREATE TABLE projects (
  id int PRIMARY KEY,
  account_id int NOT NULL,
  FOREIGN KEY (account_id) REFERENCES accounts (id)
);
CREATE INDEX projects_by_account ON projects (account_id);

-- @data
INSERT INTO plans (id, most_projects) VALUES (1, 1), (2, 3), (3, 9);
INSERT INTO accounts (id, plan_id) VALUES (1, 2), (2, 3), (3, 1), (4, 3), (5, 3), (6, 3);
INSERT INTO projects (id, account_id) VALUES (1, 1), (2, 3), (3, 2), (4, 2), (5, 2), (6, 2);

-- @transaction create-project
-- @parameter :id unique
-- @parameter :account key of accounts
SELECT id AS locked FROM accounts WHERE id = :account FOR UPDATE;
SELECT p.most_projects INTO :most FROM accounts AS a JOIN plans AS p ON p.id = a.plan_id WHERE a.id = :account;
SELECT count(*) INTO :projects FROM projects WHERE account_id = :account;
IF :projects >= :most ROLLBACK;
INSERT INTO projects (id, account_id) VALUES (:id, :account);

-- @transaction change-plan
-- @parameter :account key of accounts
-- @parameter :plan key of plans
SELECT id AS locked FROM accounts WHERE id = :account FOR UPDATE;
SELECT most_projects INTO :most FROM plans WHERE id = :plan;
SELECT count(*) INTO :projects FROM projects WHERE account_id = :account;
IF :projects > :most ROLLBACK;
UPDATE accounts SET plan_id = :plan WHERE id = :account;

-- @invariant accounts-within-their-plan
SELECT a.id, p.most_projects FROM accounts AS a JOIN plans AS p ON p.id = a.plan_id
WHERE p.most_projects < (SELECT count(*) FROM projects AS r WHERE r.account_id = a.id);
