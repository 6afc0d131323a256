-- A booking calendar: rooms, guests, bookings from day to day, and days on which a room is closed. A room is booked only
-- for days on which it is free, which no key and no constraint can say: it is a condition over ranges.
--
-- What is known to go wrong:
--   book beside book: both find the room free and both book it: a write skew between predicates, wherever the check reads
--     from a snapshot (PostgreSQL REPEATABLE READ; READ COMMITTED everywhere).
--   book beside close-room: each looks at the other's table: the same.
--   cancel beside book: a booking that comes between the two statements is deleted and stays in its guest's count
--     (READ COMMITTED).
-- At SERIALIZABLE: nothing, and the invariants hold.

-- @schema
CREATE TABLE rooms (
  room_id int PRIMARY KEY,
  name varchar(40) NOT NULL,
  beds int NOT NULL
);
CREATE TABLE guests (
  guest_id int PRIMARY KEY,
  name varchar(40) NOT NULL,
  bookings int NOT NULL
);
CREATE TABLE bookings (
  booking_id int PRIMARY KEY,
  room_id int NOT NULL,
  guest_id int NOT NULL,
  first_day date NOT NULL,
  last_day date NOT NULL,
  FOREIGN KEY (room_id) REFERENCES rooms (room_id),
  FOREIGN KEY (guest_id) REFERENCES guests (guest_id),
  CHECK (first_day <= last_day)
);
CREATE INDEX bookings_room ON bookings (room_id, first_day);
CREATE TABLE closures (
  closure_id int PRIMARY KEY,
  room_id int NOT NULL,
  first_day date NOT NULL,
  last_day date NOT NULL,
  FOREIGN KEY (room_id) REFERENCES rooms (room_id)
);
CREATE INDEX closures_room ON closures (room_id, first_day);
CREATE TABLE occupancy (
  report_id int PRIMARY KEY,
  room_id int NOT NULL,
  bookings int NOT NULL
);

-- @data
-- @for :r 1..3*scale
-- @parameter :name text 4..10
-- @parameter :beds int 1..4
INSERT INTO rooms (room_id, name, beds) VALUES (:r, :name, :beds);
-- @for :g 1..6*scale
-- @parameter :name text 4..10
INSERT INTO guests (guest_id, name, bookings) VALUES (:g, :name, 0);

-- @transaction book weight=6 rollback=2%
-- @parameter :booking unique
-- @parameter :room zipfian key of rooms
-- @parameter :guest key of guests
-- @parameter :first date 2026-06-01..2026-06-12
-- @parameter :last :first + 0..4
SELECT count(*) AS taken FROM bookings AS b
WHERE b.room_id = :room AND b.first_day <= :last AND b.last_day >= :first;
INSERT INTO bookings (booking_id, room_id, guest_id, first_day, last_day)
SELECT :booking, r.room_id, :guest, :first, :last FROM rooms AS r
WHERE r.room_id = :room
  AND (SELECT count(*) FROM bookings AS b WHERE b.room_id = :room AND b.first_day <= :last AND b.last_day >= :first) = 0
  AND (SELECT count(*) FROM closures AS x WHERE x.room_id = :room AND x.first_day <= :last AND x.last_day >= :first) = 0;
UPDATE guests SET bookings = bookings + (SELECT count(*) FROM bookings AS b WHERE b.booking_id = :booking)
WHERE guest_id = :guest;

-- @transaction close-room weight=2
-- @parameter :closure unique
-- @parameter :room zipfian key of rooms
-- @parameter :first date 2026-06-01..2026-06-12
-- @parameter :last :first + 0..1
INSERT INTO closures (closure_id, room_id, first_day, last_day)
SELECT :closure, r.room_id, :first, :last FROM rooms AS r
WHERE r.room_id = :room
  AND (SELECT count(*) FROM bookings AS b WHERE b.room_id = :room AND b.first_day <= :last AND b.last_day >= :first) = 0;

-- @transaction reopen-room weight=2
-- @parameter :room zipfian key of rooms
-- @parameter :day date 2026-06-01..2026-06-12
DELETE FROM closures WHERE room_id = :room AND first_day <= :day;

-- The guests' counts go down by as many bookings as are about to be deleted.
-- @transaction cancel weight=4
-- @parameter :room zipfian key of rooms
-- @parameter :day date 2026-06-01..2026-06-12
-- @parameter :until :day + 6
UPDATE guests SET bookings = bookings - (SELECT count(*) FROM bookings AS b WHERE b.guest_id = guests.guest_id AND b.room_id = :room AND b.first_day BETWEEN :day AND :until)
WHERE (SELECT count(*) FROM bookings AS b WHERE b.guest_id = guests.guest_id AND b.room_id = :room AND b.first_day BETWEEN :day AND :until) > 0;
DELETE FROM bookings WHERE room_id = :room AND first_day BETWEEN :day AND :until;

-- @transaction leave-early weight=2
-- @parameter :room zipfian key of rooms
-- @parameter :day date 2026-06-01..2026-06-12
UPDATE bookings SET last_day = first_day WHERE room_id = :room AND first_day <= :day AND last_day >= :day;

-- @transaction free-rooms weight=2
-- @parameter :first date 2026-06-01..2026-06-12
-- @parameter :last :first + 0..4
SELECT r.room_id, r.name FROM rooms AS r
WHERE NOT EXISTS (SELECT b.booking_id FROM bookings AS b WHERE b.room_id = r.room_id AND b.first_day <= :last AND b.last_day >= :first)
  AND NOT EXISTS (SELECT x.closure_id FROM closures AS x WHERE x.room_id = r.room_id AND x.first_day <= :last AND x.last_day >= :first);

-- @transaction my-bookings weight=2
-- @parameter :guest key of guests
SELECT g.name, g.bookings FROM guests AS g WHERE g.guest_id = :guest;
SELECT b.booking_id, r.name, b.first_day, b.last_day FROM bookings AS b JOIN rooms AS r ON r.room_id = b.room_id
WHERE b.guest_id = :guest ORDER BY b.first_day;

-- @transaction report-occupancy
-- @parameter :report unique
-- @parameter :room zipfian key of rooms
INSERT INTO occupancy (report_id, room_id, bookings)
SELECT :report, :room, count(*) FROM bookings AS b WHERE b.room_id = :room;
SELECT o.report_id, o.bookings FROM occupancy AS o WHERE o.room_id = :room;

-- @invariant no-two-bookings-overlap
SELECT a.booking_id, b.booking_id AS other, a.room_id, a.first_day, a.last_day, b.first_day AS other_first, b.last_day AS other_last
FROM bookings AS a JOIN bookings AS b ON b.room_id = a.room_id AND b.booking_id > a.booking_id
WHERE a.first_day <= b.last_day AND b.first_day <= a.last_day;

-- @invariant no-booking-of-a-closed-room
SELECT b.booking_id, x.closure_id, b.room_id, b.first_day, b.last_day, x.first_day AS closed_first, x.last_day AS closed_last
FROM bookings AS b JOIN closures AS x ON x.room_id = b.room_id
WHERE b.first_day <= x.last_day AND x.first_day <= b.last_day;

-- @invariant guests-counts-are-right
SELECT g.guest_id, g.bookings FROM guests AS g
WHERE g.bookings <> (SELECT count(*) FROM bookings AS b WHERE b.guest_id = g.guest_id);
