-- @data
INSERT INTO language (name) VALUES ('Irish'), ('Basque');
INSERT INTO title (name, language_id, age, features) VALUES ('Dust', 1, 'adult', 'maps,index'), ('Rain', 2, 'all', NULL);
INSERT INTO branch (head_id, town) VALUES (1, 'Cork');
INSERT INTO Reader (branch_id, fullName, mail) VALUES (1, 'Ann Lee', 'ann@lee');
INSERT INTO copy (branch_id, number, title_id) VALUES (1, 1, 1), (1, 2, 2);

-- @transaction lend
-- @parameter :number one of 1, 2
SELECT state INTO :state FROM copy WHERE branch_id = 1 AND number = :number;
IF :state <> 'in' ROLLBACK;
INSERT INTO loan (branch_id, number, reader_id) VALUES (1, :number, 1);
UPDATE copy SET state = 'out' WHERE branch_id = 1 AND number = :number;

-- @transaction who-owes
SELECT d.open FROM debt AS d;
SELECT count(*) FROM open_loan;
