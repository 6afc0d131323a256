-- A rental of films after Sakila, as MySQL's schemas are dumped: unsigned numbers, enums, sets, timestamps that set themselves,
-- prefix keys. Each transaction finds, decides in the application, and writes back what it has computed.
--
-- What is known to go wrong at READ COMMITTED:
--   rent beside rent of one copy: both find it in the store, both rent it out (predicate write skew).
--   give-back beside give-back of one copy: both find it rented out, and the fee is taken twice.
--   pay beside pay and beside give-back of one customer: the balance that was read is written over (lost update).
--   reserve beside reserve: the reservations of a film are counted: more than there are copies.
-- At SERIALIZABLE: nothing, and the invariants hold.

-- @schema
CREATE TABLE `film` (
  `film_id` smallint unsigned NOT NULL,
  `title` varchar(128) NOT NULL,
  `description` text,
  `release_year` year DEFAULT NULL,
  `rental_rate` decimal(4,2) NOT NULL DEFAULT '4.99',
  `rating` enum('G','PG','PG-13','R','NC-17') DEFAULT 'G',
  `special_features` set('Trailers','Commentaries','Deleted Scenes') DEFAULT NULL,
  `last_update` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (`film_id`),
  KEY `idx_title` (`title`(20)),
  FULLTEXT KEY `idx_description` (`description`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
CREATE TABLE `inventory` (
  `inventory_id` mediumint unsigned NOT NULL,
  `film_id` smallint unsigned NOT NULL,
  `last_update` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (`inventory_id`),
  KEY `idx_fk_film_id` (`film_id`),
  CONSTRAINT `fk_inventory_film` FOREIGN KEY (`film_id`) REFERENCES `film` (`film_id`) ON DELETE RESTRICT ON UPDATE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE `customer` (
  `customer_id` smallint unsigned NOT NULL,
  `email` varchar(50) DEFAULT NULL,
  `active` tinyint(1) NOT NULL DEFAULT 1,
  `balance` decimal(7,2) NOT NULL DEFAULT '0.00',
  `last_update` timestamp NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (`customer_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE `rental` (
  `rental_id` int NOT NULL AUTO_INCREMENT,
  `rental_date` datetime NOT NULL,
  `inventory_id` mediumint unsigned NOT NULL,
  `customer_id` smallint unsigned NOT NULL,
  `return_date` datetime DEFAULT NULL,
  `fee` decimal(5,2) NOT NULL DEFAULT '0.00',
  PRIMARY KEY (`rental_id`),
  KEY `idx_fk_inventory_id` (`inventory_id`),
  KEY `idx_fk_customer_id` (`customer_id`),
  CONSTRAINT `fk_rental_inventory` FOREIGN KEY (`inventory_id`) REFERENCES `inventory` (`inventory_id`),
  CONSTRAINT `fk_rental_customer` FOREIGN KEY (`customer_id`) REFERENCES `customer` (`customer_id`)
) ENGINE=InnoDB AUTO_INCREMENT=1 DEFAULT CHARSET=utf8mb4;
CREATE TABLE `payment` (
  `payment_id` int unsigned NOT NULL,
  `customer_id` smallint unsigned NOT NULL,
  `amount` decimal(5,2) NOT NULL,
  `payment_date` datetime NOT NULL,
  PRIMARY KEY (`payment_id`),
  KEY `idx_payment_customer` (`customer_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
CREATE TABLE `reservation` (
  `reservation_id` int unsigned NOT NULL,
  `film_id` smallint unsigned NOT NULL,
  `customer_id` smallint unsigned NOT NULL,
  PRIMARY KEY (`reservation_id`),
  KEY `idx_reservation_film` (`film_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

-- @data
-- @for :f 1..3*scale
-- @parameter :title text 8..20
INSERT INTO film (film_id, title, release_year, special_features) VALUES (:f, :title, 2006, 'Trailers,Commentaries');
-- @for :i 1..3*scale
INSERT INTO inventory (inventory_id, film_id) VALUES (:i, :i);
-- @for :c 1..3*scale
-- @parameter :email text 6..12
INSERT INTO customer (customer_id, email) VALUES (:c, :email);
INSERT INTO rental (rental_id, rental_date, inventory_id, customer_id) VALUES (1, '2026-01-01 10:00:00', 3, 1);

-- @transaction rent weight=3 retries=3
-- @parameter :customer key of customer
-- @parameter :copy key of inventory
SELECT film_id INTO :film FROM inventory WHERE inventory_id = :copy;
SELECT count(*) INTO :lent FROM rental WHERE inventory_id = :copy AND return_date IS NULL;
IF :lent > 0 ROLLBACK;
INSERT INTO rental (rental_date, inventory_id, customer_id) VALUES (NOW(), :copy, :customer);

-- @transaction give-back weight=2 retries=3
-- @parameter :copy key of inventory
-- @parameter :fee decimal 0.50..2.00
SELECT rental_id, customer_id INTO :rental, :customer FROM rental
WHERE inventory_id = :copy AND return_date IS NULL ORDER BY rental_id LIMIT 1;
IF :rental IS NULL ROLLBACK;
SELECT balance INTO :balance FROM customer WHERE customer_id = :customer;
UPDATE rental SET return_date = NOW(), fee = :fee WHERE rental_id = :rental;
UPDATE customer SET balance = :balance - :fee WHERE customer_id = :customer;

-- @transaction pay weight=3
-- @parameter :customer key of customer
-- @parameter :payment unique
-- @parameter :amount decimal 1.00..9.99
SELECT balance INTO :balance FROM customer WHERE customer_id = :customer;
INSERT INTO payment (payment_id, customer_id, amount, payment_date) VALUES (:payment, :customer, :amount, NOW());
UPDATE customer SET balance = :balance + :amount WHERE customer_id = :customer;

-- @transaction reserve weight=2
-- @parameter :customer key of customer
-- @parameter :film key of film
-- @parameter :reservation unique
SELECT title INTO :title FROM film WHERE film_id = :film;
SELECT count(*) INTO :copies FROM inventory WHERE film_id = :film;
SELECT count(*) INTO :reserved FROM reservation WHERE film_id = :film;
IF :reserved >= :copies ROLLBACK;
INSERT INTO reservation (reservation_id, film_id, customer_id) VALUES (:reservation, :film, :customer);

-- @invariant a-copy-is-rented-out-once
SELECT r.inventory_id FROM rental AS r WHERE r.return_date IS NULL GROUP BY r.inventory_id HAVING count(*) > 1;

-- @invariant balances-are-what-was-paid
SELECT c.customer_id, c.balance FROM customer AS c
WHERE c.balance <> (SELECT coalesce(sum(p.amount), 0.00) FROM payment AS p WHERE p.customer_id = c.customer_id)
  - (SELECT coalesce(sum(r.fee), 0.00) FROM rental AS r WHERE r.customer_id = c.customer_id);

-- @invariant no-more-reservations-than-copies
SELECT f.film_id FROM film AS f
WHERE (SELECT count(*) FROM reservation AS r WHERE r.film_id = f.film_id) > (SELECT count(*) FROM inventory AS i WHERE i.film_id = f.film_id);
