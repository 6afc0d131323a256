-- A bank with an audit trail. Every customer has a checking and a savings account; either may go below zero as long as
-- the two together do not. Each movement leaves an entry in `audit`, from the opening balance on.
--
-- What is known to go wrong:
--   withdraw-checking beside withdraw-savings: both see enough money on the two accounts and each takes it from another
--     row: write skew, wherever both read from snapshots (PostgreSQL REPEATABLE READ; READ COMMITTED everywhere).
--   interest: the new balance is staged in `postings` and written afterwards: what came between is lost (lost update,
--     READ COMMITTED).
--   balance beside any write: two statements see two states (read skew, READ COMMITTED).
-- At SERIALIZABLE: nothing, and the invariants hold.

-- @schema
CREATE TABLE customers (
  customer_id int PRIMARY KEY,
  name varchar(40) NOT NULL
);
CREATE TABLE checking (
  customer_id int PRIMARY KEY,
  balance decimal(12,2) NOT NULL,
  FOREIGN KEY (customer_id) REFERENCES customers (customer_id)
);
CREATE TABLE savings (
  customer_id int PRIMARY KEY,
  balance decimal(12,2) NOT NULL,
  FOREIGN KEY (customer_id) REFERENCES customers (customer_id)
);
CREATE TABLE audit (
  entry_id int PRIMARY KEY,
  customer_id int NOT NULL,
  account varchar(10) NOT NULL,
  amount decimal(12,2) NOT NULL
);
CREATE INDEX audit_customer ON audit (customer_id);
CREATE TABLE postings (
  posting_id int PRIMARY KEY,
  customer_id int NOT NULL,
  new_balance decimal(12,2) NOT NULL
);
CREATE TABLE day_totals (
  total_id int PRIMARY KEY,
  checking_total decimal(14,2) NOT NULL,
  savings_total decimal(14,2) NOT NULL
);

-- @data
-- @for :c 1..4*scale
-- @parameter :name text 4..10
INSERT INTO customers (customer_id, name) VALUES (:c, :name);
-- @for :c 1..4*scale
INSERT INTO checking (customer_id, balance) VALUES (:c, 100.00);
-- @for :c 1..4*scale
INSERT INTO savings (customer_id, balance) VALUES (:c, 100.00);
-- @for :c 1..4*scale
INSERT INTO audit (entry_id, customer_id, account, amount) VALUES (:c, :c, 'opening', 200.00);

-- @transaction deposit weight=2
-- @parameter :entry unique
-- @parameter :c zipfian key of customers
-- @parameter :amount decimal 1.00..50.00
UPDATE checking SET balance = balance + :amount WHERE customer_id = :c;
INSERT INTO audit (entry_id, customer_id, account, amount) VALUES (:entry, :c, 'checking', :amount);

-- The audit entry is made if the money is there, and the money is taken if the entry was made.
-- @transaction withdraw-checking weight=3
-- @parameter :entry unique
-- @parameter :c zipfian key of customers
-- @parameter :amount decimal 50.00..150.00
SELECT k.balance AS checking_balance, s.balance AS savings_balance
FROM checking AS k JOIN savings AS s ON s.customer_id = k.customer_id
WHERE k.customer_id = :c;
INSERT INTO audit (entry_id, customer_id, account, amount)
SELECT :entry, k.customer_id, 'checking', 0 - :amount
FROM checking AS k JOIN savings AS s ON s.customer_id = k.customer_id
WHERE k.customer_id = :c AND k.balance + s.balance >= :amount;
UPDATE checking SET balance = balance - :amount
WHERE customer_id = :c AND (SELECT count(*) FROM audit AS a WHERE a.entry_id = :entry) = 1;

-- @transaction withdraw-savings weight=3
-- @parameter :entry unique
-- @parameter :c zipfian key of customers
-- @parameter :amount decimal 50.00..150.00
SELECT k.balance AS checking_balance, s.balance AS savings_balance
FROM checking AS k JOIN savings AS s ON s.customer_id = k.customer_id
WHERE k.customer_id = :c;
INSERT INTO audit (entry_id, customer_id, account, amount)
SELECT :entry, k.customer_id, 'savings', 0 - :amount
FROM checking AS k JOIN savings AS s ON s.customer_id = k.customer_id
WHERE k.customer_id = :c AND k.balance + s.balance >= :amount;
UPDATE savings SET balance = balance - :amount
WHERE customer_id = :c AND (SELECT count(*) FROM audit AS a WHERE a.entry_id = :entry) = 1;

-- @transaction transfer weight=3 rollback=2%
-- @parameter :outgoing unique
-- @parameter :incoming unique
-- @parameter :from zipfian key of customers
-- @parameter :to zipfian key of customers except :from
-- @parameter :amount decimal 1.00..80.00
INSERT INTO audit (entry_id, customer_id, account, amount)
SELECT :outgoing, k.customer_id, 'checking', 0 - :amount
FROM checking AS k JOIN savings AS s ON s.customer_id = k.customer_id
WHERE k.customer_id = :from AND k.balance + s.balance >= :amount;
UPDATE checking SET balance = balance - :amount
WHERE customer_id = :from AND (SELECT count(*) FROM audit AS a WHERE a.entry_id = :outgoing) = 1;
INSERT INTO audit (entry_id, customer_id, account, amount)
SELECT :incoming, :to, 'checking', :amount FROM audit AS a
WHERE a.entry_id = :outgoing;
UPDATE checking SET balance = balance + :amount
WHERE customer_id = :to AND (SELECT count(*) FROM audit AS a WHERE a.entry_id = :incoming) = 1;

-- @transaction interest weight=2
-- @parameter :posting unique
-- @parameter :entry unique
-- @parameter :c zipfian key of customers
INSERT INTO postings (posting_id, customer_id, new_balance)
SELECT :posting, s.customer_id, s.balance + 1.50 FROM savings AS s WHERE s.customer_id = :c;
INSERT INTO audit (entry_id, customer_id, account, amount) VALUES (:entry, :c, 'savings', 1.50);
UPDATE savings SET balance = (SELECT p.new_balance FROM postings AS p WHERE p.posting_id = :posting)
WHERE customer_id = :c;

-- @transaction balance weight=2
-- @parameter :c zipfian key of customers
SELECT c.name, k.balance FROM customers AS c JOIN checking AS k ON k.customer_id = c.customer_id WHERE c.customer_id = :c;
SELECT s.balance FROM savings AS s WHERE s.customer_id = :c;
SELECT sum(a.amount) AS booked FROM audit AS a WHERE a.customer_id = :c;

-- @transaction close-day
-- @parameter :total unique
SELECT count(*) AS entries, sum(a.amount) AS booked FROM audit AS a;
INSERT INTO day_totals (total_id, checking_total, savings_total)
SELECT :total, sum(k.balance), sum(s.balance) FROM checking AS k JOIN savings AS s ON s.customer_id = k.customer_id;

-- @invariant audit-equals-balances
SELECT c.customer_id, k.balance AS checking_balance, s.balance AS savings_balance
FROM customers AS c JOIN checking AS k ON k.customer_id = c.customer_id JOIN savings AS s ON s.customer_id = c.customer_id
WHERE k.balance + s.balance <> (SELECT sum(a.amount) FROM audit AS a WHERE a.customer_id = c.customer_id);

-- @invariant nobody-owes
SELECT k.customer_id, k.balance AS checking_balance, s.balance AS savings_balance
FROM checking AS k JOIN savings AS s ON s.customer_id = k.customer_id
WHERE k.balance + s.balance < 0;
