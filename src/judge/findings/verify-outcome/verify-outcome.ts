/**
 * Proves the finding of a small program again from its file. It checks that every serial order of the committed transactions is
 * on record, and that each answers differently from the run. This code shares nothing with `explore`. It trusts that the file
 * holds the server's answers. It compares the record with the statements and rows that people read, so that neither can be
 * changed alone. A claim that only the server can confirm is `unknown`, with the reason.
 */
import { list, object, text } from '../fields.ts';
import { againstLines } from './against-lines.ts';
import { recordedOf, sessionsOf } from './recorded.ts';
import type { Answers, Order, Recorded, Reply, Row, Txn } from './recorded.ts';

/** `holds` is null if nothing could be proved. */
export interface VerifiedOutcome {
  readonly holds: boolean | null;
  readonly lines: readonly string[];
}

const REFUSED = 'DOES NOT FOLLOW';
/** No program has more transactions than this, so no file has all serial orders of more. */
const MOST_COMMITTED = 6;

/** Verifies the finding. Throws Malformed. */
export function verifyOutcome(value: unknown): VerifiedOutcome {
  const family = object(value, 'the family');
  const example = object(family['example'], 'the example');
  const oracle = text(family['oracle'], 'the oracle');
  if (oracle !== 'serial orders') return { holds: null, lines: [`unknown: ${WHY_UNKNOWN[oracle] ?? 'its oracle is not known here'}`] };
  if (example['certificate'] === undefined)
    return {
      holds: null,
      lines: [
        'unknown: an older tool wrote the file, and it holds no answers of the serial orders; `anomalist replay` asks the server again',
      ],
    };
  const recorded = recordedOf(example['certificate']);
  const lines = [
    ...everyOrder(recorded),
    ...recorded.orders.map((order) => differs(recorded.observed, order)),
    ...againstLines(example, recorded.observed).map((why) => `${REFUSED}: ${why}`),
    ...sameOrders(example, recorded),
  ];
  return { holds: !lines.some((line) => line.startsWith(REFUSED)), lines: [...lines, ...beyond(family, example, recorded)] };
}

const WHY_UNKNOWN: Readonly<Record<string, string>> = {
  run: "it is a violation of one run, which rests on the server's protocol status, its indexes, or a statement run on single states; the file holds these in words alone, and `anomalist replay` asks the server again",
  dependencies:
    'it rests on row versions that probes saw in another run, which the file does not hold; `anomalist replay` runs the probes again',
};

/** Checks that the record has all permutations of the committed transactions, each once. */
function everyOrder({ observed, orders }: Recorded): readonly string[] {
  const committed = observed.transactions.filter(({ end }) => end === 'committed').map(({ session }) => session);
  if (new Set(observed.transactions.map(({ session }) => session)).size < observed.transactions.length)
    return [`${REFUSED}: a session is there twice`];
  if (committed.length > MOST_COMMITTED) return [`${REFUSED}: ${committed.length} transactions committed, which no program has`];
  const wrong = orders.find(({ order, transactions }) => !isOrderOf(order, committed) || !answersInOrder(order, transactions));
  if (wrong !== undefined) return [`${REFUSED}: ${nameOf(wrong)} is no order of the committed transactions with an answer of each`];
  const of = factorial(committed.length);
  const distinct = new Set(orders.map(({ order }) => order.join())).size;
  const words = `${distinct} of ${of} serial orders of the ${committed.length} committed transactions are on record`;
  return [distinct === of && orders.length === of ? `follows: ${words}` : `${REFUSED}: ${words}, in ${orders.length} entries`];
}

function isOrderOf(order: readonly number[], committed: readonly number[]): boolean {
  return order.toSorted((a, b) => a - b).join() === committed.toSorted((a, b) => a - b).join();
}

function answersInOrder(order: readonly number[], transactions: readonly Txn[]): boolean {
  return transactions.map(({ session }) => session).join() === order.join();
}

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}

/** Returns the first difference between the run and the order, or that there is none. */
function differs(observed: Answers, order: Order): string {
  for (const txn of order.transactions) {
    const other = observed.transactions.find(({ session }) => session === txn.session);
    const words = other === undefined ? undefined : txnDifference(other, txn);
    if (words !== undefined) return `follows: ${nameOf(order)} differs: ${words}`;
  }
  const tables = new Set([...observed.left.keys(), ...order.left.keys()]);
  for (const table of tables) {
    const [seen, serial] = [rowsText(observed.left.get(table) ?? []), rowsText(order.left.get(table) ?? [])];
    if (seen !== serial) return `follows: ${nameOf(order)} differs: it leaves ${serial} in ${table}, observed ${seen}`;
  }
  return `${REFUSED}: ${nameOf(order)} answers what was observed, so it explains the run`;
}

function txnDifference(observed: Txn, serial: Txn): string | undefined {
  const who = `session ${observed.session}`;
  if (observed.end !== serial.end) return `${who} is ${serial.end}, observed ${observed.end}`;
  if (observed.replies.length !== serial.replies.length)
    return `${who} has ${serial.replies.length} replies, observed ${observed.replies.length}`;
  for (const [i, reply] of serial.replies.entries()) {
    const [seen, told] = [replyText(observed.replies[i]!), replyText(reply)];
    if (seen !== told) return `reply ${i + 1} of ${who} is ${told}, observed ${seen}`;
  }
  return undefined;
}

/** Rows have no order. A failed statement answers its error alone. */
function replyText({ rows, affected, error }: Reply): string {
  return error === undefined ? `${rowsText(rows)}, ${affected} affected` : `error ${error.class} ${error.code}`;
}

/** Prints rows as JSON, so that NULL is no text and no value looks like two. */
function rowsText(rows: readonly Row[]): string {
  return rows.length === 0
    ? 'no row'
    : rows
        .map((row) => JSON.stringify(row))
        .toSorted()
        .join(' ');
}

function nameOf({ order }: Order): string {
  return order.map((session) => `T${session}`).join(' before ') || 'no transaction';
}

/** Checks that the orders that people read are those on record. */
function sameOrders({ answers }: Readonly<Record<string, unknown>>, { orders }: Recorded): readonly string[] {
  const words = list(answers, 'the answers').map((each) => sessionsOf(object(each, 'an answer')['order'], 'an answer').join());
  const own = orders.map(({ order }) => order.join());
  return words.toSorted().join(';') === own.toSorted().join(';')
    ? []
    : [`${REFUSED}: the file tells of the orders ${words.join('; ') || 'none'}, and its record has ${own.join('; ') || 'none'}`];
}

/** Returns the claims of the file that rest on more than the record. */
function beyond(
  family: Readonly<Record<string, unknown>>,
  { breaks }: Readonly<Record<string, unknown>>,
  { fromSingleRuns }: Recorded,
): readonly string[] {
  const { difference, named } = family;
  const invariants = list(breaks, 'the broken invariants');
  return [
    ...(fromSingleRuns ? ['the orders were put together from transactions that ran alone; the file says so'] : []),
    ...(typeof difference === 'string' && difference.includes('snapshot')
      ? ['unknown: whether snapshots explain it; the server was asked for that']
      : []),
    ...(invariants.length > 0 ? [`unknown: whether the rows that are left break ${invariants.join(', ')}; the server evaluates it`] : []),
    ...(named === undefined ? [] : ['unknown: its class; probes saw it in another run, whose row versions the file does not hold']),
  ];
}
