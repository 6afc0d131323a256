-- @data
INSERT INTO department (dept_no, name) VALUES ('d001', 'Sales');
INSERT INTO employee (emp_no, born, first_name, last_name, sex, hired, dept_no, settings) VALUES (1, '1990-01-01', 'Ann', 'Lee', 'f', '2020-01-01', 'd001', '{}');
INSERT INTO salary (emp_no, amount, from_date) VALUES (1, 100, '2026-01-01');
INSERT INTO wp_posts (post_content, post_title) VALUES ('Hello', 'Hello');

-- @transaction pay-rise
SELECT amount INTO :amount FROM salary WHERE emp_no = 1;
UPDATE salary SET amount = :amount + 10 WHERE emp_no = 1;

-- @transaction costs
SELECT amount FROM current_salary WHERE emp_no = 1;
SELECT cost FROM dept_cost;
