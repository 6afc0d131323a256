-- A room is booked for a time that no other booking of the room may overlap.
-- Two guests each count the bookings in their way, see none, and both insert. The two kinds of booking never begin at one time.

-- @schema
CREATE TABLE rooms (id int PRIMARY KEY, name varchar(20) NOT NULL);
CREATE TABLE bookings (
  id int PRIMARY KEY,
  room_id int NOT NULL,
  starts_at timestamp NOT NULL,
  ends_at timestamp NOT NULL,
  FOREIGN KEY (room_id) REFERENCES rooms (id)
);

-- @data
INSERT INTO rooms (id, name) VALUES (1, 'blue'), (2, 'red'), (3, 'green'), (4, 'white');
INSERT INTO bookings (id, room_id, starts_at, ends_at) VALUES (1, 1, '2026-01-01 06:00', '2026-01-01 07:00');

-- @transaction book
-- @parameter :id unique
-- @parameter :room key of rooms
-- @parameter :from timestamp '2026-01-02 08:00' + 0..400 hours
-- @parameter :to :from + 1..3 hours
SELECT count(*) INTO :n FROM bookings WHERE room_id = :room AND starts_at < :to AND ends_at > :from;
IF :n > 0 ROLLBACK;
INSERT INTO bookings (id, room_id, starts_at, ends_at) VALUES (:id, :room, :from, :to);

-- @transaction book-two-hours
-- @parameter :id unique
-- @parameter :room key of rooms
-- @parameter :from timestamp '2026-01-08 08:30' + 0..60 hours
-- @parameter :to :from + 2 hours
SELECT count(*) INTO :n FROM bookings WHERE room_id = :room AND starts_at < :to AND ends_at > :from;
IF :n > 0 ROLLBACK;
INSERT INTO bookings (id, room_id, starts_at, ends_at) VALUES (:id, :room, :from, :to);

-- @invariant no-overlap
SELECT a.id FROM bookings AS a JOIN bookings AS b ON b.room_id = a.room_id AND a.id < b.id WHERE a.starts_at < b.ends_at AND b.starts_at < a.ends_at;
