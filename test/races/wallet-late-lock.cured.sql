-- A wallet is locked after its balance was read: the lock comes too late for the decision.
-- The cured form locks the wallet as it reads the balance.

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
SELECT balance INTO :balance FROM wallets WHERE id = :wallet FOR UPDATE;
IF :balance < :amount ROLLBACK;
UPDATE wallets SET balance = balance - :amount WHERE id = :wallet;
INSERT INTO payments (id, wallet_id, amount) VALUES (:payment, :wallet, :amount);

-- @invariant no-wallet-below-zero
SELECT w.id, w.balance FROM wallets AS w WHERE w.balance < 0;
