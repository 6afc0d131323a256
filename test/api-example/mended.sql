-- withdraw.sql, mended: each transaction locks the accounts before it adds up their balances.

-- @schema
CREATE TABLE accounts (id int PRIMARY KEY, owner int NOT NULL, balance int NOT NULL);

-- @data
INSERT INTO accounts (id, owner, balance) VALUES (1, 1, 60), (2, 1, 60);

-- @transaction withdraw
-- @parameter :account key of accounts
SELECT id FROM accounts FOR UPDATE;
SELECT sum(balance) INTO :total FROM accounts;
IF :total < 100 ROLLBACK;
UPDATE accounts SET balance = balance - 100 WHERE id = :account;

-- @invariant no-debt
SELECT owner FROM accounts GROUP BY owner HAVING sum(balance) < 0;
