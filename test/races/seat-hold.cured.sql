-- A seat is held for ten minutes, and a hold that has expired may be taken over.
-- The cured form lets the UPDATE decide, and looks at the number of rows that it changed.

-- @schema
CREATE TABLE seats (id int PRIMARY KEY, held_until int NOT NULL, holder int);
CREATE TABLE tickets (
  id int PRIMARY KEY,
  seat_id int NOT NULL,
  customer int NOT NULL,
  FOREIGN KEY (seat_id) REFERENCES seats (id)
);

-- @data
INSERT INTO seats (id, held_until, holder) VALUES (1, 0, NULL), (2, 90, 1), (3, 95, 2), (4, 9000, 3), (5, 9000, 4);

-- @transaction hold
-- @parameter :ticket unique
-- @parameter :seat key of seats
-- @parameter :customer int 10..40
-- @parameter :now int 100..109
UPDATE seats SET held_until = :now + 10, holder = :customer WHERE id = :seat AND held_until <= :now;
GET DIAGNOSTICS :taken = ROW_COUNT;
IF :taken = 0 ROLLBACK;
INSERT INTO tickets (id, seat_id, customer) VALUES (:ticket, :seat, :customer);

-- @transaction free-seats
-- @parameter :now int 100..109
SELECT s.id FROM seats AS s WHERE s.held_until < :now ORDER BY s.id;

-- @invariant one-ticket-a-seat
SELECT t.seat_id FROM tickets AS t GROUP BY t.seat_id HAVING count(*) > 1;
