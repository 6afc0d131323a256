/** Values under which the two transactions of a race of test/races meet, known by hand. */
import type { Typed } from './two-terminals.ts';

export type Pair = readonly [Typed, Typed];

const of =
  (transaction: string) =>
  (values: Typed['values']): Typed => ({ transaction, values });

const remove = of('remove-member');
const complete = of('complete');
const reserve = of('reserve');
const join = of('join');
const pay = of('pay');
const hold = of('hold');
const accept = of('accept');
const demote = of('demote');
const create = of('create-project');
const change = of('change-plan');
const book = of('book');
const bookTwoHours = of('book-two-hours');

/** Every way to meet in which the unsafe form breaks its invariant. */
export const MEETING: Readonly<Record<string, readonly Pair[]>> = {
  'last-owner': [[remove({ org: 1, member: 1 }), remove({ org: 1, member: 2 })]],
  'coupon-orders': [
    [complete({ order: 1 }), complete({ order: 2 })],
    [complete({ order: 4 }), complete({ order: 5 })],
  ],
  'reserved-stock': [
    [reserve({ id: 101, product: 1, quantity: 2 }), reserve({ id: 102, product: 1, quantity: 1 })],
    [reserve({ id: 101, product: 4, quantity: 1 }), reserve({ id: 102, product: 4, quantity: 1 })],
  ],
  'insert-then-limit': [
    [join({ id: 101, team: 1, user: 10 }), join({ id: 102, team: 1, user: 11 })],
    [join({ id: 101, team: 2, user: 10 }), join({ id: 102, team: 2, user: 10 })],
  ],
  'wallet-late-lock': [
    [pay({ payment: 101, wallet: 1, amount: 60 }), pay({ payment: 102, wallet: 1, amount: 50 })],
    [pay({ payment: 101, wallet: 2, amount: 60 }), pay({ payment: 102, wallet: 2, amount: 40 })],
  ],
  'seat-hold': [
    [hold({ ticket: 101, seat: 1, customer: 10, now: 100 }), hold({ ticket: 102, seat: 1, customer: 11, now: 100 })],
    [hold({ ticket: 101, seat: 3, customer: 10, now: 109 }), hold({ ticket: 102, seat: 3, customer: 11, now: 100 })],
  ],
  invitation: [[accept({ id: 101, code: 'aaa', user: 10 }), accept({ id: 102, code: 'aaa', user: 11 })]],
  'role-demoted': [[demote({ by: 1, person: 2 }), demote({ by: 2, person: 1 })]],
  'quota-by-plan': [[create({ id: 101, account: 1 }), change({ account: 1, plan: 1 })]],
  'booking-by-time': [
    [
      book({ id: 101, room: 2, from: '2026-01-08 10:00', to: '2026-01-08 12:00' }),
      book({ id: 102, room: 2, from: '2026-01-08 11:00', to: '2026-01-08 13:00' }),
    ],
    [
      book({ id: 101, room: 1, from: '2026-01-08 10:00', to: '2026-01-08 13:00' }),
      bookTwoHours({ id: 102, room: 1, from: '2026-01-08 10:30', to: '2026-01-08 12:30' }),
    ],
    [
      bookTwoHours({ id: 101, room: 3, from: '2026-01-08 08:30', to: '2026-01-08 10:30' }),
      bookTwoHours({ id: 102, room: 3, from: '2026-01-08 09:30', to: '2026-01-08 11:30' }),
    ],
  ],
};

/** Values that meet too, in ways in which neither form breaks its invariant. */
export const HARMLESS: Readonly<Record<string, readonly Pair[]>> = {
  'last-owner': [[remove({ org: 1, member: 1 }), remove({ org: 1, member: 1 })]],
  'coupon-orders': [[complete({ order: 1 }), complete({ order: 1 })]],
  'quota-by-plan': [
    [create({ id: 101, account: 4 }), change({ account: 4, plan: 1 })],
    [create({ id: 101, account: 1 }), create({ id: 102, account: 1 })],
  ],
};

/** Pairs that are found at every seed, though few values of theirs meet. */
export const FOUND: Readonly<Record<string, readonly string[]>> = {
  'booking-by-time': ['book + book', 'book + book-two-hours', 'book-two-hours + book-two-hours'],
};
