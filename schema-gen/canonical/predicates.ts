/** Canonical schedules of conditions: rows that begin to satisfy a WHERE, and decisions that rest on its answer. */
import type { Expression, Statement } from '../../core/index.ts';
import type { CanonicalRow, Phenomenon } from './row.ts';
import {
  TEST,
  add,
  addWhere,
  all,
  compare,
  divisible,
  find,
  insert,
  integers,
  put,
  read,
  remove,
  select,
  update,
  valueIs,
} from './vocabulary.ts';

const HERMITAGE = 'Hermitage (ept/hermitage)';
const CAHILL = 'Cahill, Roehm, Fekete 2008';
const BERENSON = 'Berenson et al. 1995 (A3)';
const PRECEDERS = { class: 'G-single', shapes: ['predicate-many-preceders', 'phantom'], cycle: 'rwp wr' } as const;
const PREDICATE_SKEW = { class: 'G2', shapes: ['predicate write skew'], cycle: 'rwp rwp' } as const;

const BOOKINGS = ['id', 'room', 'from_hour', 'to_hour'] as const;
const BOOKING_TABLE = [
  integers('bookings', BOOKINGS, [
    [1, 1, 8, 9],
    [2, 2, 9, 17],
  ]),
] as const;
/** Selects bookings of a room that overlap the hours. */
const overlapping = (room: number, from: number, to: number, strength?: 'update'): Statement =>
  select(
    'bookings',
    'id',
    all(compare('bookings', 'room', '=', room), compare('bookings', 'from_hour', '<', to), compare('bookings', 'to_hour', '>', from)),
    strength,
  );
const book = (id: number, room: number, from: number, to: number): Statement => insert('bookings', BOOKINGS, [id, room, from, to]);

/** Counts the doctors of a shift who are on call: SELECT count(*). */
const onCall = (): Statement => ({
  kind: 'select',
  items: [{ expression: { kind: 'aggregate', name: 'count' }, alias: 'doctors' }],
  from: { kind: 'table', table: 'doctors', alias: 'doctors' },
  where: all(compare('doctors', 'shift', '=', 1), compare('doctors', 'on_call', '=', 1)),
});
const doctor = (id: number): Expression => compare('doctors', 'id', '=', id);
const is30 = (): Expression => valueIs('=', 30);

export const PREDICATE_ROWS: Readonly<Record<Extract<Phenomenon, 'PMP' | 'G2'>, readonly CanonicalRow[]>> = {
  PMP: [
    {
      name: 'PMP',
      title: 'a row appears in a range that was empty',
      source: HERMITAGE,
      variant: 'plain reads',
      ...PRECEDERS,
      sessions: [[{ do: [find(is30()), find(valueIs('>', 25))] }], [{ do: [put(3, 30)] }]],
      order: '1 1 2 2 2 1 1',
    },
    {
      name: 'PMP, locking read',
      title: 'the second read locks',
      source: HERMITAGE,
      variant: 'mixed',
      ...PRECEDERS,
      cycle: 'rwp wr!',
      sessions: [[{ do: [find(is30()), find(valueIs('>', 25), 'update')] }], [{ do: [put(3, 30)] }]],
      order: '1 1 2 2 2 1 1',
    },
    {
      name: 'PMP, write',
      title: 'an UPDATE finds the row that the SELECT before it did not',
      source: HERMITAGE,
      variant: 'mixed',
      ...PRECEDERS,
      cycle: 'rwp wr!',
      sessions: [[{ do: [find(valueIs('>', 25)), addWhere(1, valueIs('>', 25))] }], [{ do: [put(3, 30)] }]],
      order: '1 1 2 2 2 1 1',
    },
    {
      name: 'PMP, waiting write',
      title: 'a DELETE waits for the UPDATE that changes what its condition finds',
      source: HERMITAGE,
      variant: 'writes',
      ...PRECEDERS,
      cycle: 'rwp! wr',
      sessions: [[{ do: [add(10)] }], [{ do: [remove('test', valueIs('=', 20)), find(valueIs('=', 20))] }]],
      order: '1 2 1 2 1 2 2',
    },
  ],
  G2: [
    {
      name: 'phantom',
      title: 'one range read twice, a row inserted in between',
      source: BERENSON,
      variant: 'plain reads',
      ...PRECEDERS,
      sessions: [[{ do: [find(is30()), find(is30())] }], [{ do: [put(3, 30)] }]],
      order: '1 1 2 2 2 1 1',
    },
    {
      name: 'phantom, deleted row',
      title: 'one range read twice, a row deleted in between',
      source: BERENSON,
      variant: 'plain reads',
      class: 'G-single-item',
      cycle: 'rw wrp',
      also: ['G-single', 'G-single-item'],
      sessions: [[{ do: [find(valueIs('=', 20)), find(valueIs('=', 20))] }], [{ do: [remove('test', valueIs('=', 20))] }]],
      order: '1 1 2 2 2 1 1',
    },
    {
      name: 'phantom, locking reads',
      title: 'both reads lock the range',
      source: BERENSON,
      variant: 'locking reads',
      ...PRECEDERS,
      cycle: 'rwp! wr!',
      sessions: [[{ do: [find(is30(), 'update'), find(is30(), 'update')] }], [{ do: [put(3, 30)] }]],
      order: '1 1 2 2 2 1 1',
    },
    {
      name: 'phantom, locking read',
      title: 'the second read locks',
      source: BERENSON,
      variant: 'mixed',
      ...PRECEDERS,
      cycle: 'rwp wr!',
      sessions: [[{ do: [find(is30()), find(is30(), 'update')] }], [{ do: [put(3, 30)] }]],
      order: '1 1 2 2 2 1 1',
    },
    {
      name: 'G2',
      title: 'both read a range, each inserts into it',
      source: HERMITAGE,
      variant: 'plain reads',
      ...PREDICATE_SKEW,
      sessions: [[{ do: [find(divisible(3)), put(3, 30)] }], [{ do: [find(divisible(3)), put(4, 42)] }]],
      order: '1 2 1 2 1 2 1 2',
    },
    {
      name: 'overlapping bookings',
      title: 'both find the room free, both book it',
      source: CAHILL,
      variant: 'plain reads',
      tables: BOOKING_TABLE,
      ...PREDICATE_SKEW,
      sessions: [[{ do: [overlapping(1, 10, 12), book(3, 1, 10, 12)] }], [{ do: [overlapping(1, 11, 13), book(4, 1, 11, 13)] }]],
      order: '1 2 1 2 1 2 1 2',
    },
    {
      name: 'overlapping bookings, FOR UPDATE',
      title: 'both look with a lock',
      source: CAHILL,
      variant: 'locking reads',
      tables: BOOKING_TABLE,
      ...PREDICATE_SKEW,
      cycle: 'rwp! rwp!',
      sessions: [
        [{ do: [overlapping(1, 10, 12, 'update'), book(3, 1, 10, 12)] }],
        [{ do: [overlapping(1, 11, 13, 'update'), book(4, 1, 11, 13)] }],
      ],
      order: '1 2 1 2 1 2 1 2',
    },
    {
      name: 'on-call doctors',
      title: 'both count two doctors on call, each goes off call',
      source: CAHILL,
      variant: 'plain reads',
      class: 'G2-item',
      shapes: ['write skew'],
      cycle: 'rw rw',
      also: ['write skew'],
      tables: [
        integers(
          'doctors',
          ['id', 'shift', 'on_call'],
          [
            [1, 1, 1],
            [2, 1, 1],
            [3, 2, 1],
          ],
        ),
      ],
      sessions: [
        [{ do: [onCall(), update('doctors', 'on_call', 0, doctor(1))] }],
        [{ do: [onCall(), update('doctors', 'on_call', 0, doctor(2))] }],
      ],
      order: '1 2 1 2 1 2 1 2',
    },
    {
      name: 'read-only transaction',
      title: 'a reader sees the insert of one and not of the other, who had read before both',
      source: "Fekete, O'Neil, O'Neil 2004",
      variant: 'plain reads',
      tables: TEST,
      class: 'G2',
      cycle: 'rwp rwp wr',
      also: ['G2'],
      sessions: [[{ do: [read(), put(4, 42)] }], [{ do: [put(3, 30)] }], [{ do: [read()] }]],
      order: '1 2 3 1 2 2 3 3 1 1',
    },
  ],
};
