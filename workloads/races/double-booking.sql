-- Double booking: one room is given to two guests for one night (the room reservations of Bailis et al., "Feral Concurrency
-- Control", SIGMOD 2015, and of Kleppmann, "Designing Data-Intensive Applications", chapter 7).
--
-- book beside book: both look for a booking that overlaps, neither finds one, both book (predicate write skew).

-- @schema
CREATE TABLE rooms (
  id int PRIMARY KEY,
  beds int NOT NULL
);
CREATE TABLE bookings (
  id int PRIMARY KEY,
  room_id int NOT NULL,
  arrival int NOT NULL,
  departure int NOT NULL,
  FOREIGN KEY (room_id) REFERENCES rooms (id)
);
CREATE INDEX bookings_by_room ON bookings (room_id);

-- @data
INSERT INTO rooms (id, beds) VALUES (1, 2), (2, 1);

-- @transaction book
-- @parameter :id unique
-- @parameter :room key of rooms
-- @parameter :arrival int 1..3
-- @parameter :departure :arrival + 1..2
SELECT beds FROM rooms WHERE id = :room;
SELECT count(*) INTO :taken FROM bookings WHERE room_id = :room AND arrival < :departure AND departure > :arrival;
IF :taken > 0 ROLLBACK;
INSERT INTO bookings (id, room_id, arrival, departure) VALUES (:id, :room, :arrival, :departure);

-- @invariant one-guest-a-night
SELECT a.id, b.id AS other FROM bookings AS a JOIN bookings AS b ON b.room_id = a.room_id AND b.id > a.id
WHERE a.arrival < b.departure AND b.arrival < a.departure;
