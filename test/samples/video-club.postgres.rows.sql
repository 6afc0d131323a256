-- @data
INSERT INTO category (category_id, name) VALUES (1, 'drama'), (2, 'horror');
INSERT INTO language (name) VALUES ('Irish'), ('Basque');
INSERT INTO film (title, released, language_id, rating, extras) VALUES ('Dust', 1999, 1, 'adult', '{trailer}'), ('Rain', 2011, 2, 'general', NULL);
INSERT INTO film_category (film_id, category_id) VALUES (1, 1), (2, 2);
INSERT INTO shop (manager_id) VALUES (1);
INSERT INTO "Customer" (shop_id, "fullName", mail, nick) VALUES (1, 'Ann Lee', 'ann@lee', 'Ann');
INSERT INTO copy (shop_id, film_id) VALUES (1, 1), (1, 2);

-- @transaction rent
-- @parameter :number one of 1, 2
SELECT film_id FROM copy WHERE shop_id = 1 AND number = :number FOR UPDATE;
INSERT INTO rental (shop_id, number, "customerId") SELECT 1, :number, c."CustomerId" FROM "Customer" c WHERE c.nick = 'Ann';
UPDATE "Customer" SET balance = balance + 4.99 WHERE nick = 'Ann';

-- @transaction who-owes
SELECT d.open, d.balance FROM debt AS d;
SELECT count(*) FROM open_rental;
