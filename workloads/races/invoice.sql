-- Invoice numbers: each is the highest so far and one, so that none is left out, and two invoices get the same one (the sequence
-- that is read and written by hand; Bailis et al., "Feral Concurrency Control", SIGMOD 2015).
--
-- issue beside issue of one company: both see the same highest number.

-- @schema
CREATE TABLE companies (
  id int PRIMARY KEY,
  name varchar(20) NOT NULL
);
CREATE TABLE invoices (
  id int PRIMARY KEY,
  company_id int NOT NULL,
  number int NOT NULL,
  FOREIGN KEY (company_id) REFERENCES companies (id)
);
CREATE INDEX invoices_by_company ON invoices (company_id);

-- @data
INSERT INTO companies (id, name) VALUES (1, 'north'), (2, 'south');
INSERT INTO invoices (id, company_id, number) VALUES (1, 1, 1), (2, 2, 1);

-- @transaction issue
-- @parameter :id unique
-- @parameter :company key of companies
SELECT max(number) INTO :last FROM invoices WHERE company_id = :company;
INSERT INTO invoices (id, company_id, number) VALUES (:id, :company, :last + 1);

-- @invariant every-number-once
SELECT i.company_id, i.number FROM invoices AS i GROUP BY i.company_id, i.number HAVING count(*) > 1;
