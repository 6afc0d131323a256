-- Seat maps: two people are sold one seat (the seat reservation of every textbook; the check-then-act that ACIDRain, SIGMOD 2017,
-- calls a scope-based anomaly where it is split over statements).
--
-- reserve beside reserve of one seat: both see it free, both print a ticket, the second takes the seat from the first.

-- @schema
CREATE TABLE seats (
  id int PRIMARY KEY,
  passenger_id int
);
CREATE TABLE tickets (
  id int PRIMARY KEY,
  seat_id int NOT NULL,
  passenger_id int NOT NULL,
  FOREIGN KEY (seat_id) REFERENCES seats (id)
);

-- @data
INSERT INTO seats (id, passenger_id) VALUES (1, NULL), (2, NULL);

-- @transaction reserve
-- @parameter :ticket unique
-- @parameter :passenger int 1..40
-- @parameter :seat key of seats
SELECT passenger_id INTO :taken FROM seats WHERE id = :seat;
IF :taken IS NOT NULL ROLLBACK;
UPDATE seats SET passenger_id = :passenger WHERE id = :seat;
INSERT INTO tickets (id, seat_id, passenger_id) VALUES (:ticket, :seat, :passenger);

-- @transaction seat-map
SELECT s.id, s.passenger_id FROM seats AS s;

-- @invariant one-ticket-a-seat
SELECT t.seat_id FROM tickets AS t GROUP BY t.seat_id HAVING count(*) > 1;
