-- Limit of accounts: nobody may have more than two, and somebody has three (a count that is validated before the row is saved;
-- Bailis et al., "Feral Concurrency Control", SIGMOD 2015, and the limits that ACIDRain, SIGMOD 2017, attacks).
--
-- open beside open of one customer: both count, both find room for one more (predicate write skew).

-- @schema
CREATE TABLE customers (
  id int PRIMARY KEY,
  name varchar(20) NOT NULL
);
CREATE TABLE accounts (
  id int PRIMARY KEY,
  customer_id int NOT NULL,
  balance int NOT NULL,
  FOREIGN KEY (customer_id) REFERENCES customers (id)
);
CREATE INDEX accounts_by_customer ON accounts (customer_id);

-- @data
INSERT INTO customers (id, name) VALUES (1, 'ada'), (2, 'alan');
INSERT INTO accounts (id, customer_id, balance) VALUES (1, 1, 0), (2, 2, 0);

-- @transaction open
-- @parameter :id unique
-- @parameter :customer key of customers
SELECT name FROM customers WHERE id = :customer;
SELECT count(*) INTO :accounts FROM accounts WHERE customer_id = :customer;
IF :accounts >= 2 ROLLBACK;
INSERT INTO accounts (id, customer_id, balance) VALUES (:id, :customer, 0);

-- @invariant at-most-two
SELECT a.customer_id FROM accounts AS a GROUP BY a.customer_id HAVING count(*) > 2;
