-- A wallet is locked after its balance was read: the lock comes too late for the decision.
-- Two payments of one wallet run at once. The second waits for the lock and then pays from a balance that is gone.

-- @schema
CREATE TABLE wallets (id int PRIMARY KEY, balance int NOT NULL);
CREATE TABLE payments (
  id int PRIMARY KEY,
  wallet_id int NOT NULL,
  amount int NOT NULL,
  FOREIGN KEY (wallet_id) REFERENCES wallets (id)
);

-- @data
INSERT INTO wallets (id, balance) VALUES (1, 100), (2, 60), (3, 5), (4, 500);

-- @transaction pay
-- @parameter :payment unique
-- @parameter :wallet key of wallets
-- @parameter :amount int 40..60
SELECT balance INTO :balance FROM wallets WHERE id = :wallet;
SELECT id AS locked FROM wallets WHERE id = :wallet FOR UPDATE;
IF :balance < :amount ROLLBACK;
UPDATE wallets SET balance = balance - :amount WHERE id = :wallet;
INSERT INTO payments (id, wallet_id, amount) VALUES (:payment, :wallet, :amount);

-- @invariant no-wallet-below-zero
SELECT w.id, w.balance FROM wallets AS w WHERE w.balance < 0;
