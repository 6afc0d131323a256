/**
 * Transactions of a round as a case of their own: their plans, the rows as they were when the first of them began, and
 * the order in which their statements were sent. In a stress round two statements can be under way at once; then the
 * order is one of several that the times allow (`otherOrders`), and replaying decides which of them shows the anomaly.
 */
import { NONE, ROLE, STATEMENT_STATUS, TXN_STATUS } from '../core/index.ts';
import type { Column, History, Image, Schema, Statements, Table, TestCase, TxnPlan, Value } from '../core/index.ts';
import { valueOfText } from './run/index.ts';

export function observedCase(history: History, testCase: TestCase, ids: readonly number[]): TestCase {
  const wanted = new Set(ids);
  const { transactions } = history;
  let from = Number.POSITIVE_INFINITY;
  for (let t = 1; t < transactions.count; t++) if (wanted.has(transactions.id[t]!)) from = Math.min(from, transactions.beginAt[t]!);
  const sessions = testCase.sessions.map((session) => ({ ...session, transactions: session.transactions.filter(({ id }) => wanted.has(id)) }));
  const kept = sessions.filter(({ transactions: plans }) => plans.length > 0);
  return {
    seed: testCase.seed,
    schema: schemaAt(history, testCase.schema, from),
    sessions: kept,
    schedule: ordered(history, kept.map(({ transactions: plans }) => plans), ORDERS.sent),
  };
}

/** Schedules of an observed case besides the order of sending, where two statements were under way at once. */
export function otherOrders(history: History, { sessions, schedule }: TestCase): readonly (readonly number[])[] {
  const plans = sessions.map(({ transactions }) => transactions);
  const seen = new Set([String(schedule)]);
  return [ORDERS.answered, ORDERS.ends].map((order) => ordered(history, plans, order)).filter((order) => !seen.has(String(order)) && seen.add(String(order)));
}

/** Every transaction that was open while one of these was. */
export function overlappingIds(history: History, ids: readonly number[]): readonly number[] {
  const { transactions } = history;
  const wanted = new Set(ids);
  const end = (t: number): number => (Number.isNaN(transactions.endAt[t]!) ? lastReply(history, t) : transactions.endAt[t]!);
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (let t = 1; t < transactions.count; t++) {
    if (!wanted.has(transactions.id[t]!)) continue;
    from = Math.min(from, transactions.beginAt[t]!);
    to = Math.max(to, end(t));
  }
  const found: number[] = [];
  for (let t = 1; t < transactions.count; t++) if (transactions.beginAt[t]! <= to && end(t) >= from) found.push(transactions.id[t]!);
  return found;
}

function lastReply({ statements }: History, t: number): number {
  let last = Number.NEGATIVE_INFINITY;
  for (let s = 0; s < statements.count; s++) if (statements.txn[s] === t && statements.replyAt[s]! > last) last = statements.replyAt[s]!;
  return last;
}

type Order = (statements: Statements, s: number) => number;

const answered: Order = ({ invokeAt, replyAt }, s) => (Number.isNaN(replyAt[s]!) ? invokeAt[s]! : replyAt[s]!);
const ORDERS = {
  sent: ({ invokeAt }, s) => invokeAt[s]!,
  answered,
  /** A transaction ends when its COMMIT is answered; what it waited for was sent before. */
  ends: (statements, s) => (statements.kind[s] === 'commit' || statements.kind[s] === 'rollback' ? answered(statements, s) : statements.invokeAt[s]!),
} satisfies Readonly<Record<string, Order>>;

/** Session numbers by time; what was planned and never sent follows at the end of the run by itself. */
function ordered({ statements, transactions }: History, sessions: readonly (readonly TxnPlan[])[], order: Order): number[] {
  const sessionOf = new Map(sessions.flatMap((plans, session) => plans.map(({ id }) => [id, session] as const)));
  const sent: { readonly at: number; readonly session: number }[] = [];
  for (let s = 0; s < statements.count; s++) {
    const session = sessionOf.get(transactions.id[statements.txn[s]!]!);
    if (session !== undefined && statements.kind[s] !== 'probe') sent.push({ at: order(statements, s), session });
  }
  return sent.sort((a, b) => a.at - b.at).map(({ session }) => session);
}

/** The schema with the rows that were committed at that time, as far as their columns are known. */
function schemaAt(history: History, schema: Schema, at: number): Schema {
  const { rows, observations, statements, transactions, entries } = history;
  const alive = new Map<number, { readonly image: Image; readonly at: number; readonly seq: number }>();
  const numberOf = new Map(rows.rid.map((rid, row) => [rid, row]));
  let unnumbered = -2;
  for (const event of history.images) event.rids.forEach((rid, i) => alive.set(numberOf.get(rid) ?? unnumbered--, { image: event.images[i] ?? [], at: -1, seq: 0 }));
  if (history.images.length === 0) return schema;
  const tableOf = new Map<number, string>();
  unnumbered = -2;
  for (const event of history.images) for (const rid of event.rids) tableOf.set(numberOf.get(rid) ?? unnumbered--, event.table);
  const dead = new Map<number, number>();
  let changed = false;
  for (let o = 0; o < observations.count; o++) {
    const s = observations.statement[o]!;
    const t = statements.txn[s]!;
    if (transactions.status[t] !== TXN_STATUS.committed || !(transactions.endAt[t]! <= at) || statements.undone[s] === 1 || statements.status[s] !== STATEMENT_STATUS.ok) continue;
    const row = observations.row[o]!;
    const role = observations.role[o]!;
    if (role === ROLE.read || row === NONE) continue;
    changed = true;
    if (role === ROLE.delete) {
      dead.set(row, transactions.endAt[t]!);
      continue;
    }
    const entry = observations.start[o]! + observations.length[o]! - 1;
    const image = observations.image[o];
    if (image === undefined || entries.txn[entry] !== t) continue;
    const known = alive.get(row);
    const endAt = transactions.endAt[t]!;
    const seq = entries.seq[entry]!;
    if (known === undefined || endAt > known.at || (endAt === known.at && seq > known.seq)) alive.set(row, { image, at: endAt, seq });
    tableOf.set(row, rows.table[row]!);
  }
  if (!changed) return schema;
  const tables: Table[] = [];
  for (const table of schema.tables) {
    const found: Value[][] = [];
    for (const [row, { image }] of alive) {
      if (tableOf.get(row) !== table.name || dead.has(row) || image.length !== table.columns.length) continue;
      found.push(table.columns.map(({ type }, i) => valueOfText(type, image[i] ?? null)));
    }
    tables.push(withRows(table, found, tables));
  }
  return { ...schema, tables };
}

/**
 * Rows that a foreign key deleted or moved leave no trace in the lists: those without their parent are left out, and of
 * two with one key the later one stays. A key that the server numbered is given as it was.
 */
function withRows(table: Table, rows: readonly (readonly Value[])[], before: readonly Table[]): Table {
  const place = (columns: readonly Column[], name: string): number => columns.findIndex((column) => column.name === name);
  const keys = [table.primaryKey, ...table.uniques].filter((key) => key.length > 0).map((key) => key.map((name) => place(table.columns, name)));
  const kept = new Map<string, readonly Value[]>();
  rows.forEach((row, n) => {
    const same = [...kept].find(([, other]) => keys.some((key) => key.every((i) => row[i] !== null && row[i] === other[i])));
    if (same) kept.delete(same[0]);
    kept.set(String(n), row);
  });
  const list = [...kept.values()].filter((row) =>
    table.foreignKeys.every(({ columns, table: parent, references }) => {
      const values = columns.map((name) => row[place(table.columns, name)]);
      if (values.some((value) => value === null)) return true;
      const target = before.find(({ name }) => name === parent);
      const candidates = target?.rows ?? rows;
      const at = references.map((name) => place((target ?? table).columns, name));
      return candidates.some((candidate) => at.every((i, k) => candidate[i] === values[k]));
    }),
  );
  const numbered = (i: number): boolean => list.every((row, n) => row[i] === n + 1);
  const columns = table.columns.map((column, i) => {
    if (column.identity !== true || numbered(i)) return column;
    const { identity: _, ...plain } = column;
    return plain;
  });
  return { ...table, columns, rows: list };
}
