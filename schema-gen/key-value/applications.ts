/**
 * Three applications as the papers of key-value checkers run them (Cobra, PolySI, VeriStrong: Twitter, RUBiS, TPC-C).
 * Every field of every thing is one object, and a transaction reads and writes some of them. Numbers are kept as the
 * application keeps them, so the values of an object repeat: a balance returns to an earlier value, a flag has two
 * values, a counter starts again. No value is 0, with which all objects begin: a read of 0 is of the initial version.
 */

export type Step =
  | { readonly do: 'read'; readonly field: string }
  /** Writes one of 1 .. `upTo`, whatever the value was. */
  | { readonly do: 'set'; readonly field: string; readonly upTo: number }
  /**
   * Reads the value and writes it back with one of `by` added. Past `around` it begins at 1 again, so `around - 3`
   * subtracts 3.
   */
  | { readonly do: 'move'; readonly field: string; readonly by: readonly number[]; readonly around: number };

export interface TransactionForm {
  /** The weight in percent. */
  readonly weight: number;
  /**
   * The things that it concerns, by the names that its steps use: one thing each, or several of a sort. No thing has
   * two names.
   */
  readonly about: Readonly<Record<string, { readonly thing: string; readonly from: number; readonly to: number }>>;
  /** `field` is `name.field`. Several things are processed one after the other. */
  readonly steps: readonly Step[];
}

export interface Application {
  /** `share` is how many of them exist for each one of a sort with share 1. */
  readonly things: Readonly<Record<string, { readonly share: number; readonly fields: readonly string[] }>>;
  readonly transactions: Readonly<Record<string, TransactionForm>>;
}

export type ApplicationName = 'twitter-kv' | 'rubis-kv' | 'tpcc-kv';

const one = (thing: string): { thing: string; from: number; to: number } => ({ thing, from: 1, to: 1 });
const some = (thing: string, from: number, to: number): { thing: string; from: number; to: number } => ({ thing, from, to });
const read = (field: string): Step => ({ do: 'read', field });
const set = (field: string, upTo: number): Step => ({ do: 'set', field, upTo });
const move = (field: string, by: readonly number[], around: number): Step => ({ do: 'move', field, by, around });

/** A link is one user following another: 1 follows, 2 does not. */
const TWITTER: Application = {
  things: { user: { share: 1, fields: ['tweets', 'latest', 'following', 'followers'] }, link: { share: 4, fields: ['follows'] } },
  transactions: {
    tweet: { weight: 25, about: { user: one('user') }, steps: [move('user.tweets', [1], 20), set('user.latest', 9)] },
    follow: {
      weight: 25,
      about: { user: one('user'), other: one('user'), link: one('link') },
      steps: [read('link.follows'), set('link.follows', 2), move('user.following', [1, 9], 10), move('other.followers', [1, 9], 10)],
    },
    timeline: {
      weight: 30,
      about: { user: one('user'), links: some('link', 2, 4), others: some('user', 2, 4) },
      steps: [read('user.following'), read('links.follows'), read('others.latest')],
    },
    profile: {
      weight: 20,
      about: { user: one('user') },
      steps: [read('user.tweets'), read('user.following'), read('user.followers'), read('user.latest')],
    },
  },
};

/** An item's state: 1 for sale, 2 sold. */
const RUBIS: Application = {
  things: {
    user: { share: 1, fields: ['region', 'rating', 'selling', 'bought'] },
    item: { share: 2, fields: ['state', 'price', 'bids', 'comments'] },
  },
  transactions: {
    'register user': { weight: 5, about: { user: one('user') }, steps: [set('user.region', 5), set('user.rating', 1)] },
    'list item': {
      weight: 15,
      about: { item: one('item'), seller: one('user') },
      steps: [set('item.price', 10), set('item.bids', 1), set('item.state', 1), move('seller.selling', [1], 10)],
    },
    bid: {
      weight: 35,
      about: { item: one('item'), bidder: one('user') },
      steps: [read('bidder.rating'), read('item.state'), move('item.price', [1, 2, 5], 50), move('item.bids', [1], 20)],
    },
    'buy now': {
      weight: 10,
      about: { item: one('item'), buyer: one('user') },
      steps: [read('item.price'), read('item.state'), set('item.state', 2), move('buyer.bought', [1], 10)],
    },
    comment: {
      weight: 10,
      about: { item: one('item'), seller: one('user') },
      steps: [move('seller.rating', [1, 9], 10), move('item.comments', [1], 10)],
    },
    'view item': {
      weight: 15,
      about: { item: one('item') },
      steps: [read('item.state'), read('item.price'), read('item.bids'), read('item.comments')],
    },
    'view user': { weight: 10, about: { user: one('user') }, steps: [read('user.region'), read('user.rating'), read('user.bought')] },
  },
};

/** An order's carrier: 1 means that it has none yet. The mix is TPC-C's. */
const TPCC: Application = {
  things: {
    warehouse: { share: 1, fields: ['taken'] },
    district: { share: 4, fields: ['orders', 'taken'] },
    customer: { share: 10, fields: ['balance', 'payments'] },
    stock: { share: 20, fields: ['quantity'] },
    order: { share: 10, fields: ['carrier', 'lines'] },
  },
  transactions: {
    'new order': {
      weight: 45,
      about: { district: one('district'), customer: one('customer'), order: one('order'), stocks: some('stock', 1, 4) },
      steps: [
        read('customer.balance'),
        move('district.orders', [1], 30),
        set('order.lines', 4),
        set('order.carrier', 1),
        move('stocks.quantity', [46, 47, 48, 49], 50),
      ],
    },
    payment: {
      weight: 43,
      about: { warehouse: one('warehouse'), district: one('district'), customer: one('customer') },
      steps: [
        move('warehouse.taken', [1, 2, 5], 100),
        move('district.taken', [1, 2, 5], 50),
        move('customer.balance', [15, 18, 19], 20),
        move('customer.payments', [1], 10),
      ],
    },
    'order status': {
      weight: 4,
      about: { customer: one('customer'), order: one('order') },
      steps: [read('customer.balance'), read('order.carrier'), read('order.lines')],
    },
    delivery: {
      weight: 4,
      about: { orders: some('order', 1, 3), customer: one('customer') },
      steps: [read('orders.carrier'), set('orders.carrier', 10), read('orders.lines'), move('customer.balance', [1, 2, 5], 20)],
    },
    'stock level': {
      weight: 4,
      about: { district: one('district'), stocks: some('stock', 2, 6) },
      steps: [read('district.orders'), read('stocks.quantity')],
    },
  },
};

export const APPLICATIONS: Readonly<Record<ApplicationName, Application>> = { 'twitter-kv': TWITTER, 'rubis-kv': RUBIS, 'tpcc-kv': TPCC };
